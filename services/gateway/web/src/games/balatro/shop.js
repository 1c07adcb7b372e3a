// @ts-check
/** The shop and open packs. */

import { h } from '../../ui/dom.js';
import { t } from '../../ui/i18n.js';
import { art } from './art.js';
import { dollars } from './format.js';
import { entry, nameOf } from './names.js';
import { tile, wareTile } from './pieces.js';
import { hand } from './hand.js';
import { inspect, isInspected, ui } from './state.js';

/**
 * @typedef {import('../../client/protocol').BalatroRun} Run
 */

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('./state.js').Subject} Subject */

/** The name of a pack and what it holds. @param {string} id */
export function packWords(id) {
  const known = entry('packs', id);
  const [kind, size] = [id.replace(/_[a-z]+$/, ''), id.replace(/^.*_/, '')];
  const name = known.text ? known.name
    : t(`bal.pack.${size}`, { kind: t(`bal.pack.${kind}`) });
  return { name, text: known.text || t(`bal.about.pack.${kind}`), traits: t(`bal.size.${size}`) };
}

/** @param {App} app @param {Subject['kind']} kind @param {number} item */
function press(app, kind, item) {
  return {
    onclick: () => inspect(app, { kind, item }), 'data-key': `bal-${kind}-${item}`,
    'data-item': String(item), 'data-kind': kind, 'aria-pressed': String(isInspected(kind, item)),
  };
}

/** @param {App} app @param {Run} run */
export function shop(app, run) {
  const { cards = [], vouchers = [], packs = [] } = run.shop ?? {};
  return h('div', { class: 'bal-shop' },
    counter(t('bal.shop.cards'), cards.map((/** @type {any} */ offer) => priced(
      offer, wareTile(offer.ware, press(app, 'offer', offer.item ?? 0)))), t('bal.shop.soldOut')),
    counter(t('bal.shop.packs'), packs.map((/** @type {any} */ offer) => priced(
      offer, tile({
        ...press(app, 'pack', offer.item ?? 0), class: `pack ${offer.pack.split('_')[0]}` },
      packWords(offer.pack).name, null, art('pack', offer.pack)))), t('bal.shop.soldOut')),
    counter(t('bal.shop.vouchers'), vouchers.map((/** @type {any} */ offer) => priced(
      offer, tile({ ...press(app, 'voucher', offer.item ?? 0), class: 'voucher' },
        nameOf('vouchers', offer.voucher), null, art('voucher', offer.voucher)))),
    t('bal.shop.noVoucher')));
}

/** @param {string} label @param {HTMLElement[]} offers @param {string} none */
function counter(label, offers, none) {
  return h('section', { class: 'bal-counter' }, h('h2', {}, label),
    offers.length
      ? h('div', { class: 'tiles', role: 'group', 'aria-label': label }, ...offers)
      : h('p', { class: 'none' }, none));
}

/** @param {any} offer @param {HTMLElement} shown */
function priced(offer, shown) {
  return h('div', { class: `bal-offer ${offer.buyable ? '' : 'dear'}` }, shown,
    h('span', { class: 'price' }, dollars(offer.price)));
}

/** The open pack, with its hand of cards where it has one. @param {App} app @param {Run} run */
export function pack(app, run) {
  const { pack: id = '', choices = [], picksLeft = 0 } = run.pack ?? {};
  return h('section', { class: 'bal-pack', 'aria-label': packWords(id).name },
    h('h2', {}, packWords(id).name),
    h('p', { class: 'hint' }, t('bal.picksLeft', { picks: picksLeft })),
    h('div', { class: 'tiles', role: 'group', 'aria-label': t('bal.choices') },
      ...choices.map((choice) => (
        h('div', { class: `bal-offer ${choice.pickable ? '' : 'dear'}` },
          wareTile(choice.ware ?? {}, press(app, 'choice', choice.item ?? 0)))))),
    run.hand?.length ? hand(app, run, run.hand.length > 1 && !ui.busy) : null);
}
