// @ts-check
import { button, h } from '../ui/dom.js';
import { number, t } from '../ui/i18n.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../client/protocol').LeaderboardRow} LeaderboardRow */

/** Scores of so many digits are written with an exponent. */
const PLAIN_DIGITS = 15;

/** @type {Record<string, LeaderboardRow[]|undefined>} */
const rows = {};
let asked = '';

/** The day by the server's clock, as boards are named. @param {App} app */
function today(app) {
  return new Date(app.client.now()).toISOString().slice(0, 10);
}

/** The boards, by the key of their words. @param {App} app */
function boards(app) {
  return { daily: `balatro/daily/${today(app)}`, mahjong: 'mahjong/rating' };
}

/** Asks for every board. @param {App} app */
async function load(app) {
  asked = today(app);
  await Promise.all(Object.entries(boards(app)).map(async ([key, board]) => {
    const answer = await app.ask({ getLeaderboard: { board } });
    if (answer) rows[key] = answer.rows ?? [];
  }));
  app.changed();
}

/** Who leads: the challenge of the day, and mahjong by rating. @param {App} app */
export function drawBoards(app) {
  // A board of yesterday is no longer the day's.
  if (asked !== today(app)) load(app);
  return h('main', { class: 'lobby', 'data-region': 'main', tabIndex: -1 },
    h('div', { class: 'row' },
      h('h1', {}, t('boards.title')),
      button(t('history.reload'), () => load(app), { class: 'quiet' })),
    ...Object.keys(boards(app)).map((key) => board(app, key)));
}

/** @param {App} app @param {string} key */
function board(app, key) {
  const listed = rows[key];
  return h('section', { class: 'board', 'aria-labelledby': `board-${key}` },
    h('h2', { id: `board-${key}` }, t(`boards.${key}`)),
    listed === undefined ? h('p', { class: 'pending' }, t('lobby.loading')) : null,
    listed?.length === 0 ? h('p', { class: 'about' }, t('boards.nobody')) : null,
    h('ol', { class: 'hands' }, ...(listed ?? []).map((row) => place(app, row))));
}

/** @param {App} app @param {LeaderboardRow} row */
function place(app, { rank = 0, playerId = '', name = '', score = '0' }) {
  const own = playerId === app.profile.playerId;
  return h('li', { class: own ? 'panel hand own' : 'panel hand', 'data-key': `board-${playerId}` },
    h('b', { class: 'rank' }, `${rank}.`),
    h('span', { class: 'what' }, name),
    h('strong', {}, written(score)));
}

/** A score, however large. @param {string} score */
function written(score) {
  return score.length > PLAIN_DIGITS ? Number(score).toExponential(3) : number(score);
}
