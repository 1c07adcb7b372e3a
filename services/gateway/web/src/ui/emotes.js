// @ts-check
/** Pictures that people show each other, drawn as SVG: no font needs to have them. */

import { h } from './dom.js';
import { t } from './i18n.js';

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {[string, Record<string, string>]} Shape */

/** @param {string} d @param {string} [look] @returns {Shape} */
const path = (d, look = 'line') => ['path', { d, class: look }];
/** @param {number} cx @param {number} cy @param {number} r @param {string} [look]
 * @returns {Shape} */
const dot = (cx, cy, r, look = 'ink') => (
  ['circle', { cx: String(cx), cy: String(cy), r: String(r), class: look }]);
const FACE = dot(16, 16, 14, 'skin');
const EYES = [dot(11, 13, 2), dot(21, 13, 2)];

/** By their number, in a box of 32 by 32. @type {Record<number, Shape[]>} */
const PICTURES = {
  1: [FACE, ...EYES, path('M9.500 19.500Q16 26 22.500 19.500')],
  2: [FACE, path('M8 13.500L11 11L14 13.500M18 13.500L21 11L24 13.500'),
    path('M8.500 18H23.500Q22.500 26.500 16 26.500T8.500 18Z', 'ink'),
    path('M12 25Q16 22 20 25Q18 26.500 16 26.500T12 25Z', 'tongue')],
  3: [FACE, dot(11, 12, 2.6), dot(21, 12, 2.6), dot(16, 22, 3.6)],
  4: [FACE, ...EYES, path('M10 24Q16 18 22 24'),
    path('M22 16.500Q25 20.500 22 22Q19 20.500 22 16.500Z', 'tear')],
  5: [FACE, dot(11, 14.5, 2), dot(21, 14.5, 2),
    path('M7.500 9.500L13.500 12M24.500 9.500L18.500 12'), path('M11 23.500H21')],
  6: [FACE, path('M11 22.500Q17 25.500 21.500 21'),
    path('M6 11H26V13Q25 17.500 21 17.500Q17 17.500 16.800 13H15.200Q15 17.500 11 17.500'
      + 'Q7 17.500 6 13Z', 'ink')],
  7: [path('M16 28C5 20 3 14.500 4.500 10C6.500 4.500 13 4.500 16 10'
    + 'C19 4.500 25.500 4.500 27.500 10C29 14.500 27 20 16 28Z', 'heart')],
  8: [path('M11 14L15.500 4Q19.500 4.500 19 9L18.300 12H26Q28.500 12.500 28 15.500L26 24'
    + 'Q25.300 27 22.500 27H11Z', 'skin'), path('M4 13.500H11V27.500H4Z', 'cuff')],
};

/** Numbers of the pictures that this page has. */
export const EMOTES = Object.keys(PICTURES).map(Number);
/** Numbers of the sentences that this page has. */
export const SENTENCES = [1, 2, 3, 4, 5, 6, 7, 8];

/** What a picture or a sentence is in words. @param {import('../talk.js').Utterance} what */
export function utteranceWords({ emote, sentence }) {
  // Another client may have more of them.
  if (emote) return t(PICTURES[emote] ? `emote.${emote}` : 'emote.other');
  return t(SENTENCES.includes(sentence ?? 0) ? `sentence.${sentence}` : 'emote.other');
}

/** @param {number} number */
export function emote(number) {
  const face = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: '0 0 32 32', 'aria-hidden': 'true', focusable: 'false',
    class: 'emote' };
  for (const [key, value] of Object.entries(attributes)) face.setAttribute(key, value);
  for (const [name, given] of PICTURES[number] ?? []) {
    const shape = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(given)) shape.setAttribute(key, value);
    face.append(shape);
  }
  return face;
}

/** What a seat says now. The table's log is what is read out.
 * @param {import('../talk.js').Utterance|undefined} said @param {number} seat */
export function bubble(said, seat) {
  if (!said) return null;
  const known = said.emote && PICTURES[said.emote];
  return h('span', { class: known ? 'bubble picture' : 'bubble', 'aria-hidden': 'true',
    'data-key': `bubble-${seat}` }, known ? emote(said.emote ?? 0) : utteranceWords(said));
}
