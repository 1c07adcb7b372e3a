// @ts-check
/** Words for what stands in a mahjong view. */

import { t } from '../../ui/i18n.js';
import { nameWords } from '../../ui/names.js';

/**
 * @typedef {import('../../client/protocol').MahjongScore} Score
 * @typedef {import('../../client/protocol').MahjongStanding} Standing
 */

/** @typedef {import('../../app.js').App} App */
/** @typedef {(seat: number|undefined) => string} Who says who has a seat */

const LETTERS = /** @type {Record<string, string>} */ ({
  MAHJONG_SUIT_CHARACTERS: 'm',
  MAHJONG_SUIT_DOTS: 'p',
  MAHJONG_SUIT_BAMBOOS: 's',
});

/** The letter of a suit. @param {string|undefined} suit */
export function suitLetter(suit) {
  return LETTERS[suit ?? ''] ?? '';
}

/** @param {string|undefined} suit */
export function suitName(suit) {
  return suit ? t(`mj.suit.${suitLetter(suit)}`) : '';
}

/**
 * The last part of an enum's name, in lower case.
 * @param {string|undefined} value
 * @param {string} prefix
 */
export function word(value, prefix) {
  return (value ?? '').replace(`${prefix}_`, '').toLowerCase();
}

/**
 * The game's view.
 * @param {App} app @returns {import('../../client/protocol').MahjongView}
 */
export function viewOf(app) {
  return app.shown.view?.mahjong ?? {};
}

/** @param {App} app @returns {Who} */
export function whoAt(app) {
  return (seat) => {
    const place = seat ?? 0;
    return place === app.shown.ownSeat ? t('you') : nameAt(app, place);
  };
}

/** @param {App} app @param {number} seat */
export function nameAt(app, seat) {
  const { name } = app.shown.seats[seat] ?? {};
  return name ? nameWords(name) : t('seat.number', { seat: seat + 1 });
}

/** How a winning hand is called. @param {Score|undefined} score @param {number} [fan] capped */
export function scoreWords(score, fan) {
  const pattern = t(`mj.fan.${score?.pattern || score?.form || 'pinghu'}`);
  return `${pattern} · ${t('mj.fans', { fan: fan ?? score?.rawFan ?? 0 })}`;
}

/** Where the fan come from. @param {Score|undefined} score */
export function breakdownWords(score) {
  return (score?.breakdown ?? [])
    .filter((/** @type {any} */ part) => part.fan)
    .map((/** @type {any} */ part) => `${t(`mj.fan.${part.id}`)} +${part.fan ?? 0}`)
    .join(', ');
}

/** What the seat is at the end. @param {Standing|undefined} standing */
export function standingWords(standing) {
  if (!standing) return '';
  if (standing.won) return t('mj.standing.won');
  if (standing.holdsVoid) return t('mj.standing.holdsVoid');
  if (standing.notReady) return t('mj.standing.notReady');
  return t('mj.standing.ready', { fan: standing.readyRawFan ?? 0 });
}
