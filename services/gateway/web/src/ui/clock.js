// @ts-check
/** Countdowns that run by themselves, on the server's clock. */

import { h } from './dom.js';

/** @type {() => number} */
let now = Date.now;

/**
 * Countdowns follow this clock, in milliseconds since the Unix epoch.
 * @param {() => number} clock
 */
export function follow(clock) {
  now = clock;
}

/**
 * Seconds left until a deadline. What comes from the seat's time bank at its end is marked.
 * @param {{deadlineMs?: string, timeBankMs?: number}} clock
 */
export function countdown({ deadlineMs = '0', timeBankMs = 0 }) {
  return h(
    'time',
    { class: 'countdown', role: 'timer', 'data-deadline': deadlineMs,
      'data-bank': String(timeBankMs) },
    secondsLeft(deadlineMs),
  );
}

/** @param {string|number} deadlineMs */
function secondsLeft(deadlineMs) {
  return String(Math.max(0, Math.ceil((Number(deadlineMs) - now()) / 1000)));
}

setInterval(() => {
  for (const element of document.querySelectorAll('.countdown')) {
    const { deadline = '0', bank = '0' } = /** @type {HTMLElement} */ (element).dataset;
    const left = secondsLeft(deadline);
    element.classList.toggle('banked', Number(left) * 1000 <= Number(bank));
    if (element.textContent !== left) element.textContent = left;
    element.classList.toggle('urgent', Number(left) <= 5);
  }
}, 200);
