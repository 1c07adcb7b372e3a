// @ts-check
import { game } from '../games/index.js';
import { countdown } from '../ui/clock.js';
import { button, h } from '../ui/dom.js';
import { t } from '../ui/i18n.js';
import { ownSeat, seatCard } from './seat.js';

/** @typedef {import('../app.js').App} App */

/**
 * A table: the game in the middle, the player's own part and what it may do below.
 * @param {App} app
 */
export function drawTable(app) {
  const { table } = app;
  const module = game(table.game);
  const playing = Boolean(table.view && module);
  const acting = playing && table.phase === 'PHASE_IN_HAND' && !ownSeat(app)?.autoPlay;
  return h(
    'main',
    { class: `table ${table.game}`, 'data-phase': table.phase },
    top(app),
    h(
      'div',
      { class: 'middle', 'data-scroll': 'middle' },
      playing && module.drawsSeats?.(app) ? null : seats(app),
      playing
        ? module.draw(app)
        : h('p', { class: 'pending' }, t(module ? 'table.waiting' : 'table.unknownGame')),
    ),
    h(
      'footer',
      { class: 'dock' },
      playing ? module.own?.(app) : null,
      acting ? module.actions(app) : null,
      housekeeping(app),
    ),
  );
}

/** All seats in turn order, the player's own last. @param {App} app */
function seats(app) {
  const { table } = app;
  const count = table.seats.length;
  const first = (table.ownSeat ?? -1) + 1;
  const around = table.seats.map(
    (/** @type {any} */ _, /** @type {number} */ step) => table.seats[(first + step) % count],
  );
  return h(
    'ul',
    { class: `seats of-${count}` },
    ...around.map((/** @type {any} */ seat) => seatCard(app, seat)),
  );
}

/** @param {App} app */
function top({ table }) {
  return h(
    'div',
    { class: 'top' },
    h('h1', {}, t(`game.${table.game}`)),
    table.roomCode
      ? h('span', { class: 'code' }, t('table.code'), ' ', h('strong', {}, table.roomCode))
      : null,
    h('span', {}, t('table.hand', { hand: table.handNo ?? 0 })),
    table.paused ? h('strong', {}, t('table.paused')) : null,
    table.spectating ? h('em', {}, t('table.spectating')) : null,
  );
}

/** What belongs to the table rather than to the game. @param {App} app */
function housekeeping(app) {
  const { table } = app;
  const seat = ownSeat(app);
  const buttons = [];
  if (seat && table.phase === 'PHASE_WAITING' && !seat.ready) {
    buttons.push(
      button(t('table.ready'), () => app.act({ ready: { ready: true } }), { class: 'primary' }),
    );
  }
  if (seat?.autoPlay && !seat.leaving) {
    buttons.push(
      button(t('table.takeBack'), () => app.act({ autoPlay: { enabled: false } }), {
        class: 'primary',
      }),
    );
  } else if (seat && table.phase === 'PHASE_IN_HAND' && !seat.leaving) {
    buttons.push(
      button(t('table.autoPlay'), () => app.act({ autoPlay: { enabled: true } }), {
        class: 'quiet',
      }),
    );
  }
  if (seat?.host && table.phase === 'PHASE_MATCH_OVER') {
    buttons.push(button(t('table.rematch'), () => app.act({ rematch: {} }), { class: 'primary' }));
  }
  if (seat && table.roomCode && !table.vote) {
    buttons.push(
      button(t('table.dissolve'), () => app.act({ proposeDissolve: {} }), { class: 'quiet' }),
    );
  }
  if (!seat?.leaving) {
    buttons.push(
      button(t(table.spectating ? 'table.unwatch' : 'table.leave'), () => app.leaveTable(), {
        class: 'quiet',
      }),
    );
  }
  return h('div', { class: 'housekeeping' }, vote(app), ...buttons);
}

/** @param {App} app */
function vote(app) {
  const { table } = app;
  if (!table.vote) return null;
  const agreed = (table.vote.agreed ?? []).includes(table.ownSeat);
  const answer = (/** @type {boolean} */ agree) => () => app.act({ voteDissolve: { agree } });
  return h(
    'div',
    { class: 'vote', role: 'alert' },
    t('table.vote'),
    ' ',
    countdown(table.vote.deadlineMs),
    agreed || table.spectating ? null : button(t('vote.agree'), answer(true)),
    agreed || table.spectating ? null : button(t('vote.refuse'), answer(false)),
  );
}
