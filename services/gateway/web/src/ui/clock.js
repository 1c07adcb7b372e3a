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

/** Seconds left until a deadline. @param {string|undefined} deadlineMs */
export function countdown(deadlineMs = '0') {
  return h(
    'time',
    { class: 'countdown', role: 'timer', 'data-deadline': String(deadlineMs) },
    secondsLeft(deadlineMs),
  );
}

/** @param {string|number} deadlineMs */
function secondsLeft(deadlineMs) {
  return String(Math.max(0, Math.ceil((Number(deadlineMs) - now()) / 1000)));
}

setInterval(() => {
  for (const element of document.querySelectorAll('.countdown')) {
    const deadline = /** @type {HTMLElement} */ (element).dataset.deadline ?? '0';
    const left = secondsLeft(deadline);
    if (element.textContent !== left) element.textContent = left;
    element.classList.toggle('urgent', Number(left) <= 5);
  }
}, 200);
