// @ts-check
/** A finished hand, and the score sheet of the match. */

import { h } from '../../ui/dom.js';
import { number, signed, t } from '../../ui/i18n.js';
import { tile, tiles } from '../../ui/tiles.js';
import { meldsOf } from './board.js';
import { paymentWords } from './describe.js';
import { breakdownWords, scoreWords, standingWords, whoAt, word } from './names.js';

/**
 * @typedef {import('../../client/protocol').MahjongView} View
 * @typedef {import('../../client/protocol').MahjongSeat} Seat
 */

/** @typedef {import('../../app.js').App} App */

/** @param {string|number|undefined} value */
function amount(value) {
  return h('strong', { class: Number(value ?? 0) < 0 ? 'loss' : 'gain' }, signed(value));
}

/** @param {App} app @param {View} view */
export function result(app, view) {
  const who = whoAt(app);
  const own = (view.seats ?? [])[app.shown.ownSeat ?? -1];
  return h(
    'div',
    { class: 'mj-result' },
    h(
      'section',
      { class: 'panel verdict-panel', role: 'status' },
      h('h2', {}, t(`mj.ending.${word(view.ending, 'MAHJONG_ENDING')}`)),
      own ? h('p', { class: 'big' }, t('mj.yourResult'), ' ', amount(own.net)) : null,
    ),
    h(
      'ul',
      { class: 'mj-hands' },
      ...(view.seats ?? []).map((/** @type {Seat} */ seat) => line(seat, who)),
    ),
    payments(view, who),
    sheet(app, view),
  );
}

/** @param {Seat} seat @param {import('./names.js').Who} who */
function line(seat, who) {
  const { win } = seat;
  const how = win
    ? [
        t(`mj.source.${word(win.source, 'MAHJONG_SOURCE')}`),
        win.from === undefined ? '' : who(win.from),
        scoreWords(win.score, win.fan),
      ].filter(Boolean).join(' · ')
    : standingWords(seat.standing);
  return h(
    'li',
    { class: `panel ${win ? 'won' : ''}` },
    h('div', { class: 'who' }, h('b', {}, who(seat.seat)), h('span', {}, how), amount(seat.net)),
    win && breakdownWords(win.score)
      ? h('p', { class: 'breakdown' }, breakdownWords(win.score))
      : null,
    h(
      'div',
      { class: 'shown' },
      tiles(seat.tiles ?? [], 'mini'),
      win ? tile(win.tile, 'small fresh') : null,
      meldsOf(seat),
    ),
  );
}

/** @param {View} view @param {import('./names.js').Who} who */
function payments(view, who) {
  const all = view.payments ?? [];
  if (!all.length) return null;
  return h(
    'section',
    { class: 'panel' },
    h('h3', {}, t('mj.payments')),
    h(
      'ol',
      { class: 'payments' },
      ...all.map((/** @type {any} */ one) => h('li', {}, paymentWords(one, who))),
    ),
  );
}

/** The score sheet of the match. @param {App} app @param {View} view */
export function sheet(app, view) {
  const who = whoAt(app);
  const seats = view.sheet?.seats ?? [];
  const mark = (/** @type {number} */ seat) =>
    [
      (view.sheet?.bigWinners ?? []).includes(seat) && t('mj.sheet.bigWinner'),
      (view.sheet?.mostPaid ?? []).includes(seat) && t('mj.sheet.mostPaid'),
    ]
      .filter(Boolean)
      .join(', ');
  const row = (
    /** @type {string} */ label,
    /** @type {(seat: any, place: number) => any} */ cell,
  ) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, label),
      ...seats.map((seat, place) =>
        h('td', {}, cell(seat, place)),
      ),
    );
  const count = (/** @type {string} */ key) =>
    row(t(`mj.sheet.${key}`), (seat) => number(seat[key]));
  return h(
    'section',
    { class: 'panel sheet' },
    h('h3', {}, t(view.matchOver ? 'mj.sheet.final' : 'mj.sheet.title')),
    h(
      'div',
      { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t('mj.sheet.title') },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('td', {}),
            ...seats.map((/** @type {any} */ _, /** @type {number} */ place) =>
              h('th', { scope: 'col' }, who(place)),
            ),
          ),
        ),
        h(
          'tbody',
          {},
          ...(view.sheet?.hands ?? []).map((/** @type {any} */ one, /** @type {number} */ hand) =>
            row(t('table.hand', { hand: hand + 1 }), (_, place) => signed(one.nets?.[place])),
          ),
          row(t('mj.sheet.total'), (seat) => amount(seat.total)),
          count('selfDraws'),
          count('claimedWins'),
          count('fedWins'),
          count('concealedKongs'),
          count('exposedKongs'),
          row(t('mj.sheet.bestFan'), (seat) => seat.bestFan ?? '–'),
          row(t('mj.sheet.titles'), (_, place) => mark(place) || '–'),
        ),
      ),
    ),
  );
}
