// @ts-check
/** Short messages at the edge of the page, read out by screen readers. */

import { h } from './dom.js';
import { moment, t } from './i18n.js';

const SHOWN_MS = 4000;

/** The messages on the page, by their words.
 * @type {Map<string, {note: HTMLElement, timer: ReturnType<typeof setTimeout>}>} */
const shown = new Map();

/** Shows a message for a while; one that is shown already stays longer. @param {string} text */
export function toast(text) {
  const place = document.getElementById('toasts');
  if (!place) return;
  const same = shown.get(text);
  clearTimeout(same?.timer);
  const note = same?.note ?? h('p', { class: 'toast' }, text);
  if (!same) place.append(note);
  const timer = setTimeout(() => {
    note.remove();
    shown.delete(text);
  }, SHOWN_MS);
  shown.set(text, { note, timer });
}

/** Takes the messages away, as when the language changes in which they are. */
export function clearToasts() {
  for (const { note, timer } of shown.values()) {
    clearTimeout(timer);
    note.remove();
  }
  shown.clear();
}

/** A failure in the reader's words where they exist.
 * @param {import('../client/parlor-client.js').ParlorError} error @returns {string} */
export function errorWords({ reason, message, metadata }) {
  const { until_ms: untilMs, why } = metadata;
  const until = untilMs ? t('until', { time: moment(Number(untilMs)) }) : '';
  const key = `error.${reason}`;
  const words = t(key, { ...metadata, until, why: why ? t('why', { why }) : '' });
  return words === key ? message : words;
}

/** Shows a failure. @param {import('../client/parlor-client.js').ParlorError} error */
export function toastError(error) {
  toast(errorWords(error));
}
