// @ts-check
/** Playing cards, drawn with text and CSS. */

import { h } from './dom.js';
import { t } from './i18n.js';

const SUITS = /** @type {Record<string, [string, string]>} */ ({
  S: ['♠', 'spades'],
  H: ['♥', 'hearts'],
  C: ['♣', 'clubs'],
  D: ['♦', 'diamonds'],
});

/**
 * A card such as "10H"; without a name it lies face down.
 * @param {string|null} name
 */
export function card(name) {
  if (!name) return h('span', { class: 'card back', role: 'img', 'aria-label': t('card.hidden') });
  const rank = name.slice(0, -1);
  const [sign, suit] = SUITS[name.slice(-1)] ?? ['?', 'unknown'];
  return h(
    'span',
    {
      class: `card ${suit}`,
      role: 'img',
      'aria-label': t('card.name', { rank, suit: t(`card.${suit}`) }),
    },
    h('span', { class: 'rank', 'aria-hidden': 'true' }, rank),
    h('span', { class: 'suit', 'aria-hidden': 'true' }, sign),
  );
}

/** Cards beside each other. @param {string[]} names @param {number} [faceDown] */
export function cards(names, faceDown = 0) {
  const hidden = Array.from({ length: faceDown }, () => card(null));
  return h('span', { class: 'cards' }, ...names.map(card), ...hidden);
}
