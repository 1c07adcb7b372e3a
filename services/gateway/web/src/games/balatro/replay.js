// @ts-check
/** A finished run: its first shuffle checked. */

/**
 * @typedef {import('../../client/protocol').HandReplay} HandReplay
 * @typedef {import('../../client/protocol').BalatroEvent} BalatroEvent
 * @typedef {import('../../fair/verify.js').Stream} Stream
 */

const RANKS = ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K', 'A'];
const SUITS = [...'SHCD'];
const FACES = 'JQK';

/** The decks before the shuffle, but for the random one. @type {string[][]} */
const DECKS = [
  SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)),
  SUITS.flatMap((suit) => RANKS.filter((rank) => !FACES.includes(rank)).map((rank) => rank + suit)),
  SUITS.flatMap((suit) => RANKS.map((rank) => rank + ('HD'.includes(suit) ? 'H' : 'S'))),
];

/** @param {HandReplay} hand @returns {BalatroEvent[]} */
function eventsOf(hand) {
  return (hand.steps ?? [])
    .flatMap(({ events = [] }) => events)
    .flatMap(({ play }) => (play?.balatro ? [play.balatro] : []));
}

/** Whether an event changes what the deck consists of. @param {BalatroEvent} event */
function changesDeck(event) {
  return Boolean(event.cardsAdded ?? event.cardsDestroyed ?? event.cardsChanged);
}

/**
 * Shuffles the deck of the run for the first time again. Cards are numbered in the order in which
 * they will be drawn, so that every card that comes from this shuffle can be compared.
 * @param {HandReplay} hand
 * @param {Stream} _
 * @param {(label: string) => Promise<Stream>} labelled
 * @returns {Promise<boolean|null>} null where the deck is not known
 */
export async function checkDeal(hand, _, labelled) {
  const events = eventsOf(hand);
  const started = events.find(({ runStarted }) => runStarted)?.runStarted;
  const first = events.findIndex(({ shuffled }) => shuffled);
  if (!started || first < 0 || events.slice(0, first).some(changesDeck)) return null;
  const cards = (started.cards ?? []).map(({ card }) => card).sort().join();
  const deck = DECKS.find((one) => [...one].sort().join() === cards);
  if (!deck) return null;
  const drawn = (await labelled('shuffle/0')).shuffle([...deck]).reverse();
  const next = events.findIndex(({ shuffled }, place) => shuffled && place > first);
  return events.slice(first, next < 0 ? undefined : next)
    .flatMap((event) => event.drawn?.cards ?? [])
    .every(({ id = 0, card }) => !card || drawn[id] === undefined || drawn[id] === card);
}
