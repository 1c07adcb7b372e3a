// @ts-check
/** What happened, in short sentences, and the plays that are to be shown. */

import { t } from '../../ui/i18n.js';
import { dollars, score } from './format.js';
import { loadNames, nameOf } from './names.js';
import { cardFace } from './pieces.js';
import { begin, forget } from './score.js';
import { ui } from './state.js';

/**
 * @typedef {import('../../client/protocol').BalatroCard} Card
 * @typedef {import('../../client/protocol').BalatroEvent} GameEvent
 */

/** @typedef {import('../../app.js').App} App */

/** Most sentences at a time. */
const MOST = 4;

/** Events that were read already. @type {WeakSet<object>} */
const read = new WeakSet();

/** Reads the events that are new. @param {App} app */
export function readEvents(app) {
  const fresh = app.events.filter((event) => !read.has(event));
  if (!fresh.length) return;
  /** @type {GameEvent[]} */
  const told = [];
  for (const event of fresh) {
    read.add(event);
    const what = event.play?.balatro;
    if (!what) continue;
    if (what.scored) begin(app, what.scored, ui.before);
    if (what.runEnded) ui.summary = what.runEnded;
    if (what.runStarted) ui.summary = null;
    if (what.blindSelected || what.runStarted) forget();
    const joker = what.jokerGained ?? what.jokerChanged;
    if (joker?.joker) ui.known.set(joker.item ?? 0, joker.joker);
    if (sentence(what)) told.push(what);
  }
  const isMove = fresh.some((event) => event.play?.balatro && !isOrder(event.play.balatro));
  if (isMove) ui.news = told.slice(-MOST);
}

/** What happened last, in words. */
export function newsWords() {
  return ui.news.map(sentence).join(' · ');
}

/** An event of a run in words, for its replay. @param {any} event */
export function describe(event) {
  const what = event.play?.balatro;
  if (!what) return null;
  loadNames(() => {});
  if (what.blindSelected) {
    return [t('bal.told.blind', { target: score(what.blindSelected.target) })];
  }
  if (what.scored) {
    const { hand, chips, mult, score: won, cards = [] } = what.scored;
    return [...cards.map((/** @type {Card} */ card) => cardFace(card)), ' ', t('bal.told.scored', {
      hand: t(`bal.hand.${hand}`), chips: score(chips), mult: score(mult), score: score(won) })];
  }
  if (what.roundWon) return [t('bal.roundWon')];
  if (what.runEnded) return [t(what.runEnded.won ? 'bal.overWon' : 'bal.overLost')];
  const said = sentence(what);
  return said ? [said] : null;
}

/** @param {GameEvent} what */
function isOrder(what) {
  return what.handReordered || what.jokersReordered;
}

/** @param {GameEvent} what @returns {string|null} */
function sentence(what) {
  if (what.moneyChanged) return money(what.moneyChanged);
  if (what.scored?.money) return dollarsSigned(what.scored.money);
  if (what.handLevelled) {
    const { hand, level = 0 } = what.handLevelled;
    return t('bal.news.level', { hand: t(`bal.hand.${hand}`), level });
  }
  if (what.jokerGained?.joker) return plus(nameOf('jokers', what.jokerGained.joker));
  if (what.jokerRemoved && what.jokerRemoved.why !== 'sold') {
    const name = nameOf('jokers', ui.known.get(what.jokerRemoved.item ?? 0));
    return t('bal.news.gone', { name });
  }
  if (what.consumableGained) return plus(nameOf('consumables', what.consumableGained.consumable));
  if (what.consumableUsed) {
    return t('bal.news.used', { name: nameOf('consumables', what.consumableUsed) });
  }
  return tagsAndCards(what);
}

/** @param {GameEvent} what @returns {string|null} */
function tagsAndCards(what) {
  if (what.tagGained) return plus(nameOf('tags', what.tagGained.tag));
  if (what.tagUsed) return t('bal.news.used', { name: nameOf('tags', what.tagUsed) });
  if (what.voucherRedeemed) return plus(nameOf('vouchers', what.voucherRedeemed));
  if (what.bossDisabled) return t('bal.news.bossOff');
  if (what.bossRerolled) return t('bal.news.boss', { name: nameOf('bosses', what.bossRerolled) });
  if (what.cardsDestroyed) {
    return t('bal.news.destroyed', { cards: (what.cardsDestroyed.cards ?? []).length });
  }
  if (what.cardsAdded) return t('bal.news.added', { cards: (what.cardsAdded.cards ?? []).length });
  if (what.cardsDiscarded?.byBoss) {
    return t('bal.news.bossDiscards', { cards: (what.cardsDiscarded.cards ?? []).length });
  }
  if (what.handSizeChanged) return t('bal.news.handSize', { by: what.handSizeChanged ?? 0 });
  return what.roundWon?.saved ? t('bal.news.saved') : null;
}

/** @param {any} change */
function money({ by, cause, item, id }) {
  const joker = cause === 'joker' || cause === 'rental' ? ui.known.get(item) : undefined;
  const why = joker ? nameOf('jokers', joker) : cause === 'tag' ? nameOf('tags', id)
    : cause === 'consumable' ? nameOf('consumables', id) : t(`bal.cause.${cause}`);
  return `${dollarsSigned(by)} ${why}`;
}

/** @param {string|number|undefined} by */
function dollarsSigned(by) {
  return Number(by ?? 0) > 0 ? `+${dollars(by)}` : dollars(by);
}

/** @param {string} name */
function plus(name) {
  return `+ ${name}`;
}
