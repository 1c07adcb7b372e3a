// @ts-check
/** Room cards: what rooms cost, and what the cards were given and spent for. */

import { button, h } from '../../ui/dom.js';
import { moment, number, signed, t } from '../../ui/i18n.js';

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../client/protocol').Club} Club */
/** @typedef {import('../../client/protocol').CardEntry} CardEntry */

/** @param {Club} club */
export function prices({ prices: all = [] }) {
  if (!all.length) return h('p', { class: 'about' }, t('clubs.prices.none'));
  // Matches without an end come last.
  const sorted = [...all].sort((a, b) => (a.hands || Infinity) - (b.hands || Infinity));
  return h('ul', { class: 'prices' }, ...sorted.map(({ hands = 0, cards = '0' }) => (
    h('li', {}, hands ? t('clubs.price', { hands, cards: number(cards) })
      : t('clubs.price.endless', { cards: number(cards) })))));
}

/** The card book, once somebody asks for it. @param {App} app */
export function cardBook(app) {
  const { book, isMore } = app.clubs;
  if (!book) {
    return button(t('clubs.book.open'), () => app.clubs.read(), {
      class: 'quiet', 'data-key': 'club-book' });
  }
  return h('div', { class: 'book' },
    h('div', { class: 'row' },
      h('h3', {}, t('clubs.book.title')),
      button(t('history.reload'), () => app.clubs.read(), {
        class: 'quiet', 'data-key': 'club-book' })),
    book.length ? h('ul', { class: 'hands' }, ...book.map(entry))
      : h('p', { class: 'about' }, t('clubs.book.none')),
    isMore ? button(t('clubs.book.more'), () => app.clubs.read(true), {
      class: 'more', 'data-key': 'club-book-more' }) : null);
}

/** @param {CardEntry} line */
function entry({ number: count = '0', cards = '0', balance = '0', timeMs, note, host, game = '' }) {
  const what = host ? t('clubs.room.of', { game: t(`game.${game}`), host: host.name ?? '' })
    : note || t(Number(cards) < 0 ? 'clubs.book.taken' : 'clubs.book.given');
  return h('li', { class: 'hand', 'data-key': `entry-${count}` },
    h('span', { class: 'what' }, what, h('small', {}, moment(Number(timeMs)))),
    h('span', { class: 'sum' },
      h('strong', { class: Number(cards) < 0 ? 'loss' : 'gain' }, signed(cards)),
      h('small', {}, t('clubs.book.balance', { balance: number(balance) }))));
}
