// @ts-check
/**
 * Mahjong tiles, drawn as SVG: a digit and the mark of the suit. No font needs to have them.
 */

import { h } from './dom.js';
import { t } from './i18n.js';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Marks in a box of 30 by 17, as shapes.
 * @type {Record<string, [string, Record<string, string>][]>}
 */
const MARKS = {
  m: [
    [
      'path',
      {
        d: 'M7 2H23M13.500 2C13.500 9 11.500 13 7 16M12.800 7H20C20 12.500 19 16.500 15.500 14.800',
        class: 'line',
      },
    ],
  ],
  p: [
    ['circle', { cx: '15', cy: '8.5', r: '6.8', class: 'line' }],
    ['circle', { cx: '15', cy: '8.5', r: '2.6', class: 'fill' }],
  ],
  s: [
    ['path', { d: 'M8.500 2V15M15 2V15M21.500 2V15', class: 'line thick' }],
    ['path', { d: 'M6 8.500H24', class: 'joint' }],
  ],
};

/** @param {string} name @param {Record<string, string>} attributes @param {string} [text] */
function shape(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

/** What a tile such as "5m" is called. @param {string} name */
export function tileName(name) {
  return t('mj.tile', { rank: t(`mj.rank.${name[0]}`), suit: t(`mj.suit.${name[1]}`) });
}

/**
 * A tile such as "5m"; without a name it shows its back.
 * @param {string|null|undefined} name
 * @param {string} [kind] further classes
 */
export function tile(name, kind = '') {
  if (!name)
    return h('span', { class: `tile back ${kind}`, role: 'img', 'aria-label': t('mj.hidden') });
  const [rank, suit] = name;
  const face = shape('svg', { viewBox: '0 0 30 42', 'aria-hidden': 'true', focusable: 'false' });
  face.append(shape('text', { x: '15', y: '20', 'text-anchor': 'middle' }, rank));
  const mark = shape('g', { transform: 'translate(0 23)' });
  mark.append(...(MARKS[suit] ?? []).map(([kindOf, attributes]) => shape(kindOf, attributes)));
  face.append(mark);
  return h(
    'span',
    { class: `tile suit-${suit} ${kind}`, role: 'img', 'aria-label': tileName(name) },
    face,
  );
}

/** Tiles beside each other. @param {string[]} names @param {string} [kind] */
export function tiles(names, kind = '') {
  return h('span', { class: `tiles ${kind}` }, ...names.map((name) => tile(name)));
}
