// @ts-check
/** What happens at a table, for screen readers: a log that only grows at its end. */

import { h } from './dom.js';
import { t } from './i18n.js';

/** Lines that are kept; older ones were read long ago. */
const KEPT = 12;

/** @typedef {import('./dom.js').Child} Child */

/** Numbers of events, so that a line is the same one in the next drawing. @type {WeakMap<object,
 * number>} */
const numbers = new WeakMap();
let count = 0;

/** @param {object} event */
function numberOf(event) {
  const known = numbers.get(event);
  if (known !== undefined) return known;
  count += 1;
  numbers.set(event, count);
  return count;
}

/** A line as it is read out: pictures by their names. @param {Child[]} line */
function words(line) {
  return line
    .map((part) => (part instanceof Element
      ? part.getAttribute('aria-label') ?? part.textContent : String(part ?? '').trim()))
    .filter(Boolean)
    .join(' ');
}

/**
 * @template {object} E
 * @param {E[]} events
 * @param {(event: E) => Child[]|null} describe
 */
export function spokenLog(events, describe) {
  const lines = events.flatMap((event) => {
    const line = describe(event);
    return line ? [h('p', { 'data-key': `said-${numberOf(event)}` }, words(line))] : [];
  });
  return h('div', { class: 'sr', role: 'log', 'aria-label': t('table.log') },
    ...lines.slice(-KEPT));
}
