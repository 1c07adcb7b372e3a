// @ts-check
import { button, h } from '../ui/dom.js';
import { number, t } from '../ui/i18n.js';

/** Where a player finds a table. @param {import('../app.js').App} app */
export function drawLobby(app) {
  return h(
    'main',
    { class: 'lobby' },
    app.ticket ? waiting(app) : null,
    app.table
      ? h(
          'section',
          { class: 'panel' },
          h('p', {}, t('lobby.seated')),
          button(t('lobby.return'), () => app.show('table'), { class: 'primary' }),
        )
      : null,
    h('h1', {}, t('lobby.title')),
    h('ul', { class: 'queues' }, ...app.queues.map((queue) => queueCard(app, queue))),
    watchable(app),
  );
}

/** @param {number} seats */
function seatsWords(seats) {
  return seats === 1 ? t('lobby.alone') : t('lobby.seats', { seats: seats || '' });
}

/** Tables at which one can look on. @param {import('../app.js').App} app */
function watchable(app) {
  return h(
    'section',
    { class: 'watchable' },
    h(
      'div',
      { class: 'row' },
      h('h2', {}, t('watch.title')),
      button(t('watch.reload'), () => app.refresh(), { class: 'quiet' }),
    ),
    app.watchable.length ? null : h('p', { class: 'about' }, t('watch.none')),
    h(
      'ul',
      { class: 'hands' },
      ...app.watchable.map((table) =>
        h(
          'li',
          { class: 'panel hand' },
          h(
            'span',
            {},
            h('b', {}, t(`game.${table.game}`)),
            ' · ',
            t('table.hand', { hand: table.handNo ?? 0 }),
            ' · ',
            t('watch.who', {
              players: table.players ?? 0,
              bots: table.bots ?? 0,
              spectators: table.spectators ?? 0,
            }),
          ),
          button(t('watch.watch'), () => app.watch(table.tableId), {
            'data-key': `watch-${table.tableId}`,
            'data-watch': table.tableId,
            disabled: Boolean(app.ticket ?? app.table),
          }),
        ),
      ),
    ),
  );
}

/** @param {import('../app.js').App} app */
function waiting(app) {
  const others = app.ticket.waiting?.waiting ?? 1;
  return h(
    'section',
    { class: 'panel waiting', role: 'status' },
    h('p', {}, t('lobby.waiting', { others })),
    h('div', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
    button(t('lobby.cancel'), () => app.cancelTicket()),
  );
}

/** @param {import('../app.js').App} app @param {any} queue */
function queueCard(app, queue) {
  const chips = queue.settings?.stakeMode === 'STAKE_MODE_CHIPS';
  const stake = chips
    ? t('lobby.buyIn', { amount: number(queue.settings.buyIn) })
    : t('lobby.points');
  const key = `queue.${queue.queueId}`;
  const words = t(key);
  return h(
    'li',
    { class: `queue ${queue.game}` },
    h('h2', {}, t(`game.${queue.game}`)),
    h('p', { class: 'about' }, words === key ? '' : words),
    h(
      'p',
      { class: 'facts' },
      stake,
      ' · ',
      seatsWords(queue.settings?.seats ?? 0),
      queue.waiting ? ` · ${t('lobby.others', { waiting: queue.waiting })}` : '',
    ),
    button(t('lobby.play'), () => app.enqueue(queue.queueId), {
      class: 'primary',
      'data-key': `play-${queue.queueId}`,
      'data-queue': queue.queueId,
      disabled: Boolean(app.ticket ?? app.table),
      'aria-label': `${t('lobby.play')}: ${t(`game.${queue.game}`)}`,
    }),
  );
}
