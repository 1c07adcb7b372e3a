// @ts-check
import { countdown } from '../ui/clock.js';
import { button, h } from '../ui/dom.js';
import { number, t } from '../ui/i18n.js';

/** @typedef {import('../app.js').App} App */

/** The player's own seat. @param {App} app */
export function ownSeat(app) {
  return app.table.seats[app.table.ownSeat];
}

/** Who has a seat, with how much, and what there is to know. @param {App} app @param {any} seat */
export function seatCard(app, seat) {
  const { table } = app;
  const place = seat.seat ?? 0;
  const clock = (table.clocks ?? []).find((/** @type {any} */ one) => (one.seat ?? 0) === place);
  const marks = [
    seat.host && t('seat.host'),
    seat.leaving && t('seat.leaving'),
    seat.autoPlay && t('seat.autoPlay'),
    seat.sittingOut && t('seat.sittingOut'),
    seat.occupant === 'OCCUPANT_PLAYER' && !seat.connected && t('seat.away'),
    table.phase === 'PHASE_WAITING' && seat.ready && t('seat.ready'),
  ].filter(Boolean);
  const mine = place === table.ownSeat;
  const empty = seat.occupant === 'OCCUPANT_EMPTY' || !seat.occupant;
  return h(
    'li',
    { class: `seat ${mine ? 'mine' : ''} ${empty ? 'empty' : ''} ${clock ? 'turn' : ''}` },
    h('span', { class: 'name', title: seat.name || null }, empty ? t('seat.empty') : seat.name),
    empty ? offer(app, place) : h('span', { class: 'stack' }, number(seat.stack)),
    clock ? countdown(clock.deadlineMs) : null,
    marks.length ? h('span', { class: 'marks' }, marks.join(' · ')) : null,
  );
}

/** What can be done with an empty seat. @param {App} app @param {number} seat */
function offer(app, seat) {
  const key = { 'data-key': `seat-${seat}` };
  if (app.table.spectating) return button(t('seat.sit'), () => app.act({ sit: { seat } }), key);
  if (ownSeat(app)?.host && app.table.botsAllowed && app.table.phase === 'PHASE_WAITING') {
    return button(t('seat.addBot'), () => app.act({ addBot: { seat } }), key);
  }
  return null;
}
