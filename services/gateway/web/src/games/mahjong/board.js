// @ts-check
/** The table as everybody sees it: the seats around, each with its discards, and the middle. */

import { seatMarks } from '../../screens/seat.js';
import { countdown } from '../../ui/clock.js';
import { h } from '../../ui/dom.js';
import { bubble } from '../../ui/emotes.js';
import { number, signed, t } from '../../ui/i18n.js';
import { shortName } from '../../ui/names.js';
import { tile } from '../../ui/tiles.js';
import { describe } from './describe.js';
import { nameAt, scoreWords, suitLetter, suitName, viewOf, word } from './names.js';

/**
 * @typedef {import('../../app.js').App} App
 * @typedef {import('../../client/protocol').MahjongView} View
 * @typedef {import('../../client/protocol').MahjongSeat} Seat
 * @typedef {import('../../client/protocol').MahjongMeld} Meld
 */

/** Things that are told in the middle, newest first. */
const NEWS = 3;
/** Where the seats are, in turn order from the own one, by their number. The next one to play sits
 * to the right. @type {Record<number, string[]>} */
const PLACES = { 3: ['own', 'right', 'left'], 4: ['own', 'right', 'top', 'left'] };

/** @param {{melds?: Meld[]}} seat */
export function meldsOf(seat) {
  const melds = seat.melds ?? [];
  if (!melds.length) return null;
  return h('div', { class: 'melds', role: 'group', 'aria-label': t('mj.melds') },
    ...melds.map((meld) => {
      const kind = word(meld.kind, 'MAHJONG_MELD_KIND');
      const { tile: name = '' } = meld;
      const shown = kind === 'pung' ? [name, name, name]
        : kind === 'concealed_kong' ? [null, name, name, null] : [name, name, name, name];
      return h('span', { class: 'meld', title: t(`mj.meld.${kind}`) },
        ...shown.map((one) => tile(one, 'small')));
    }));
}

/** Who sits there, in few letters: the plate says that a bot is one. @param {App} app
 * @param {number} seat */
function shortAt(app, seat) {
  if (seat === app.shown.ownSeat) return t('you');
  return shortName(app.shown.seats[seat] ?? {}) || nameAt(app, seat);
}

/** Who sits there, with the clock, the score and what is known of the hand.
 * @param {App} app @param {View} view @param {Seat} seat */
function plate(app, view, seat) {
  const place = seat.seat ?? 0;
  const table = app.shown;
  const sitter = table.seats[place] ?? {};
  const clock = (table.clocks ?? []).find((one) => (one.seat ?? 0) === place);
  const net = Number(seat.net ?? 0);
  return h('header', { class: 'plate' },
    h('b', { class: 'name', title: nameAt(app, place) },
      shortAt(app, place)),
    clock ? countdown(clock) : null,
    bubble(app.talk.bubbles.get(place), place),
    h('span', { class: 'stack' }, number(sitter.stack),
      net ? h('strong', { class: net < 0 ? 'loss' : 'gain' }, ` ${signed(net)}`) : null),
    badges(app, view, seat));
}

/** Dealer, void suit, wins. @param {App} app @param {View} view @param {Seat} seat */
function badges(app, view, seat) {
  const place = seat.seat ?? 0;
  const choosing = ['MAHJONG_STAGE_VOID', 'MAHJONG_STAGE_EXCHANGE'].includes(view.stage ?? '');
  const badge = (/** @type {string} */ words, look = '') => (
    h('span', { class: `badge ${look}` }, words));
  return h('div', { class: 'badges' },
    view.dealer === place ? badge(t('mj.dealer'), 'dealer') : null,
    seat.void ? badge(t('mj.voidIs', { suit: suitName(seat.void) }),
      `suit-${suitLetter(seat.void)}`) : null,
    choosing ? badge(t(seat.hasChosen ? 'mj.hasChosen' : 'mj.choosing')) : null,
    seat.win ? badge(t('mj.place', { place: seat.win.place ?? 1 }), 'won') : null,
    ...seatMarks(app.shown, app.shown.seats[place] ?? {}).map((mark) => badge(mark, 'mark')));
}

/** @param {View} view @param {Seat} seat */
function discards(view, seat) {
  const names = seat.discards ?? [];
  const offered = view.stage === 'MAHJONG_STAGE_DISCARD' && view.offered
    && (view.offered.seat ?? 0) === (seat.seat ?? 0);
  return h('div', { class: 'discards', role: 'group', 'aria-label': t('mj.discards') },
    ...names.map((name, index) => (
      tile(name, offered && index === names.length - 1 ? 'small fresh' : 'small'))));
}

/** @param {Seat} seat */
function win({ win: won }) {
  if (!won) return null;
  return h('p', { class: 'win' }, tile(won.tile, 'small'), ' ', scoreWords(won.score, won.fan));
}

/** A seat at its side of the table.
 * @param {App} app @param {View} view @param {Seat} seat @param {string} side */
function place(app, view, seat, side) {
  const number = seat.seat ?? 0;
  const mine = number === app.shown.ownSeat;
  const turn = view.turn === number && view.stage === 'MAHJONG_STAGE_TURN' ? 'turn' : '';
  const held = seat.concealed ?? 0;
  return h('section', {
    class: `mj-seat at-${side} ${turn} ${seat.win ? 'won' : ''}`,
    'data-key': `mj-seat-${number}`,
    'aria-label': mine ? t('you') : nameAt(app, number),
  },
  plate(app, view, seat),
  mine ? null : h('p', { class: 'held', role: 'img', 'aria-label': t('mj.held', { count: held }) },
    ...Array.from({ length: held }, () => h('i', {}))),
  win(seat), mine ? null : meldsOf(seat), discards(view, seat));
}

/** Wall, turn, what is offered. @param {App} app @param {View} view */
function centre(app, view) {
  const who = (/** @type {number|undefined} */ seat) => shortAt(app, seat ?? 0);
  const stage = word(view.stage, 'MAHJONG_STAGE');
  const told = app.events
    .map((event) => describe(event, who))
    .filter((line) => line !== null)
    .slice(-NEWS)
    .reverse();
  return h('section', { class: 'mj-centre', 'aria-label': t('mj.middle') },
    h('p', { class: 'wall' }, h('b', {}, view.wallLeft ?? 0), ' ', t('mj.wall')),
    h('p', { class: 'stage', role: 'status' },
      stage === 'turn'
        ? t(view.turn === app.shown.ownSeat ? 'mj.yourTurn' : 'mj.turnOf', { name: who(view.turn) })
        : t(`mj.stage.${stage}`)),
    view.offered
      ? h('p', { class: 'offered' }, tile(view.offered.tile), h('span', {}, who(view.offered.seat)))
      : null,
    // The table's log is what is read out.
    h('ol', { class: 'news', 'aria-hidden': 'true' },
      ...told.map((line) => h('li', {}, ...line))),
    h('p', { class: 'facts' },
      t('mj.hand', { hand: view.hand ?? 0, hands: view.options?.rounds ?? 0 }), ' · ',
      t('mj.base', { base: number(view.options?.base), fan: view.options?.maxFan ?? 0 })));
}

/** @param {App} app */
export function board(app) {
  const view = viewOf(app);
  const seats = view.seats ?? [];
  const from = app.shown.ownSeat ?? 0;
  const sides = PLACES[seats.length] ?? PLACES[4];
  const around = seats.map((_, step) => (
    place(app, view, seats[(from + step) % seats.length], sides[step])));
  // Read and reached in turn order, the own seat last: beside the hand.
  return h('div', { class: `mj of-${seats.length}` },
    centre(app, view), ...around.slice(1), around[0]);
}
