// @ts-check
import { game } from '../games/index.js';
import { countdown } from '../ui/clock.js';
import { button, h } from '../ui/dom.js';
import { number, t } from '../ui/i18n.js';

/** @typedef {import('../app.js').App} App */

/** A table: seats around, the game in the middle, what the player may do below. @param {App} app */
export function drawTable(app) {
  const { table } = app;
  const module = game(table.game);
  const playing = Boolean(table.view && module);
  return h('main', { class: `table ${table.game}`, 'data-phase': table.phase },
    top(app),
    h('ul', { class: 'seats' }, ...table.seats.map((/** @type {any} */ seat) => seatCard(app, seat))),
    playing ? module.draw(app) : h('p', { class: 'pending' }, t('table.waiting')),
    h('footer', { class: 'dock' },
      playing && table.phase === 'PHASE_IN_HAND' && !own(app)?.autoPlay ? module.actions(app) : null,
      housekeeping(app)));
}

/** The player's own seat. @param {App} app */
function own(app) {
  return app.table.seats[app.table.ownSeat];
}

/** @param {App} app */
function top({ table }) {
  return h('div', { class: 'top' },
    h('h1', {}, t(`game.${table.game}`)),
    table.roomCode ? h('span', { class: 'code' }, t('table.code'), ' ',
      h('strong', {}, table.roomCode)) : null,
    h('span', {}, t('table.hand', { hand: table.handNo ?? 0 })),
    table.paused ? h('strong', {}, t('table.paused')) : null,
    table.spectating ? h('em', {}, t('table.spectating')) : null);
}

/** @param {App} app @param {any} seat */
function seatCard(app, seat) {
  const { table } = app;
  const number_ = seat.seat ?? 0;
  const clock = (table.clocks ?? []).find((/** @type {any} */ one) => (one.seat ?? 0) === number_);
  const marks = [
    seat.host && t('seat.host'), seat.leaving && t('seat.leaving'),
    seat.autoPlay && t('seat.autoPlay'), seat.sittingOut && t('seat.sittingOut'),
    seat.occupant === 'OCCUPANT_PLAYER' && !seat.connected && t('seat.away'),
    table.phase === 'PHASE_WAITING' && seat.ready && t('seat.ready'),
  ].filter(Boolean);
  const mine = number_ === table.ownSeat;
  const empty = seat.occupant === 'OCCUPANT_EMPTY' || !seat.occupant;
  return h('li', { class: `seat ${mine ? 'mine' : ''} ${empty ? 'empty' : ''} ${clock ? 'turn' : ''}` },
    h('span', { class: 'name' }, empty ? t('seat.empty') : seat.name),
    empty ? seatOffer(app, number_) : h('span', { class: 'stack' }, number(seat.stack)),
    clock ? countdown(clock.deadlineMs) : null,
    marks.length ? h('span', { class: 'marks' }, marks.join(' · ')) : null);
}

/** What can be done with an empty seat. @param {App} app @param {number} seat */
function seatOffer(app, seat) {
  const key = { 'data-key': `seat-${seat}` };
  if (app.table.spectating) return button(t('seat.sit'), () => app.act({ sit: { seat } }), key);
  if (own(app)?.host && app.table.botsAllowed && app.table.phase === 'PHASE_WAITING') {
    return button(t('seat.addBot'), () => app.act({ addBot: { seat } }), key);
  }
  return null;
}

/** What belongs to the table rather than to the game. @param {App} app */
function housekeeping(app) {
  const { table } = app;
  const seat = own(app);
  const buttons = [];
  if (seat && table.phase === 'PHASE_WAITING' && !seat.ready) {
    buttons.push(button(t('table.ready'), () => app.act({ ready: { ready: true } }),
      { class: 'primary' }));
  }
  if (seat?.autoPlay && !seat.leaving) {
    buttons.push(button(t('table.takeBack'), () => app.act({ autoPlay: { enabled: false } }),
      { class: 'primary' }));
  } else if (seat && table.phase === 'PHASE_IN_HAND' && !seat.leaving) {
    buttons.push(button(t('table.autoPlay'), () => app.act({ autoPlay: { enabled: true } }),
      { class: 'quiet' }));
  }
  if (seat?.host && table.phase === 'PHASE_MATCH_OVER') {
    buttons.push(button(t('table.rematch'), () => app.act({ rematch: {} }), { class: 'primary' }));
  }
  if (seat && table.roomCode && !table.vote) {
    buttons.push(button(t('table.dissolve'), () => app.act({ proposeDissolve: {} }),
      { class: 'quiet' }));
  }
  if (!seat?.leaving) {
    buttons.push(button(t(table.spectating ? 'table.unwatch' : 'table.leave'),
      () => app.leaveTable(), { class: 'quiet' }));
  }
  return h('div', { class: 'housekeeping' }, vote(app), ...buttons);
}

/** @param {App} app */
function vote(app) {
  const { table } = app;
  if (!table.vote) return null;
  const agreed = (table.vote.agreed ?? []).includes(table.ownSeat);
  const answer = (/** @type {boolean} */ agree) => () => app.act({ voteDissolve: { agree } });
  return h('div', { class: 'vote', role: 'alert' }, t('table.vote'), ' ',
    countdown(table.vote.deadlineMs),
    agreed || table.spectating ? null : button(t('vote.agree'), answer(true)),
    agreed || table.spectating ? null : button(t('vote.refuse'), answer(false)));
}
