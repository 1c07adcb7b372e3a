// @ts-check
/** Which hand type the selected cards form (rules: balatro 3.1). */

import { rankOf } from './state.js';

/**
 * @typedef {import('../../client/protocol').BalatroCard} Card
 * @typedef {import('../../client/protocol').BalatroJokerView} JokerView
 */

const RED = 'HD';

/**
 * The id of the hand type, empty when a face-down card hides it or nothing is selected.
 * @param {Card[]} cards
 * @param {JokerView[]} jokerViews
 */
export function classify(cards, jokerViews) {
  if (!cards.length || cards.some((card) => card.faceDown)) return '';
  const has = (/** @type {string} */ id) => jokerViews.some(
    (view) => view.joker?.joker === id && !view.debuffed);
  const ranked = cards.filter((card) => card.card);
  const needed = has('four_fingers') ? 4 : 5;
  const flush = isFlush(ranked, needed, has('smeared_joker'));
  const straight = isStraight(ranked, needed, has('shortcut') ? 2 : 1);
  /** @type {Map<number, number>} */
  const groups = new Map();
  for (const card of ranked) {
    const rank = rankOf(card.card ?? '');
    groups.set(rank, (groups.get(rank) ?? 0) + 1);
  }
  return strongest([...groups.values()].sort((a, b) => b - a), flush, straight);
}

/** @param {number[]} sizes @param {boolean} flush @param {boolean} straight */
function strongest([most = 0, second = 0], flush, straight) {
  const full = most === 3 && second === 2;
  if (most === 5 && flush) return 'flush_five';
  if (full && flush) return 'flush_house';
  if (most === 5) return 'five_of_a_kind';
  if (straight && flush) return 'straight_flush';
  if (most === 4) return 'four_of_a_kind';
  if (full) return 'full_house';
  if (flush) return 'flush';
  if (straight) return 'straight';
  if (most === 3) return 'three_of_a_kind';
  if (most === 2) return second === 2 ? 'two_pair' : 'pair';
  return 'high_card';
}

/** @param {Card[]} cards @param {number} needed @param {boolean} smeared */
function isFlush(cards, needed, smeared) {
  const passes = (/** @type {any} */ card, /** @type {string} */ suit) => {
    if (card.enhancement === 'wild' && !card.debuffed) return true;
    const own = (card.card ?? '').slice(-1);
    return own === suit || (smeared && RED.includes(own) === RED.includes(suit));
  };
  return [...'SHCD'].some((suit) => cards.filter((card) => passes(card, suit)).length >= needed);
}

/** @param {Card[]} cards @param {number} needed @param {number} gap */
function isStraight(cards, needed, gap) {
  const places = new Set(cards.map((card) => rankOf(card.card ?? '') + 2));
  if (places.has(14)) places.add(1);
  let [run, last] = [0, -9];
  for (const place of [...places].sort((a, b) => a - b)) {
    run = place - last <= gap ? run + 1 : 1;
    last = place;
    if (run >= needed) return true;
  }
  return false;
}
