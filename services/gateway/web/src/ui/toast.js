// @ts-check
/** Short messages at the edge of the page, read out by screen readers. */

import { h } from './dom.js';
import { moment, t } from './i18n.js';

const SHOWN_MS = 4000;

/** @param {string} text */
export function toast(text) {
  const place = document.getElementById('toasts');
  if (!place) return;
  const note = h('p', { class: 'toast' }, text);
  place.append(note);
  setTimeout(() => note.remove(), SHOWN_MS);
}

/** A failure in the reader's words where they exist.
 * @param {import('../client/parlor-client.js').ParlorError} error @returns {string} */
export function errorWords({ reason, message, metadata }) {
  const { until_ms: untilMs, why } = metadata;
  const until = untilMs ? t('until', { time: moment(Number(untilMs)) }) : '';
  const key = `error.${reason}`;
  const words = t(key, { ...metadata, until, why: why ? ` ${t('why', { why })}` : '' });
  return words === key ? message : words;
}

/** Shows a failure. @param {import('../client/parlor-client.js').ParlorError} error */
export function toastError(error) {
  toast(errorWords(error));
}
