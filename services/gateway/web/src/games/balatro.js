// @ts-check
/**
 * The poker roguelike on the page. Each screen of a run has a file of its own in `balatro/`; this
 * one chooses among them.
 */

import { button, h } from '../ui/dom.js';
import { t } from '../ui/i18n.js';
import { blinds, currentBlind } from './balatro/blinds.js';
import { roundWon, runOver, runWon } from './balatro/ends.js';
import { dollars } from './balatro/format.js';
import { inspector, inventory, tagWords } from './balatro/inventory.js';
import { loadNames } from './balatro/names.js';
import { newsWords, readEvents } from './balatro/news.js';
import { goal, round, strip } from './balatro/round.js';
import { running, skip } from './balatro/score.js';
import { openSheet, sheetButtons } from './balatro/sheets.js';
import { pack, shop } from './balatro/shop.js';
import { act, phaseOf, plays, runOf, send, settle, ui } from './balatro/state.js';

/**
 * @typedef {import('../client/protocol').BalatroRun} Run
 */

export { describe } from './balatro/news.js';
export { checkDeal } from './balatro/replay.js';

/** @typedef {import('../app.js').App} App */

/** The run as it stands. @param {App} app */
export function draw(app) {
  loadNames(() => app.changed());
  const run = runOf(app);
  if (!run) return h('p', { class: 'pending' }, t('table.waiting'));
  readEvents(app);
  settle(app, run);
  remember(app, run);
  const played = Boolean(running());
  // A run that closes its table is told by its last event alone.
  if (app.isOver && ui.summary && !played) {
    const ended = { ...run, summary: ui.summary };
    return h('div', { class: 'bal' }, runOver(app, ended, false));
  }
  if (outcome(app) && !played) {
    return h('div', { class: 'bal' }, runOver(app, ui.ended.run, phaseOf(run) !== 'over'));
  }
  return h('div', { class: `bal ${phaseOf(run)}` },
    h('div', { class: 'bal-top' }, strip(run), goal(run), sheetButtons(app, run)),
    h('p', { class: 'bal-news', 'aria-live': 'polite' }, newsWords()),
    inventory(app, run),
    played ? round(app, run) : middle(app, run),
    plays(app) ? null : inspector(app),
    openSheet(app, run));
}

/** A run has one player; only a free seat is worth a place. @param {App} app */
export function drawsSeats(app) {
  return app.shown.ownSeat !== undefined;
}

/** What the next drawing must know of this one. @param {App} app @param {Run} run */
function remember(app, run) {
  const { tableId, view } = app.shown;
  if (phaseOf(run) === 'over') {
    const ended = { ...run, summary: ui.summary ?? run.summary };
    ui.ended = { run: ended, tableId, runs: view?.balatro?.runs };
  }
  const blind = run.round ? currentBlind(run) : ui.before.blind;
  ui.before = { jokers: run.jokers ?? [], hand: run.hand ?? [], blind };
  for (const { joker } of run.jokers ?? []) {
    if (joker?.joker) ui.known.set(joker.item ?? 0, joker.joker);
  }
}

/** The run that ended at this table and whose outcome was not read yet. @param {App} app */
function outcome(app) {
  return ui.ended?.tableId === app.shown.tableId ? ui.ended : null;
}

/** @param {App} app @param {Run} run */
function middle(app, run) {
  if (run.pack) return pack(app, run);
  switch (phaseOf(run)) {
    case 'blind_select': return blinds(run);
    case 'playing': return round(app, run);
    case 'round_won': return roundWon(run);
    case 'shop': return shop(app, run);
    default: return runWon(run);
  }
}

/** What the player may do now. @param {App} app */
export function actions(app) {
  const run = runOf(app);
  if (!run) return null;
  const playing = phaseOf(run) === 'playing';
  if (running() && !playing) {
    return h('div', { class: 'actions' },
      button(t('bal.skipScore'), () => skip(app), {
        class: 'primary', 'data-key': 'bal-skip-dock' }));
  }
  if (outcome(app)) return null;
  return h('div', { class: 'bal-dock' }, inspector(app),
    h('div', { class: 'actions' }, ...offers(app, run)));
}

/** @param {App} app @param {Run} run */
function offers(app, run) {
  const may = run.may ?? {};
  const offer = (/** @type {any} */ allowed, /** @type {string} */ name,
    /** @type {string} */ label, /** @type {string} */ look = '') => (
    allowed ? button(label, () => act(app, name), { class: look,
      disabled: ui.busy, 'data-key': `bal-${name}`, 'data-move': name }) : null);
  const tag = currentBlind(run)?.tag;
  const cost = run.shop?.rerollCost;
  return [
    ...cardOffers(app, run, may),
    offer(may.selectBlind, 'SELECT_BLIND', t('bal.SELECT_BLIND'), 'primary'),
    offer(may.skipBlind, 'SKIP_BLIND', t('bal.SKIP_BLIND', { tag: tag ? tagWords(tag).name : '' })),
    offer(may.rerollBoss, 'REROLL_BOSS', t('bal.REROLL_BOSS')),
    offer(may.cashOut, 'CASH_OUT',
      t('bal.CASH_OUT', { sum: dollars(run.payout?.total) }), 'primary'),
    offer(may.reroll, 'REROLL', t('bal.REROLL', { price: dollars(cost) })),
    offer(may.leaveShop, 'LEAVE_SHOP', t('bal.LEAVE_SHOP'), 'primary'),
    offer(may.skipPack, 'SKIP_PACK', t('bal.SKIP_PACK')),
    offer(may.continueOrFinish, 'FINISH', t('bal.FINISH')),
    offer(may.continueOrFinish, 'CONTINUE', t('bal.CONTINUE'), 'primary'),
  ];
}

/** Playing and discarding. @param {App} app @param {Run} run @param {any} may */
function cardOffers(app, run, may) {
  if (phaseOf(run) !== 'playing') return [];
  const count = ui.selected.length;
  const offer = (/** @type {'play'|'discard'} */ name, /** @type {string} */ look) => {
    const press = async () => {
      const cards = ui.selected;
      if (running()) skip(app);
      if (!await send(app, { [name]: { cards } })) return;
      ui.selected = [];
      app.changed();
    };
    const left = (name === 'play' ? run.round?.handsLeft : run.round?.discardsLeft) ?? 0;
    return button(t(`bal.${name}`, { left }), press, { class: look, 'data-key': `bal-${name}`,
      'data-move': name, disabled: ui.busy || !may[name] || !count });
  };
  return [offer('play', 'primary play'), offer('discard', 'discard')];
}
