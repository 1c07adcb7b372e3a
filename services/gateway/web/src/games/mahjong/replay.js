// @ts-check
/** A finished hand: the shuffle checked, and every seat's tiles at each step. */

import { h } from '../../ui/dom.js';
import { t } from '../../ui/i18n.js';
import { nameWords } from '../../ui/names.js';
import { tile, tiles } from '../../ui/tiles.js';
import { meldsOf } from './board.js';

/**
 * @typedef {import('../../client/protocol').HandReplay} HandReplay
 */

/** Copies of each tile. */
const COPIES = 4;
/** Tiles that each seat is dealt; the dealer has one more. */
const DEALT = 13;

/** The events of the game in a hand, in order. @param {HandReplay} hand @returns {any[]} */
function eventsOf(hand) {
  return (hand.steps ?? [])
    .flatMap((/** @type {any} */ step) => step.events ?? [])
    .map((/** @type {any} */ event) => event.play?.mahjong)
    .filter(Boolean);
}

/** The wall before the shuffle. @param {number} size */
function sortedWall(size) {
  const suits = size === 108 ? 'mps' : 'ps';
  return [...suits].flatMap((suit) =>
    [...'123456789'].flatMap((rank) => Array.from({ length: COPIES }, () => `${rank}${suit}`)),
  );
}

/**
 * Shuffles the wall again, and follows every draw of the hand along it.
 * @param {HandReplay} hand
 * @param {import('../../fair/verify.js').Stream} stream
 */
export function checkDeal(hand, stream) {
  const events = eventsOf(hand);
  const dealt = events.find((event) => event.dealt)?.dealt;
  if (!dealt?.wall?.length) return null;
  const wall = stream.shuffle(sortedWall(dealt.wall.length));
  if (wall.join() !== dealt.wall.join()) return false;
  const draws = events.flatMap(({ drew }) => (drew?.tile ? [drew] : []));
  const first = DEALT * (hand.summary?.seats ?? []).length + 1;
  return draws.every((drew, index) => drew.tile === wall[first + index]);
}

/** @typedef {{tiles: string[], melds: any[], discards: string[], won: string|null}} Place */

/** @param {string[]} from @param {string} name @param {number} [count] */
function take(from, name, count = 1) {
  for (let one = 0; one < count; one += 1) {
    const place = from.lastIndexOf(name);
    if (place >= 0) from.splice(place, 1);
  }
}

/** How events change the seats. @type {Record<string, (seats: Place[], event: any) => void>} */
const APPLY = {
  exchanged: (seats, { gifts }) => {
    for (const gift of gifts ?? []) {
      for (const name of gift.tiles ?? []) {
        take(seats[gift.from ?? 0].tiles, name);
        seats[gift.to ?? 0].tiles.push(name);
      }
    }
  },
  drew: (seats, { seat, tile: name }) => {
    if (name) seats[seat ?? 0].tiles.push(name);
  },
  discarded: (seats, { seat, tile: name }) => {
    take(seats[seat ?? 0].tiles, name);
    seats[seat ?? 0].discards.push(name);
  },
  pungMade: (seats, { seat, tile: name, from }) => {
    seats[from ?? 0].discards.pop();
    take(seats[seat ?? 0].tiles, name, 2);
    seats[seat ?? 0].melds.push({ kind: 'MAHJONG_MELD_KIND_PUNG', tile: name });
  },
  kongMade: (seats, { seat, tile: name, kind, from }) => {
    const own = seats[seat ?? 0];
    if (kind === 'MAHJONG_MELD_KIND_DIRECT_KONG') seats[from ?? 0].discards.pop();
    take(own.tiles, name, COPIES);
    own.melds = [...own.melds.filter((meld) => meld.tile !== name), { kind, tile: name }];
  },
  kongRobbed: (seats, { seat, tile: name }) => {
    take(seats[seat ?? 0].tiles, name);
    seats[seat ?? 0].discards.push(name);
  },
  won: (seats, { seat, tile: name, from }) => {
    if (from === undefined) take(seats[seat ?? 0].tiles, name);
    seats[seat ?? 0].won = name;
  },
};

/** The seats after some steps. @param {HandReplay} hand @param {number} steps @returns {Place[]} */
function seatsAfter(hand, steps) {
  const events = eventsOf({ steps: (hand.steps ?? []).slice(0, steps) });
  const dealt = events.find((event) => event.dealt)?.dealt;
  const count = (hand.summary?.seats ?? []).length;
  if (!dealt?.wall?.length) return [];
  const seats = (hand.summary?.seats ?? []).map((_, seat) => {
    const turn = (seat - (dealt.dealer ?? 0) + count) % count;
    const own = dealt.wall.slice(turn * DEALT, (turn + 1) * DEALT);
    return {
      tiles: turn ? own : [...own, dealt.wall[count * DEALT]],
      melds: [],
      discards: [],
      won: null,
    };
  });
  for (const event of events) {
    const [kind, detail] = Object.entries(event)[0];
    APPLY[kind]?.(seats, detail);
  }
  return seats;
}

/** @param {string[]} names */
function sorted(names) {
  return [...names].sort((a, b) => `${a[1]}${a[0]}`.localeCompare(`${b[1]}${b[0]}`));
}

/** All seats, open, after some steps. @param {HandReplay} hand @param {number} steps */
export function drawReplay(hand, steps) {
  return h(
    'ul',
    { class: 'mj-replay' },
    ...seatsAfter(hand, steps).map((seat, place) =>
      h(
        'li',
        { class: 'mj-seat' },
        h('b', {}, nameWords(hand.summary?.seats?.[place]?.name ?? '')
          || t('seat.number', { seat: place + 1 })),
        h(
          'div',
          { class: 'shown' },
          tiles(sorted(seat.tiles), 'mini'),
          seat.won ? tile(seat.won, 'small fresh') : null,
          meldsOf(seat),
        ),
        h('div', { class: 'discards' }, ...seat.discards.map((name) => tile(name, 'small'))),
      ),
    ),
  );
}
