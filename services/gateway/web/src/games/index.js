// @ts-check
/**
 * The games that this page can show. Each module has `draw(app)` for the table's middle and
 * `actions(app)` for what the player may do; `checkDeal(hand, stream)` deals a finished hand again,
 * where the game has such a check, and tells whether it comes out the same.
 */

import * as blackjack from './blackjack.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {{draw: (app: App) => HTMLElement, actions: (app: App) => HTMLElement|null,
 *   checkDeal?: (hand: any, stream: import('../fair/verify.js').Stream) => boolean|null}} GameModule */

/** @type {Record<string, GameModule>} */
const GAMES = { blackjack };

/** @param {string} id */
export function game(id) {
  return GAMES[id];
}

/** @param {any} hand @param {import('../fair/verify.js').Stream} stream */
export function checkDeal(hand, stream) {
  return GAMES[hand.summary.game]?.checkDeal?.(hand, stream) ?? null;
}
