// @ts-check
/** Events of mahjong in words, with their tiles. */

import { number, t } from '../../ui/i18n.js';
import { tile } from '../../ui/tiles.js';
import { scoreWords, suitName, word } from './names.js';

/**
 * @typedef {import('../../client/protocol').MahjongPayment} Payment
 */

/** @typedef {import('./names.js').Who} Who */
/** @typedef {import('../../ui/dom.js').Child[]} Line */

/** @param {string[]|undefined} names */
function small(names) {
  return (names ?? []).map((name) => tile(name, 'small'));
}

/** @type {Record<string, (event: any, who: Who) => Line|null>} */
const TELL = {
  dealt: (event, who) => [t('mj.told.dealt', { hand: event.hand ?? 0, name: who(event.dealer) })],
  exchangeChosen: (event, who) => [
    t('mj.told.exchangeChosen', { name: who(event.seat) }),
    ...small(event.tiles),
  ],
  exchanged: (event) => [t('mj.told.exchanged', { die: event.die ?? 0, shift: event.shift ?? 0 })],
  voidChosen: (event, who) => [
    t('mj.told.voidChosen', { name: who(event.seat), suit: suitName(event.suit) }),
  ],
  voidsRevealed: (event, who) => [
    (event.suits ?? [])
      .map(
        (/** @type {string} */ suit, /** @type {number} */ seat) =>
          `${who(seat)}: ${suitName(suit)}`,
      )
      .join(' · '),
  ],
  drew: (event, who) => [
    t(event.start === 'MAHJONG_TURN_START_REPLACEMENT' ? 'mj.told.replacement' : 'mj.told.drew', {
      name: who(event.seat),
    }),
    ...small(event.tile ? [event.tile] : []),
  ],
  discarded: (event, who) => [
    t('mj.told.discarded', { name: who(event.seat) }),
    tile(event.tile, 'small'),
  ],
  kongDeclared: (event, who) => [
    t('mj.told.kongDeclared', { name: who(event.seat) }),
    tile(event.tile, 'small'),
  ],
  answered: (event, who) => [
    t('mj.told.answered', {
      name: who(event.seat),
      answer: t(`mj.${word(event.answer, 'MAHJONG_ANSWER')}`),
    }),
  ],
  pungMade: (event, who) => [
    t('mj.told.pungMade', { name: who(event.seat), from: who(event.from) }),
    tile(event.tile, 'small'),
  ],
  kongMade: (event, who) => [
    t('mj.told.kongMade', {
      name: who(event.seat),
      kind: t(`mj.meld.${word(event.kind, 'MAHJONG_MELD_KIND')}`),
    }),
    tile(event.tile, 'small'),
  ],
  kongRobbed: (event, who) => [
    t('mj.told.kongRobbed', { name: who(event.seat) }),
    tile(event.tile, 'small'),
  ],
  won: (event, who) => [
    t(event.from === undefined ? 'mj.told.selfDrawn' : 'mj.told.won', {
      name: who(event.seat),
      from: who(event.from),
    }),
    tile(event.tile, 'small'),
    ` ${scoreWords(event.score)}`,
  ],
  paid: (event, who) => [
    (event.payments ?? []).map((/** @type {any} */ one) => paymentWords(one, who)).join(' · '),
  ],
  handEnded: (event) => [t(`mj.ending.${word(event.ending, 'MAHJONG_ENDING')}`)],
  matchEnded: () => [t('mj.told.matchEnded')],
};

/** @param {Payment} payment @param {Who} who */
export function paymentWords(payment, who) {
  return t('mj.payment', {
    from: who(payment.from),
    to: who(payment.to),
    amount: number(payment.amount),
    why: t(`mj.why.${payment.why}`),
  });
}

/** What a table's event says, or null when it says nothing. @param {any} event @param {Who} who */
export function describe(event, who) {
  const [kind, detail] = Object.entries(event.play?.mahjong ?? {})[0] ?? [];
  return TELL[kind ?? '']?.(detail, who) ?? null;
}
