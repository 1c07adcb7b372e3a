// @ts-check
/**
 * The games that this page can show. Each module has `draw(app)` for the table's middle and
 * `actions(app)` for what the player may do. It may have more:
 *
 * - `own(app)`: the player's own part, which stays in sight below the middle;
 * - `tools(app)`: what can be looked up at any time, beside the table's title;
 * - `drawsSeats(app)`: whether `draw` shows who sits where by itself;
 * - `describe(event, who)`: a table's event in words and pictures, null when it says nothing;
 * - `drawReplay(hand, steps)`: the table of a finished hand after some steps;
 * - `checkDeal(hand, stream, labelled)`: shuffles a finished hand again, with the hand's stream or
 *   its labelled ones, and tells whether it comes out the same, null where that cannot be told.
 *
 * A game without a module is shown with its seats alone.
 */

import * as balatro from './balatro.js';
import * as blackjack from './blackjack.js';
import * as mahjong from './mahjong.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../ui/dom.js').Child} Child */
/** @typedef {import('../fair/verify.js').Stream} Stream */
/** @typedef {(seat: number|undefined) => string} Who */
/** @typedef {{draw: (app: App) => HTMLElement, actions: (app: App) => HTMLElement|null,
 *   own?: (app: App) => HTMLElement|null, tools?: (app: App) => HTMLElement|null,
 *   drawsSeats?: (app: App) => boolean,
 *   describe?: (event: any, who: Who) => Child[]|null,
 *   drawReplay?: (hand: any, steps: number) => HTMLElement,
 *   checkDeal?: (hand: any, stream: Stream,
 *     labelled: (label: string) => Promise<Stream>) => boolean|null|Promise<boolean|null>
 * }} GameModule */

/** @type {Record<string, GameModule>} */
const GAMES = { balatro, blackjack, mahjong };

/** @param {string} id @returns {GameModule|undefined} */
export function game(id) {
  return Object.hasOwn(GAMES, id) ? GAMES[id] : undefined;
}

/**
 * @param {any} hand @param {Stream} stream @param {(label: string) => Promise<Stream>} labelled
 */
export async function checkDeal(hand, stream, labelled) {
  return await game(hand.summary.game)?.checkDeal?.(hand, stream, labelled) ?? null;
}
