// @ts-check
import { titleOf } from '../games/title.js';
import { button, h } from '../ui/dom.js';
import { moment, signed, t } from '../ui/i18n.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../client/protocol').HandSummary} HandSummary */

/** Hands that are asked for at a time. */
const PAGE = 20;

/** @type {{hands: HandSummary[]|null, next: string, asked: boolean}} */
const list = { hands: null, next: '', asked: false };

/** Asks for the newest hands, or for those after them. @param {App} app @param {string} token */
async function load(app, token) {
  list.asked = true;
  const page = await app.ask({ listHands: { pageSize: PAGE, pageToken: token } });
  if (page) {
    list.hands = [...(token ? list.hands ?? [] : []), ...(page.hands ?? [])];
    list.next = page.nextPageToken ?? '';
  }
  app.changed();
}

/** The player's finished hands, newest first. @param {App} app */
export function drawHistory(app) {
  if (!list.asked) load(app, '');
  const { hands, next } = list;
  return h('main', { class: 'lobby', 'data-region': 'main', tabIndex: -1 },
    h('div', { class: 'row' },
      h('h1', {}, t('history.title')),
      button(t('history.reload'), () => load(app, ''), { class: 'quiet' })),
    hands === null ? h('p', { class: 'pending' }, t('lobby.loading')) : null,
    hands?.length === 0 ? h('p', { class: 'pending' }, t('history.none')) : null,
    h('ul', { class: 'hands' }, ...(hands ?? []).map((hand) => row(app, hand))),
    next ? button(t('history.more'), () => load(app, next), { class: 'more' }) : null);
}

/** @param {App} app @param {HandSummary} hand */
function row(app, { handId = '', handNo, game = '', endedMs, seats = [], run }) {
  const own = seats.find((seat) => seat.playerId === app.profile.playerId);
  const change = Number(own?.change ?? 0);
  const result = run
    ? h('span', { class: 'what-ante' }, t('history.ante', { ante: run.ante ?? 0 }))
    : h('strong', { class: change < 0 ? 'loss' : 'gain' }, signed(change));
  const title = `${titleOf(game, run)} #${handNo ?? 0}`;
  return h('li', { class: 'panel hand', 'data-key': `hand-${handId}` },
    h('span', { class: 'what' }, h('b', {}, title), h('small', {}, moment(Number(endedMs)))),
    result,
    button(t('history.replay'), () => app.show('replay', handId), {
      'data-key': `replay-${handId}`, 'aria-label': `${t('history.replay')}: ${title}`,
    }));
}
