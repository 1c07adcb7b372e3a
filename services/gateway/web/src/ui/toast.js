// @ts-check
/** Short messages at the edge of the page, read out by screen readers. */

import { h } from './dom.js';
import { t } from './i18n.js';

const SHOWN_MS = 4000;

/** @param {string} text */
export function toast(text) {
  const place = document.getElementById('toasts');
  if (!place) return;
  const note = h('p', { class: 'toast' }, text);
  place.append(note);
  setTimeout(() => note.remove(), SHOWN_MS);
}

/** Shows a failure in the reader's words where they exist. @param {any} error */
export function toastError(error) {
  const key = `error.${error.reason}`;
  const known = t(key, error.metadata);
  toast(known === key ? error.message : known);
}
