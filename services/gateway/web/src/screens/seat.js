// @ts-check
import { countdown } from '../ui/clock.js';
import { button, h } from '../ui/dom.js';
import { bubble } from '../ui/emotes.js';
import { number, t } from '../ui/i18n.js';
import { nameWords, shortName } from '../ui/names.js';

/**
 * @typedef {import('../app.js').App} App
 * @typedef {import('../client/protocol').SeatView} SeatView
 * @typedef {import('../shown-table.js').ShownTable} ShownTable
 */

/**
 * The player's own seat; none for a spectator.
 * @param {App} app @returns {SeatView|undefined}
 */
export function ownSeat(app) {
  return app.shown.seats[app.shown.ownSeat ?? -1];
}

/**
 * What there is to know of a seat besides the game.
 * @param {ShownTable} table @param {SeatView} seat @returns {string[]}
 */
export function seatMarks(table, seat) {
  const isBot = seat.occupant === 'OCCUPANT_BOT';
  const isAway = seat.occupant === 'OCCUPANT_PLAYER' && !seat.connected;
  return [
    isBot ? t('seat.isBot') : '',
    seat.host && table.roomCode ? t('seat.host') : '',
    seat.occupant === 'OCCUPANT_RESERVED' ? t('seat.reserved') : '',
    seat.leaving ? t('seat.leaving') : '',
    seat.autoPlay ? t('seat.autoPlay') : '',
    seat.sittingOut ? t('seat.sittingOut') : '',
    isAway ? t('seat.away') : '',
    // A bot is always ready.
    table.phase === 'PHASE_WAITING' && seat.ready && !isBot ? t('seat.ready') : '',
  ].filter(Boolean);
}

/** Who has a seat, with how much, and what there is to know. @param {App} app
 * @param {SeatView} seat */
export function seatCard(app, seat) {
  const table = app.shown;
  const place = seat.seat ?? 0;
  const clock = (table.clocks ?? []).find((one) => (one.seat ?? 0) === place);
  const marks = seatMarks(table, seat);
  const mine = place === table.ownSeat;
  const empty = seat.occupant === 'OCCUPANT_EMPTY' || !seat.occupant;
  return h(
    'li',
    { class: `seat ${mine ? 'mine' : ''} ${empty ? 'empty' : ''} ${clock ? 'turn' : ''}`,
      'data-key': `seat-card-${place}` },
    h('span', { class: 'name', title: nameWords(seat.name ?? '') || null },
      empty ? t('seat.empty') : mine ? t('you') : shortName(seat)),
    empty ? offer(app, place) : h('span', { class: 'stack' }, number(seat.stack)),
    clock ? countdown(clock) : null,
    bubble(app.talk.bubbles.get(place), place),
    marks.length ? h('span', { class: 'marks' }, marks.join(' · ')) : null,
    removal(app, seat),
  );
}

/** What can be done with an empty seat. @param {App} app @param {number} seat */
function offer(app, seat) {
  const properties = (/** @type {string} */ label) => ({
    'data-key': `seat-${seat}`,
    'aria-label': `${t(label)}: ${t('seat.number', { seat: seat + 1 })}`,
  });
  const { phase, spectating, botsAllowed } = app.shown;
  if (spectating) {
    return button(t('seat.sit'), () => app.act({ sit: { seat } }), properties('seat.sit'));
  }
  if (ownSeat(app)?.host && botsAllowed && phase === 'PHASE_WAITING') {
    return button(t('seat.addBot'), () => app.act({ addBot: { seat } }), properties('seat.addBot'));
  }
  return null;
}

/** The host of a room may send bots and, between hands, people away. @param {App} app
 * @param {SeatView} seat */
function removal(app, seat) {
  const { phase, roomCode, ownSeat: own } = app.shown;
  const place = seat.seat ?? 0;
  const taken = seat.occupant === 'OCCUPANT_BOT' || seat.occupant === 'OCCUPANT_PLAYER';
  if (!roomCode || !ownSeat(app)?.host || !taken || place === own || phase !== 'PHASE_WAITING') {
    return null;
  }
  const words = t('seat.kick', { name: nameWords(seat.name ?? '') });
  return button('✕', () => app.act({ kick: { seat: place } }), {
    class: 'quiet remove', 'data-key': `kick-${place}`,
    'aria-label': words, title: words,
  });
}
