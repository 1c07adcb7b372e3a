// @ts-check
/** Dollars, scores and gains as people read them. */

import { number, t } from '../../ui/i18n.js';
import { word } from './state.js';

/** Longest score that is written out. */
const LONGEST = 12;

/** A score or target, which may outgrow every integer. @param {string|number|undefined} value */
export function score(value) {
  const text = String(value ?? 0);
  if (text === 'inf') return '∞';
  if (/^\d+$/.test(text) && text.length <= LONGEST) return number(text);
  const big = Number(text);
  return Math.abs(big) < 1e12 ? number(big) : big.toExponential(3).replace('e+', 'e');
}

/** @param {string|number|undefined} value */
export function dollars(value) {
  const amount = Number(value ?? 0);
  return amount < 0 ? `−$${number(-amount)}` : `$${number(amount)}`;
}

/** What a step or a joker gives. @param {any} given */
export function gain(given) {
  const kind = word(given.gain, 'BALATRO_GAIN_');
  return t(`bal.gain.${kind}`, { value: amount(given.value), money: dollars(given.value) });
}

/** A value with its sign where it has none. @param {string|number|undefined} value */
function amount(value) {
  const plain = Number(value ?? 0);
  return plain >= 1e12 ? score(plain) : plain.toLocaleString('en-US', { maximumFractionDigits: 2 });
}
