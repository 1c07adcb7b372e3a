// @ts-check
/**
 * Pictures of jokers and other things of the run, drawn as SVG. Each thing has its own colours and
 * its own face, which follow from its id: one knows it again before one has read its name.
 */

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {[string, Record<string, string>]} Shape */
/** @typedef {'joker'|'tarot'|'planet'|'spectral'|'pack'|'voucher'} Kind */

/** A number that follows from a text (FNV-1a). @param {string} text */
function hash(text) {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 0x01000193);
  return value >>> 0;
}

/** @param {string} d @param {string} fill @returns {Shape} */
const area = (d, fill) => ['path', { d, fill }];
/** @param {string} d @param {string} stroke @param {string} [width] @returns {Shape} */
const line = (d, stroke, width = '1.8') => ['path', { d, stroke, fill: 'none',
  'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }];
/** @param {number} cx @param {number} cy @param {number} r @param {string} fill
 * @returns {Shape} */
const disc = (cx, cy, r, fill) => (
  ['circle', { cx: String(cx), cy: String(cy), r: String(r), fill }]);
/** @param {number} hue @param {number} light */
const colour = (hue, light) => `hsl(${hue % 360} 70% ${light}%)`;

const INK = '#23170a';
/** Mouths and eyes of jokers, in a box of 40 by 40. @type {Shape[][]} */
const MOUTHS = [
  [line('M15 31Q20 35.500 25 31', INK)], [line('M15.500 32.500H24.500', INK)],
  [area('M15 30H25Q24 35.500 20 35.500T15 30Z', INK)],
  [line('M15 33.500Q20 29.500 25 33.500', INK)],
  [disc(20, 32.500, 2, INK)],
];
/** @type {Shape[][]} */
const EYES = [
  [disc(15.5, 25.5, 1.7, INK), disc(24.500, 25.5, 1.7, INK)],
  [line('M13.500 26Q15.500 23.500 17.500 26M22.500 26Q24.500 23.500 26.500 26', INK)],
  [line('M13.500 25.500H17.500M22.500 25.500H26.500', INK)],
  [area('M15.500 22.800L17.500 25.500L15.500 28.200L13.500 25.500Z', INK),
    disc(24.5, 25.5, 1.7, INK)],
];

/** A head under a cap with bells. @param {number} seed @returns {Shape[]} */
function joker(seed) {
  const [one, other] = [seed, seed + 120 + ((seed >>> 9) % 120)];
  return [
    area('M8 22Q2 10 5 5Q13 7 20 17Q15 16 8 22Z', colour(one, 55)),
    area('M32 22Q38 10 35 5Q27 7 20 17Q25 16 32 22Z', colour(other, 55)),
    area('M12 19Q16 5 20 3Q24 5 28 19Z', colour(one + 60, 66)),
    disc(5, 5, 2.4, '#ffe066'), disc(35, 5, 2.4, '#ffe066'), disc(20, 3.4, 2.4, '#ffe066'),
    disc(20, 27, 10.5, '#ffe3c2'), area('M9 22Q20 13 31 22L30 24.500Q20 17.500 10 24.500Z',
      colour(other, 42)),
    ...EYES[(seed >>> 5) % EYES.length], ...MOUTHS[(seed >>> 3) % MOUTHS.length],
  ];
}

/** Sun, moon or star over a hill. @param {number} seed @returns {Shape[]} */
function tarot(seed) {
  const light = colour(40 + (seed % 30), 68);
  /** @type {Shape[][]} */
  const signs = [
    [disc(20, 17, 7, light), line('M20 4V7M20 27V30M7 17H10M30 17H33M11 8L13 10M29 8L27 10M11 26'
      + 'L13 24M29 26L27 24', light)],
    [area('M25 6A12 12 0 1 0 31 24A10 10 0 1 1 25 6Z', light)],
    [area('M20 4L23.500 13.500L33 14L25.500 20L28 30L20 24.500L12 30L14.500 20L7 14L16.500 13.500Z',
      light)],
    [line('M6 18Q20 6 34 18Q20 30 6 18Z', light), disc(20, 18, 4.5, light), disc(20, 18, 2, INK)],
  ];
  return [...signs[(seed >>> 4) % signs.length],
    area('M2 40Q10 31 20 35T38 33V40Z', colour(seed, 40))];
}

/** A globe, some with a ring, some with moons. @param {number} seed @returns {Shape[]} */
function planet(seed) {
  const [body, band] = [colour(seed, 58), colour(seed + 25, 74)];
  return [
    disc(20, 20, 11.500, body), area('M9.500 16Q20 12 30.500 16L31.300 19Q20 15 8.700 19Z', band),
    area('M9.200 24Q20 28 30.800 24L29.500 27Q20 30.500 10.500 27Z', band),
    ...(seed & 16 ? [line('M4 26Q2 30 9 27.500Q22 23 34 14Q39 9.500 33 11', '#ffe9b8', '2.2')]
      : [disc(33, 9, 2.6, '#ffe9b8'), disc(6, 31, 1.7, '#ffe9b8')]),
  ];
}

/** A ghost with its eyes. @param {number} seed @returns {Shape[]} */
function spectral(seed) {
  return [
    area('M8 36V18Q8 5 20 5T32 18V36L28 32.500L24 36L20 32.500L16 36L12 32.500Z',
      colour(170 + (seed % 110), 80)),
    disc(15.5, 18, 2.4, INK), disc(24.5, 18, 2.4, INK), ...MOUTHS[(seed >>> 3) % MOUTHS.length].map(
      ([name, given]) => /** @type {Shape} */ ([name, { ...given, transform: 'translate(0 -6)' }])),
  ];
}

/** A wrapped pack. @param {number} seed @returns {Shape[]} */
function pack(seed) {
  return [
    area('M9 6L11 4L13 6L15 4L17 6L19 4L21 6L23 4L25 6L27 4L29 6L31 4V36L29 34L27 36L25 34'
      + 'L23 36L21 34L19 36L17 34L15 36L13 34L11 36L9 34Z', colour(seed, 52)),
    area('M20 11L22.600 17.400L29.500 17.800L24.200 22.200L26 29L20 25.200L14 29L15.800 22.200'
      + 'L10.500 17.800L17.400 17.400Z', '#ffe9b8'),
  ];
}

/** A ticket. @param {number} seed @returns {Shape[]} */
function voucher(seed) {
  return [
    area('M4 11H36V17A3 3 0 0 0 36 23V29H4V23A3 3 0 0 0 4 17Z', colour(seed, 60)),
    line('M14 13V15M14 18V20M14 23V25M14 27V28', INK, '1.4'),
    line('M19 17H31M19 22H27', INK, '2'),
  ];
}

const PICTURES = { joker, tarot, planet, spectral, pack, voucher };

/** The picture of a thing. @param {string} kind @param {string} id */
export function art(kind, id) {
  const draw = PICTURES[/** @type {Kind} */ (kind)];
  if (!draw) return null;
  const picture = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: '0 0 40 40', class: 'art', 'aria-hidden': 'true',
    focusable: 'false' };
  for (const [key, value] of Object.entries(attributes)) picture.setAttribute(key, value);
  for (const [name, given] of draw(hash(id))) {
    const shape = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(given)) shape.setAttribute(key, value);
    picture.append(shape);
  }
  return picture;
}
