// @ts-check
/** Events of blackjack in words, and the check of a round's shuffle. */

import { card, cards } from '../../ui/cards.js';
import { h } from '../../ui/dom.js';
import { number, signed, t } from '../../ui/i18n.js';
import { nameWords } from '../../ui/names.js';

/** @typedef {(seat: number|undefined) => string} Who */
/** @typedef {import('../../ui/dom.js').Child[]} Line */

const DECK = 52;
const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];

/** @type {Record<string, (event: any, who: Who) => Line|null>} */
const TELL = {
  roundOpened: (event, who) => [
    t('bj.told.opened', { round: event.round ?? 0, name: who(event.banker) }),
  ],
  shuffled: (event) => [
    t(event.trayReshuffle ? 'bj.told.tray' : 'bj.told.shuffled', { cards: event.count ?? 0 }),
  ],
  betPlaced: (event, who) => [
    t('bj.told.bet', { name: who(event.seat), amount: number(event.amount) }),
  ],
  satOut: (seat, who) => [t('bj.told.satOut', { name: who(seat) })],
  seatLeft: (seat, who) => [t('bj.told.left', { name: who(seat) })],
  dealt: (event, who) => [
    ...(event.hands ?? []).flatMap((/** @type {any} */ hand) => [
      ` ${who(hand.seat)}: `,
      ...(hand.cards?.length ? hand.cards : [null, null]).map(card),
    ]),
    ` ${t('bj.banker')}: `,
    card(event.up),
    card(event.hole ?? null),
  ],
  insuranceOffered: () => [t('bj.told.insuranceOffered')],
  insuranceTaken: (event, who) => [
    t('bj.told.insured', { name: who(event.seat), amount: number(event.amount) }),
  ],
  evenMoneyTaken: (seat, who) => [t('bj.told.evenMoney', { name: who(seat) })],
  insuranceDeclined: (seat, who) => [t('bj.told.declined', { name: who(seat) })],
  bankerPeeked: (event) => [t(event.natural ? 'bj.told.peekedNatural' : 'bj.told.peeked')],
  turnStarted: (event, who) => [t('bj.told.turn', { name: who(event.seat) })],
  hit: (event, who) => [t('bj.told.hit', { name: who(event.seat) }), card(event.card ?? null)],
  stood: (event, who) => [t('bj.told.stood', { name: who(event.seat) })],
  doubled: (event, who) => [
    t('bj.told.doubled', { name: who(event.seat), amount: number(event.stake) }),
    card(event.card ?? null),
  ],
  split: (event, who) => [
    t('bj.told.split', { name: who(event.seat) }),
    ...(event.cards ?? []).map(card),
  ],
  surrendered: (event, who) => [t('bj.told.surrendered', { name: who(event.seat) })],
  holeRevealed: (name) => [t('bj.told.hole'), card(name)],
  bankerDrew: (name) => [t('bj.told.bankerDrew'), card(name)],
  settled: ({ settlement }, who) => [
    t('bj.told.settled'),
    ' ',
    [...(settlement?.seats ?? []), settlement?.banker ?? {}]
      .map((/** @type {any} */ one) => `${who(one.seat)} ${signed(one.delta)}`)
      .join(' · '),
  ],
  voided: () => [t('bj.told.voided')],
};

/** What a table's event says, or null when it says nothing. @param {any} event @param {Who} who */
export function describe(event, who) {
  const [kind, detail] = Object.entries(event.play?.blackjack ?? {})[0] ?? [];
  return TELL[kind ?? '']?.(detail, who) ?? null;
}

/** @typedef {{name: string, hands: {cards: string[], note: string}[]}} Place */

/** How events change the table of a replay: the banker's cards and every seat's hands.
 * @type {Record<string, (places: Place[], event: any, banker: {seat: number}) => void>} */
const APPLY = {
  roundOpened: (_, event, banker) => {
    banker.seat = event.banker ?? 0;
  },
  dealt: (places, event, banker) => {
    for (const hand of event.hands ?? []) {
      places[hand.seat ?? 0].hands = [{ cards: [...(hand.cards ?? [])], note: '' }];
    }
    places[banker.seat].hands = [{ cards: [event.up, event.hole].filter(Boolean), note: '' }];
  },
  hit: (places, { seat, hand, card: name }) => places[seat ?? 0].hands[hand ?? 0].cards.push(name),
  doubled: (places, { seat, hand, card: name }) => (
    places[seat ?? 0].hands[hand ?? 0].cards.push(name)),
  split: (places, { seat, hand, cards: fresh }) => {
    const { hands } = places[seat ?? 0];
    const [first, second] = hands[hand ?? 0].cards;
    hands.splice(hand ?? 0, 1, { cards: [first, fresh[0]], note: '' },
      { cards: [second, fresh[1]], note: '' });
  },
  surrendered: (places, { seat, hand }) => {
    places[seat ?? 0].hands[hand ?? 0].note = t('bj.status.surrendered');
  },
  bankerDrew: (places, name, banker) => places[banker.seat].hands[0].cards.push(name),
  settled: (places, { settlement }, banker) => {
    for (const seat of settlement?.seats ?? []) note(places[seat.seat ?? 0], seat.delta);
    note(places[banker.seat], settlement?.banker?.delta);
  },
};

/** @param {Place} place @param {string|undefined} delta */
function note({ hands }, delta) {
  if (hands.length) hands[hands.length - 1].note = signed(delta);
}

/**
 * Everybody's cards, open, after some steps.
 * @param {import('../../client/protocol').HandReplay} hand @param {number} steps
 */
export function drawReplay(hand, steps) {
  /** @type {Place[]} */
  const places = [];
  for (const seat of hand.summary?.seats ?? []) {
    places[seat.seat ?? 0] = { name: nameWords(seat.name ?? ''), hands: [] };
  }
  const banker = { seat: 0 };
  const told = (hand.steps ?? []).slice(0, steps).flatMap(({ events = [] }) => events);
  for (const event of told) {
    const [kind, detail] = Object.entries(event.play?.blackjack ?? {})[0] ?? [];
    APPLY[kind ?? '']?.(places, detail, banker);
  }
  return h('ul', { class: 'bj-replay players' }, ...places.map(({ name, hands }, seat) => (
    h('li', { class: 'player', 'data-key': `replay-seat-${seat}` },
      h('h3', {}, seat === banker.seat ? t('bj.bankerOf', { name }) : name),
      ...hands.map((one) => h('div', { class: 'bj-hand' }, cards(one.cards),
        one.note ? h('span', { class: 'status' }, one.note) : null))))));
}

/** The shoe before the shuffle. @param {number} decks */
function newShoe(decks) {
  const deck = [...'SHDC'].flatMap((suit) => RANKS.map((rank) => `${rank}${suit}`));
  return Array.from({ length: decks }, () => deck).flat();
}

/** The cards of the deal in the order in which they leave the shoe. @param {any} dealt */
function dealOrder(dealt) {
  const hands = dealt.hands ?? [];
  const round = (/** @type {number} */ place) =>
    hands.map((/** @type {any} */ hand) => hand.cards?.[place]);
  return [...round(0), dealt.up, ...round(1), dealt.hole];
}

/**
 * Shuffles the shoe again and deals from it. A round that goes on with an older shoe cannot be
 * checked alone.
 * @param {any} hand
 * @param {import('../../fair/verify.js').Stream} stream
 */
export function checkDeal(hand, stream) {
  const events = (hand.steps ?? [])
    .flatMap((/** @type {any} */ step) => step.events ?? [])
    .map((/** @type {any} */ event) => event.play?.blackjack)
    .filter(Boolean);
  const shuffled = events.find((/** @type {any} */ event) => event.shuffled)?.shuffled;
  if (!shuffled?.stock?.length || shuffled.trayReshuffle) return null;
  const shoe = stream.shuffle(newShoe(shuffled.stock.length / DECK));
  if (shoe.join() !== shuffled.stock.join()) return false;
  const dealt = events.find((/** @type {any} */ event) => event.dealt)?.dealt;
  return !dealt || dealOrder(dealt).every((name, index) => name === shoe[index]);
}
