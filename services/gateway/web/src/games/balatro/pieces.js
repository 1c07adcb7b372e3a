// @ts-check
/** Cards, jokers and consumables as the run shows them. */

import { h } from '../../ui/dom.js';
import { t } from '../../ui/i18n.js';
import { art } from './art.js';
import { gain } from './format.js';
import { entry, nameOf } from './names.js';

/**
 * @typedef {import('../../client/protocol').BalatroCard} Card
 * @typedef {import('../../client/protocol').BalatroJoker} Joker
 * @typedef {import('../../client/protocol').BalatroConsumable} Consumable
 * @typedef {import('../../client/protocol').BalatroWare} Ware
 */

const SIGNS = /** @type {Record<string, string>} */ ({ S: '♠', H: '♥', C: '♣', D: '♦' });
/** Marks of enhancements, in the corner of a card. */
const MARKS = /** @type {Record<string, string>} */ ({
  bonus: '+30', mult: '+4', wild: '♠♥', glass: '×2', steel: '×1.5', stone: '+50', gold: '$3',
  lucky: '★',
});

/** Words of more letters than these are written smaller on a tile. */
const LONG_WORD = 7;
const LONGER_WORD = 10;

/** A playing card in words. @param {Card} card */
export function cardWords(card) {
  if (card.faceDown) return t('bal.faceDown');
  const plain = card.card ? t('bal.cardName', {
    rank: card.card.slice(0, -1), suit: t(`bal.suit.${card.card.slice(-1)}`),
  }) : '';
  const traits = [
    card.enhancement && t(`bal.enhancement.${card.enhancement}`),
    card.edition && t(`bal.edition.${card.edition}`), card.seal && t(`bal.seal.${card.seal}`),
    card.permanentChips && t('bal.gain.chips', { value: card.permanentChips }),
    card.debuffed && t('bal.debuffed'),
  ];
  return [plain, ...traits].filter(Boolean).join(', ');
}

/**
 * The face of a playing card, as a button where it can be pressed.
 * @param {Card} card
 * @param {Record<string, any>} [properties]
 */
export function cardFace(card, properties = {}) {
  const { class: more = '', ...rest } = properties;
  const suit = card.card?.slice(-1) ?? '';
  const classes = ['bal-card', suit && `suit-${suit}`, card.faceDown && 'back',
    card.enhancement && `enh-${card.enhancement}`, card.edition && `ed-${card.edition}`,
    card.debuffed && 'debuffed', more];
  const shared = {
    class: classes.filter(Boolean).join(' '), 'aria-label': cardWords(card),
    title: cardWords(card), 'data-card': String(card.id ?? 0),
  };
  const face = card.faceDown ? [] : [
    h('span', { class: 'rank', 'aria-hidden': 'true' }, card.card ? card.card.slice(0, -1) : ''),
    h('span', { class: 'suit', 'aria-hidden': 'true' }, SIGNS[suit] ?? ''),
    card.enhancement ? h('span', { class: 'mark', 'aria-hidden': 'true' },
      MARKS[card.enhancement]) : null,
    card.seal ? h('span', { class: `seal seal-${card.seal}`, 'aria-hidden': 'true' }) : null,
    card.debuffed ? h('span', { class: 'cross', 'aria-hidden': 'true' }, '✕') : null,
  ];
  return rest.onclick ? h('button', { type: 'button', ...shared, ...rest }, ...face)
    : h('span', { role: 'img', ...shared, ...rest }, ...face);
}

/** What is special about a joker, in words. @param {Joker} joker @param {any} [view] */
export function jokerTraits(joker, view = {}) {
  return [
    joker.rarity && t(`bal.rarity.${joker.rarity}`),
    joker.edition && t(`bal.edition.${joker.edition}`), joker.eternal && t('bal.eternal'),
    joker.perishable !== undefined && t('bal.perishable', { rounds: joker.perishable }),
    joker.rental && t('bal.rental'), view.debuffed && t('bal.debuffed'),
    joker.listedHand && t(`bal.hand.${joker.listedHand}`),
    // Every object has a `valueOf` of its own, so that an absent one is to be asked for like this.
    Object.hasOwn(joker, 'valueOf')
      && t(`bal.value.${joker.valueOf}`, { value: joker.value ?? 0 }),
    joker.countdown && t('bal.countdown', { left: joker.countdown }),
  ].filter(Boolean).join(' · ');
}

/**
 * A joker as a tile.
 * @param {Joker} joker @param {Record<string, any>} properties @param {any} [view]
 */
export function jokerTile(joker, properties, view = {}) {
  if (joker.faceDown) return tile({ ...properties, class: 'back' }, t('bal.faceDown'), null);
  const classes = ['joker', joker.rarity, joker.edition && `ed-${joker.edition}`,
    view.debuffed && 'debuffed'];
  return tile({ ...properties, class: classes.filter(Boolean).join(' ') },
    nameOf('jokers', joker.joker), view.shown ? gain(view.shown) : null,
    art('joker', joker.joker ?? ''));
}

/** @param {Consumable} consumable @param {Record<string, any>} properties */
export function consumableTile(consumable, properties) {
  const classes = ['consumable', consumable.kind, consumable.negative && 'ed-negative'];
  return tile({ ...properties, class: classes.filter(Boolean).join(' ') },
    nameOf('consumables', consumable.consumable), t(`bal.kind.${consumable.kind}`),
    art(consumable.kind ?? '', consumable.consumable ?? ''));
}

/**
 * Something on offer, of whichever kind.
 * @param {Ware} ware @param {Record<string, any>} properties
 */
export function wareTile(ware, properties) {
  if (ware?.joker) return jokerTile(ware.joker, properties);
  if (ware?.consumable) return consumableTile(ware.consumable, properties);
  return cardFace(ware?.card ?? {}, properties);
}

/** Name, traits and text of something on offer. @param {Ware} ware */
export function wareWords(ware) {
  if (ware?.joker) {
    return { ...entry('jokers', ware.joker.joker), traits: jokerTraits(ware.joker) };
  }
  if (ware?.consumable) {
    const { consumable, kind, negative } = ware.consumable;
    const traits = [t(`bal.kind.${kind}`), negative && t('bal.edition.negative')];
    return { ...entry('consumables', consumable), traits: traits.filter(Boolean).join(' · ') };
  }
  const card = ware?.card ?? {};
  return { name: cardWords(card), text: cardTexts(card), traits: t('bal.kind.card') };
}

/** What the traits of a playing card do. @param {Card} card */
export function cardTexts(card) {
  return [
    card.enhancement && t(`bal.about.${card.enhancement}`),
    card.edition && t(`bal.about.${card.edition}`), card.seal && t(`bal.about.seal.${card.seal}`),
  ].filter(Boolean).join(' ');
}

/**
 * @param {Record<string, any>} properties
 * @param {string} name
 * @param {string|null} note
 * @param {Node|null} [picture]
 */
export function tile(properties, name, note, picture = null) {
  return h('button', { type: 'button', ...properties, class: `bal-tile ${properties.class ?? ''}` },
    h('span', { class: `name ${lengthOf(name)}` }, name), picture,
    note ? h('span', { class: 'note' }, note) : null);
}

/** How long the longest word of a name is: it is to stand on a tile unbroken.
 * @param {string} name */
function lengthOf(name) {
  const longest = Math.max(...name.split(/[\s-]/).map((word) => word.length));
  return longest > LONGER_WORD ? 'longer' : longest > LONG_WORD ? 'long' : '';
}

/** The sign of a suit letter. @param {string} suit */
export function suitSign(suit) {
  return SIGNS[suit] ?? suit;
}
