// @ts-check
/** What the player owns, and the inspector that tells about one thing and offers what it can do. */

import { button, h } from '../../ui/dom.js';
import { t } from '../../ui/i18n.js';
import { dollars } from './format.js';
import { entry, nameOf } from './names.js';
import { consumableTile, jokerTile, jokerTraits, wareWords } from './pieces.js';
import { packWords } from './shop.js';
import { inspect, isInspected, moveJoker, plays, runOf, send, ui } from './state.js';

/**
 * @typedef {import('../../client/protocol').BalatroRun} Run
 * @typedef {import('../../client/protocol').BalatroConsumable} Consumable
 * @typedef {import('../../client/protocol').BalatroTag} Tag
 * @typedef {import('../../client/protocol').BalatroChoice} Choice
 */

/** @typedef {import('../../app.js').App} App */

/** The joker row, the consumables and the tags. @param {App} app @param {Run} run */
export function inventory(app, run) {
  const jokers = run.jokers ?? [];
  const consumables = run.consumables ?? [];
  const press = (/** @type {'joker'|'consumable'} */ kind, /** @type {number} */ item) => ({
    onclick: () => inspect(app, { kind, item }), 'data-key': `bal-${kind}-${item}`,
    'data-item': String(item), 'aria-pressed': String(isInspected(kind, item)),
  });
  return h('div', { class: 'bal-inventory' },
    shelf('bal-jokers', t('bal.jokers'), jokers.length, run.jokerSlots ?? 0,
      jokers.map((/** @type {any} */ view) => jokerTile(
        view.joker, press('joker', view.joker.item ?? 0), view))),
    shelf('bal-consumables', t('bal.consumables'), consumables.length, run.consumableSlots ?? 0,
      consumables.map((/** @type {any} */ { consumable }) => consumableTile(
        consumable, press('consumable', consumable.item ?? 0)))),
    tags(app, run));
}

/**
 * @param {string} place @param {string} label @param {number} count @param {number} slots
 * @param {HTMLElement[]} tiles
 */
function shelf(place, label, count, slots, tiles) {
  const free = Array.from({ length: Math.max(0, slots - count) }, () => (
    h('span', { class: 'bal-slot', 'aria-hidden': 'true' })));
  return h('section', { class: `bal-shelf ${place}`, 'aria-label': label },
    h('span', { class: 'label' }, label, ' ', h('b', {}, `${count}/${slots}`)),
    h('div', { class: 'tiles' }, ...tiles, ...free));
}

/** @param {App} app @param {Run} run */
function tags(app, run) {
  if (!run.tags?.length) return null;
  return h('div', { class: 'bal-tags', role: 'group', 'aria-label': t('bal.tags') },
    ...run.tags.map((/** @type {any} */ tag, /** @type {number} */ item) => button(
      nameOf('tags', tag.tag), () => inspect(app, { kind: 'tag', item }),
      { class: 'bal-tag', 'data-key': `bal-tag-${item}`,
        'aria-pressed': String(isInspected('tag', item)) })));
}

/** What a tag does, with the hand it is about. @param {Tag} tag */
export function tagWords(tag) {
  const { name, text } = entry('tags', tag.tag);
  return { name, text: text + (tag.hand ? ` (${t(`bal.hand.${tag.hand}`)})` : '') };
}

/** Tells about the thing that was pressed. @param {App} app */
export function inspector(app) {
  const { subject } = ui;
  const run = runOf(app);
  if (!subject || !run) return null;
  const found = about(app, run, subject);
  if (!found) return null;
  return h('section', { class: 'bal-inspector', 'aria-live': 'polite',
    'aria-label': t('bal.inspector') },
    h('div', { class: 'words' },
      h('h3', {}, found.name),
      found.traits ? h('p', { class: 'traits' }, found.traits) : null,
      found.text ? h('p', {}, found.text) : null,
      found.hint ? h('p', { class: 'hint' }, found.hint) : null),
    button('✕', () => inspect(app, subject), {
      class: 'quiet close', 'data-key': 'bal-uninspect', 'aria-label': t('close') }),
    found.deeds?.length && plays(app) ? h('div', { class: 'deeds' }, ...found.deeds) : null);
}

/**
 * @param {App} app @param {Run} run @param {import('./state.js').Subject} subject
 * @returns {{name: string, text: string, traits?: string, hint?: string,
 *   deeds?: (HTMLElement|null)[]}|null}
 */
function about(app, run, { kind, item }) {
  const by = (/** @type {any[]|undefined} */ list) => (
    (list ?? []).find((one) => (one.item ?? 0) === item));
  const shop = run.shop ?? {};
  if (kind === 'joker') return aboutJoker(app, run, item);
  if (kind === 'consumable') return aboutConsumable(app, run, item);
  if (kind === 'tag') return run.tags?.[item] ? tagWords(run.tags[item]) : null;
  if (kind === 'choice') return aboutChoice(app, by(run.pack?.choices));
  if (kind === 'offer') {
    const offer = by(shop.cards);
    return offer ? { ...wareWords(offer.ware), deeds: [buy(app, offer, { buy: item })] } : null;
  }
  if (kind === 'voucher') {
    const offer = by(shop.vouchers);
    return offer ? { ...entry('vouchers', offer.voucher), traits: t('bal.voucher'),
      deeds: [buy(app, offer, { redeem: item })] } : null;
  }
  const offer = by(shop.packs);
  return offer ? { ...packWords(offer.pack), deeds: [buy(app, offer, { openPack: item })] } : null;
}

/** @param {App} app @param {any} offer @param {object} command */
function buy(app, offer, command) {
  const label = t('bal.buy', { price: dollars(offer.price) });
  return deed(label, app, command, !offer.buyable, 'primary');
}

/** @param {App} app @param {Run} run @param {number} item */
function aboutJoker(app, run, item) {
  const row = run.jokers ?? [];
  const place = row.findIndex(({ joker: one }) => (one?.item ?? 0) === item);
  const view = row[place];
  const joker = view?.joker;
  if (!view || !joker) return null;
  const words = joker.faceDown ? { name: t('bal.faceDown'), text: '' }
    : entry('jokers', joker.joker);
  const move = (/** @type {string} */ sign, /** @type {number} */ by,
    /** @type {string} */ label) => (
    button(sign, () => moveJoker(app, item, by), {
      'data-key': `bal-move-${by}`, 'aria-label': label,
      disabled: ui.busy || !run.may?.reorderJokers || !row[place + by] }));
  return { ...words, traits: jokerTraits(joker, view), deeds: [
    move('◀', -1, t('bal.left')), move('▶', 1, t('bal.right')),
    view.sellable ? sell(app, item, joker.faceDown ? null : view.sell ?? 0) : null] };
}

/** @param {App} app @param {number} item @param {string|number|null} price */
function sell(app, item, price) {
  const label = price === null ? t('bal.sellHidden') : t('bal.sell', { price: dollars(price) });
  return deed(label, app, { sell: item }, false, '');
}

/** @param {App} app @param {Run} run @param {number} item */
function aboutConsumable(app, run, item) {
  const view = (run.consumables ?? []).find(
    ({ consumable: one }) => (one?.item ?? 0) === item);
  if (!view) return null;
  const { consumable = {} } = view;
  const aims = aim(consumable);
  const hint = view.usable ? aims.hint : '';
  return { ...wareWords({ consumable }), hint, deeds: [
    deed(t('bal.use'), app, { use: { item, targets: aims.targets } },
      !view.usable || !aims.fits, 'primary'),
    sell(app, item, view.sell ?? 0)] };
}

/** @param {App} app @param {Choice|undefined} choice */
function aboutChoice(app, choice) {
  if (!choice) return null;
  const aims = choice.ware?.consumable ? aim(choice.ware.consumable)
    : { targets: [], fits: true, hint: '' };
  const item = choice.item ?? 0;
  const hint = choice.pickable ? aims.hint : t('bal.notPickable');
  return { ...wareWords(choice.ware ?? {}), hint, deeds: [
    deed(t(choice.ware?.consumable ? 'bal.pickUse' : 'bal.pick'), app,
      { pick: { item, targets: aims.targets } }, !choice.pickable || !aims.fits, 'primary')] };
}

/** The selected cards as targets. @param {Consumable} consumable */
function aim({ targetsMin: least = 0, targetsMax: most = 0 }) {
  if (!most) return { targets: [], fits: true, hint: '' };
  const count = ui.selected.length;
  const range = least === most ? String(most) : `${least}–${most}`;
  const hint = t('bal.aim', { range, count });
  return { targets: ui.selected, fits: count >= least && count <= most, hint };
}

/**
 * @param {string} label @param {App} app @param {object} command
 * @param {boolean} disabled @param {string} look
 */
function deed(label, app, command, disabled, look) {
  const press = async () => {
    if (!await send(app, command)) return;
    ui.subject = null;
    ui.selected = [];
    app.changed();
  };
  return button(label, press, {
    class: look, disabled: disabled || ui.busy, 'data-key': `bal-deed-${Object.keys(command)[0]}`,
    'data-deed': Object.keys(command)[0],
  });
}
