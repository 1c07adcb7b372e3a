// @ts-check
/** The held cards: selecting, sorting, moving. */

import { button, h } from '../../ui/dom.js';
import { t } from '../../ui/i18n.js';
import { cardFace, cardTexts } from './pieces.js';
import { moveCard, plays, shownHand, toggleCard, ui } from './state.js';

/**
 * @typedef {import('../../client/protocol').BalatroRun} Run
 * @typedef {import('../../client/protocol').BalatroCard} Card
 */

/** @typedef {import('../../app.js').App} App */

/** Most cards beside each other. */
const PER_ROW = 10;
/** A short hand lies as if it were this wide, so that cards keep their size. */
const FEWEST_COLUMNS = 8;

/**
 * The hand with its tools.
 * @param {App} app @param {Run} run
 * @param {boolean} movable the tools may be used now
 */
export function hand(app, run, movable) {
  const cards = shownHand(app, run);
  const live = plays(app);
  return h('section', { class: 'bal-held', 'aria-label': t('bal.held') },
    cardRow(cards, (card, place) => {
      const order = ui.selected.indexOf(card.id) + 1;
      const forced = run.round?.forcedCard === card.id;
      const face = cardFace(card, live ? {
        class: `${order ? 'selected' : ''} ${forced ? 'forced' : ''}`,
        'aria-pressed': String(order > 0), 'data-key': `bal-card-${card.id}`,
        onclick: () => toggleCard(app, card.id),
        onkeydown: (/** @type {KeyboardEvent} */ event) => steer(app, event, card.id, cards, place),
      } : {});
      if (order) face.dataset.order = String(order);
      return face;
    }),
    live ? tools(app, run, movable) : null, selectedTexts(cards));
}

/** Cards that are only looked at. @param {Card[]} cards */
export function plainHand(cards) {
  return h('section', { class: 'bal-held' }, cardRow(cards, (card) => cardFace(card)));
}

/** @param {Card[]} cards @param {(card: any, place: number) => HTMLElement} face */
function cardRow(cards, face) {
  const rows = Math.max(1, Math.ceil(cards.length / PER_ROW));
  const columns = Math.max(FEWEST_COLUMNS, Math.ceil(cards.length / rows));
  return h('div', { class: 'bal-hand', style: { '--columns': String(columns) } },
    ...cards.map(face));
}

/**
 * Arrow keys go along the hand; with Shift they move the card.
 * @param {App} app @param {KeyboardEvent} event @param {number} id
 * @param {Card[]} cards @param {number} place
 */
function steer(app, event, id, cards, place) {
  const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
  if (!by) return;
  event.preventDefault();
  if (event.shiftKey) {
    moveCard(app, id, by);
    return;
  }
  const next = cards[place + by];
  const key = CSS.escape(`bal-card-${next?.id}`);
  const neighbour = document.querySelector(`[data-key="${key}"]`);
  if (neighbour instanceof HTMLElement) neighbour.focus();
}

/** @param {App} app @param {Run} run @param {boolean} movable */
function tools(app, run, movable) {
  const can = movable && run.may?.reorderHand;
  const sort = (/** @type {'rank'|'suit'} */ by) => button(t(`bal.sort.${by}`), () => {
    ui.sort = ui.sort === by ? null : by;
    app.changed();
  }, { class: 'quiet', 'aria-pressed': String(ui.sort === by), disabled: !run.may?.reorderHand });
  const one = ui.selected[ui.selected.length - 1];
  const move = (/** @type {string} */ sign, /** @type {number} */ by,
    /** @type {string} */ label) => (
    button(sign, () => moveCard(app, one, by), { class: 'quiet', 'data-key': `bal-shift-${by}`,
      'aria-label': label, disabled: one === undefined || !can }));
  return h('div', { class: 'bal-tools' }, sort('rank'), sort('suit'),
    move('◀', -1, t('bal.cardLeft')), move('▶', 1, t('bal.cardRight')),
    button(t('bal.unselect'), () => {
      ui.selected = [];
      app.changed();
    }, { class: 'quiet', disabled: !ui.selected.length }));
}

/** What is special about the card that was selected last. @param {Card[]} cards */
function selectedTexts(cards) {
  const last = cards.find((card) => card.id === ui.selected[ui.selected.length - 1]);
  const text = last && !last.faceDown ? cardTexts(last) : '';
  return text ? h('p', { class: 'hint' }, text) : null;
}
