// @ts-check
import { countdown } from '../ui/clock.js';
import { button, h } from '../ui/dom.js';
import { t } from '../ui/i18n.js';
import { drawParty } from './party.js';
import { queueCard } from './queue.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../client/protocol').TableSummary} TableSummary */
/** @typedef {import('../client/protocol').TicketReadyCheck} TicketReadyCheck */

/** Where a player finds a table. @param {App} app */
export function drawLobby(app) {
  return h('main', { class: 'lobby', 'data-region': 'main', tabIndex: -1 },
    app.table && !app.isOver ? seated(app) : null,
    h('div', { class: 'row' },
      h('h1', {}, t('lobby.title')),
      button(t('boards.title'), () => app.show('boards'), {
        class: 'quiet', 'data-key': 'boards' })),
    app.queues ? null : h('p', { class: 'pending' }, t('lobby.loading')),
    h('ul', { class: 'queues' }, ...(app.queues ?? []).map((queue) => queueCard(app, queue))),
    app.queues ? drawParty(app) : null,
    app.queues ? watchable(app) : null);
}

/** The way back to one's table. @param {App} app */
function seated(app) {
  return h('section', { class: 'panel row' },
    h('p', {}, t(app.shown.spectating ? 'lobby.spectating' : 'lobby.seated')),
    button(t('lobby.return'), () => app.show('table'), { class: 'primary' }));
}

/** The place in a queue, in sight on every page but the table's. @param {App} app */
export function drawTicket(app) {
  if (!app.ticket || app.screen === 'table') return null;
  const { waiting: queue, queueId, readyCheck: check } = app.ticket ?? {};
  if (check) return readyCheck(app, check);
  const found = app.queues?.find((one) => one.queueId === queueId);
  const bots = Math.round((found?.botFillAfterMs ?? 0) / 1000);
  return h('section', { class: 'panel waiting', role: 'status' },
    h('div', {},
      h('p', {}, h('b', {}, t('lobby.waiting', { others: queue?.waiting ?? 1 }))),
      bots ? h('p', { class: 'about' }, t('lobby.botsAfter', { seconds: bots })) : null),
    h('div', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
    button(t('lobby.cancel'), () => app.cancelTicket()));
}

/** A match was found: is the player ready? @param {App} app @param {TicketReadyCheck} check */
function readyCheck(app, check) {
  const { ready = 0, players = 0, selfReady = false, deadlineMs } = check;
  return h('section', { class: 'panel waiting found', 'aria-labelledby': 'found' },
    countdown({ deadlineMs }),
    h('div', { role: 'status' },
      h('p', { id: 'found' }, h('b', {}, t(selfReady ? 'lobby.found.wait' : 'lobby.found'))),
      h('p', { class: 'about' }, t('lobby.found.ready', { ready, players }))),
    h('div', { class: 'deeds' },
      selfReady ? null
        : button(t('lobby.found.go'), () => app.answerReady(), { class: 'primary' }),
      button(t('lobby.found.decline'), () => app.cancelTicket())));
}

/** Tables at which one can look on. @param {App} app */
function watchable(app) {
  return h('section', { class: 'watchable' },
    h('div', { class: 'row' },
      h('h2', {}, t('watch.title')),
      button(t('watch.reload'), () => app.refresh(), { class: 'quiet' })),
    app.watchable.length ? null : h('p', { class: 'about' }, t('watch.none')),
    h('ul', { class: 'hands' }, ...app.watchable.map((table) => watchCard(app, table))));
}

/** @param {App} app @param {TableSummary} table */
function watchCard(app, table) {
  const { tableId = '', game, handNo = 0, players = 0, bots = 0, spectators = 0 } = table;
  return h('li', { class: 'panel hand', 'data-key': `table-${tableId}` },
    h('span', { class: 'what' },
      h('b', {}, t(`game.${game}`)), ' · ', t('table.hand', { hand: handNo }),
      h('small', {}, t('watch.who', { players, bots, spectators }))),
    button(t('watch.watch'), () => app.watch(tableId), {
      'data-key': `watch-${tableId}`,
      'data-watch': tableId,
      disabled: app.isBusy,
      'aria-label': `${t('watch.watch')}: ${t(`game.${game}`)}`,
    }));
}
