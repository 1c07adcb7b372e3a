// @ts-check
/** What everybody sees: the other seats with their discards, and the middle of the table. */

import { seatCard } from '../../screens/seat.js';
import { h } from '../../ui/dom.js';
import { number, signed, t } from '../../ui/i18n.js';
import { tile, tiles } from '../../ui/tiles.js';
import { describe } from './describe.js';
import { scoreWords, suitLetter, suitName, viewOf, whoAt, word } from './names.js';

/** @typedef {import('../../app.js').App} App */

/** Things that are told in the middle, newest first. */
const NEWS = 3;

/** @param {any} seat */
export function meldsOf(seat) {
  const melds = seat.melds ?? [];
  if (!melds.length) return null;
  return h(
    'div',
    { class: 'melds' },
    ...melds.map((/** @type {any} */ meld) => {
      const kind = word(meld.kind, 'MAHJONG_MELD_KIND');
      const shown =
        kind === 'pung'
          ? [meld.tile, meld.tile, meld.tile]
          : kind === 'concealed_kong'
            ? [null, meld.tile, meld.tile, null]
            : [meld.tile, meld.tile, meld.tile, meld.tile];
      return h(
        'span',
        { class: 'meld', title: t(`mj.meld.${kind}`) },
        ...shown.map((name) => tile(name, 'small')),
      );
    }),
  );
}

/** Dealer, void suit, gain. @param {any} view @param {any} seat */
function badges(view, seat) {
  const place = seat.seat ?? 0;
  const choosing = ['MAHJONG_STAGE_VOID', 'MAHJONG_STAGE_EXCHANGE'].includes(view.stage);
  const net = Number(seat.net ?? 0);
  return h(
    'div',
    { class: 'badges' },
    view.dealer === place ? h('span', { class: 'badge dealer' }, t('mj.dealer')) : null,
    seat.void
      ? h(
          'span',
          { class: `badge suit-${suitLetter(seat.void)}` },
          t('mj.voidIs', { suit: suitName(seat.void) }),
        )
      : null,
    choosing
      ? h('span', { class: 'badge' }, t(seat.hasChosen ? 'mj.hasChosen' : 'mj.choosing'))
      : null,
    seat.win
      ? h('span', { class: 'badge won' }, t('mj.place', { place: seat.win.place ?? 1 }))
      : null,
    net ? h('strong', { class: net < 0 ? 'loss' : 'gain' }, signed(net)) : null,
  );
}

/** @param {any} view @param {any} seat */
function discards(view, seat) {
  const place = seat.seat ?? 0;
  const names = seat.discards ?? [];
  const offered =
    view.offered && (view.offered.seat ?? 0) === place && view.stage === 'MAHJONG_STAGE_DISCARD';
  return h(
    'div',
    { class: 'discards', 'aria-label': t('mj.discards') },
    ...names.map((/** @type {string} */ name, /** @type {number} */ index) =>
      tile(name, offered && index === names.length - 1 ? 'small fresh' : 'small'),
    ),
  );
}

/** A seat of somebody else. @param {App} app @param {any} view @param {any} seat */
function opponent(app, view, seat) {
  const place = seat.seat ?? 0;
  const over = view.stage === 'MAHJONG_STAGE_OVER';
  const turn = view.turn === place && view.stage === 'MAHJONG_STAGE_TURN' ? 'turn' : '';
  return h(
    'section',
    {
      class: `mj-seat ${turn} ${seat.win ? 'won' : ''}`,
      'aria-label': app.table.seats[place]?.name,
    },
    h('ul', { class: 'seat-place' }, seatCard(app, app.table.seats[place])),
    badges(view, seat),
    over && seat.tiles?.length
      ? h('div', { class: 'discards' }, tiles(seat.tiles, 'mini'))
      : h('p', { class: 'held' }, t('mj.held', { count: seat.concealed ?? 0 })),
    seat.win
      ? h(
          'p',
          { class: 'win' },
          tile(seat.win.tile, 'small'),
          ' ',
          scoreWords(seat.win.score, seat.win.fan),
        )
      : null,
    meldsOf(seat),
    discards(view, seat),
  );
}

/** The others from the left round to the right, as they sit. @param {App} app @param {any} view */
export function opponents(app, view) {
  const seats = view.seats ?? [];
  const own = app.table.ownSeat;
  const from = own ?? 0;
  const around = seats.map(
    (/** @type {any} */ _, /** @type {number} */ step) => seats[(from + step) % seats.length],
  );
  const others = own === undefined ? around : around.slice(1);
  return h(
    'div',
    { class: `mj-others of-${others.length}` },
    ...others.reverse().map((/** @type {any} */ seat) => opponent(app, view, seat)),
  );
}

/** Wall, turn, what happened last. @param {App} app @param {any} view */
export function centre(app, view) {
  const who = whoAt(app);
  const stage = word(view.stage, 'MAHJONG_STAGE');
  const told = app.events
    .filter((event) => event.play?.mahjong)
    .reverse()
    .map((event) => describe(event, who))
    .filter(Boolean)
    .slice(0, NEWS);
  return h(
    'section',
    { class: 'mj-centre', 'aria-label': t('mj.middle') },
    h(
      'div',
      { class: 'facts' },
      h('span', {}, t('mj.hand', { hand: view.hand ?? 0, hands: view.options?.rounds ?? 0 })),
      h('span', { class: 'wall' }, t('mj.wall', { tiles: view.wallLeft ?? 0 })),
      h(
        'span',
        {},
        t('mj.base', { base: number(view.options?.base), fan: view.options?.maxFan ?? 0 }),
      ),
    ),
    h(
      'p',
      { class: 'stage', role: 'status' },
      stage === 'turn'
        ? t(view.turn === app.table.ownSeat ? 'mj.yourTurn' : 'mj.turnOf', { name: who(view.turn) })
        : t(`mj.stage.${stage}`),
    ),
    view.offered
      ? h('p', { class: 'offered' }, who(view.offered.seat), ' ', tile(view.offered.tile))
      : null,
    h('ol', { class: 'news' }, ...told.map((line) => h('li', {}, .../** @type {any[]} */ (line)))),
  );
}

/** The player's own discards and marks. @param {App} app @param {any} view */
export function ownTable(app, view) {
  const seat = (view.seats ?? [])[app.table.ownSeat ?? -1];
  if (!seat) return null;
  return h(
    'section',
    { class: 'mj-seat mine', 'aria-label': t('you') },
    h('ul', { class: 'seat-place' }, seatCard(app, app.table.seats[app.table.ownSeat])),
    badges(view, seat),
    seat.win
      ? h(
          'p',
          { class: 'win' },
          tile(seat.win.tile, 'small'),
          ' ',
          scoreWords(seat.win.score, seat.win.fan),
        )
      : null,
    discards(view, seat),
  );
}

/** @param {App} app */
export function board(app) {
  const view = viewOf(app);
  return h(
    'div',
    { class: 'mj' },
    opponents(app, view),
    h('div', { class: 'mj-low' }, centre(app, view), ownTable(app, view)),
  );
}
