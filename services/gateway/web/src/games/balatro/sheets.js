// @ts-check
/** What can be looked up at any time: hand levels, the deck, the run. */

import { dialog } from '../../ui/dialog.js';
import { button, h } from '../../ui/dom.js';
import { number, t } from '../../ui/i18n.js';
import { summary } from './ends.js';
import { score } from './format.js';
import { entry, nameOf } from './names.js';
import { suitSign } from './pieces.js';
import { act, plays, ui } from './state.js';

/**
 * @typedef {import('../../client/protocol').BalatroRun} Run
 */

/** @typedef {import('../../app.js').App} App */

const SHEETS = /** @type {const} */ (['hands', 'deck', 'run']);
const RANKS = ['A', 'K', 'Q', 'J', '10', '9', '8', '7', '6', '5', '4', '3', '2'];

/** Buttons that open the sheets. @param {App} app @param {Run} run */
export function sheetButtons(app, run) {
  const deck = run.deck ?? {};
  return h('div', { class: 'bal-sheets', role: 'group', 'aria-label': t('bal.lookUp') },
    ...SHEETS.map((sheet) => button(
      t(`bal.sheet.${sheet}`, { left: deck.drawPile ?? 0, full: deck.full ?? 0 }),
      () => open(app, sheet), { class: 'quiet', 'data-key': `bal-sheet-${sheet}` })));
}

/** @param {App} app @param {typeof SHEETS[number]} sheet */
function open(app, sheet) {
  ui.sheet = sheet;
  app.changed();
}

/** @param {App} app */
function close(app) {
  const { sheet } = ui;
  ui.sheet = null;
  ui.surrendering = false;
  app.changed();
  focus(`bal-sheet-${sheet}`);
}

/** @param {string} key */
function focus(key) {
  const element = document.querySelector(`[data-key="${key}"]`);
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

/** The open sheet. @param {App} app @param {Run} run */
export function openSheet(app, run) {
  if (!ui.sheet) return null;
  const content = { hands: handLines, deck: deckTable, run: runSheet }[ui.sheet](run, app);
  const title = t(`bal.sheetTitle.${ui.sheet}`);
  return dialog(title, () => close(app), content);
}

/** @param {Run} run */
function handLines(run) {
  const lines = (run.hands ?? []).filter((/** @type {any} */ line) => line.visible);
  return h('table', { class: 'bal-levels' },
    h('thead', {}, h('tr', {}, ...['level', 'hand', 'values', 'played'].map((head) => (
      h('th', { scope: 'col' }, t(`bal.col.${head}`)))))),
    h('tbody', {}, ...lines.map((/** @type {any} */ line) => h('tr', {},
      h('td', {}, number(line.level)),
      h('th', { scope: 'row' }, t(`bal.hand.${line.hand}`)),
      h('td', { class: 'values' }, h('b', { class: 'chips-of' }, score(line.chips)), ' × ',
        h('b', { class: 'mult-of' }, score(line.mult))),
      h('td', {}, number(line.playedRun), line.playedRound ? ` (${line.playedRound})` : '')))));
}

/** Cards that are not seen yet, by suit and rank. @param {Run} run */
function deckTable(run) {
  const deck = run.deck ?? {};
  const counts = new Map((deck.unseen ?? []).map(
    (/** @type {any} */ { card, count }) => [card, count]));
  const cell = (/** @type {string} */ card) => {
    const count = counts.get(card) ?? 0;
    return h('td', { class: count ? '' : 'zero' }, String(count));
  };
  const sum = (/** @type {string} */ suit) => RANKS.reduce(
    (all, rank) => all + (counts.get(rank + suit) ?? 0), 0);
  const suits = [...'SHCD'];
  return h('div', {},
    h('p', {}, t('bal.deckAbout', { left: deck.drawPile ?? 0, full: deck.full ?? 0 })),
    h('table', { class: 'bal-deck' },
      h('thead', {}, h('tr', {}, h('td', {}), ...suits.map((suit) => h('th', {
        scope: 'col', 'aria-label': t(`bal.suit.${suit}`) }, suitSign(suit))))),
      h('tbody', {}, ...RANKS.map((rank) => h('tr', {}, h('th', { scope: 'row' }, rank),
        ...suits.map((suit) => cell(rank + suit)))),
      h('tr', { class: 'sums' }, h('th', { scope: 'row' }, 'Σ'),
        ...suits.map((suit) => h('td', {}, String(sum(suit))))))),
    deck.unseenStones ? h('p', {}, t('bal.stones', { stones: deck.unseenStones })) : null);
}

/** @param {Run} run @param {App} app */
function runSheet(run, app) {
  const { deck, stake, daily } = run.options ?? {};
  const marks = run.marks ?? {};
  const start = [deck && nameOf('decks', deck), stake && nameOf('stakes', stake), daily];
  return h('div', {},
    h('p', {}, start.filter(Boolean).join(' · ')),
    deck && entry('decks', deck).text ? h('p', { class: 'hint' }, entry('decks', deck).text) : null,
    summary(run),
    h('h3', {}, t('bal.vouchers')),
    run.vouchers?.length ? h('ul', { class: 'bal-list' }, ...run.vouchers.map(
      (/** @type {string} */ id) => h('li', {}, h('b', {}, nameOf('vouchers', id)),
        ` — ${entry('vouchers', id).text}`))) : h('p', { class: 'hint' }, t('bal.none')),
    marks.mailRank ? h('p', { class: 'hint' }, t('bal.marks', {
      rank: marks.mailRank, castle: suitSign(marks.castleSuit ?? ''),
      ancient: suitSign(marks.ancientSuit ?? ''),
      idol: marks.idol ? marks.idol.slice(0, -1) + suitSign(marks.idol.slice(-1)) : '–',
    })) : null,
    run.may?.giveUp && plays(app) ? giveUp(app) : null);
}

/** @param {App} app */
function giveUp(app) {
  const press = () => {
    if (ui.surrendering) {
      ui.sheet = null;
      ui.surrendering = false;
      act(app, 'GIVE_UP');
      return;
    }
    ui.surrendering = true;
    app.changed();
  };
  return button(t(ui.surrendering ? 'bal.giveUpSure' : 'bal.giveUp'), press,
    { class: 'danger', 'data-key': 'bal-give-up', disabled: ui.busy });
}
