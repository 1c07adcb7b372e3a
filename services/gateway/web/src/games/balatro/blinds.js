// @ts-check
/** The three blinds of the ante. */

import { h } from '../../ui/dom.js';
import { t } from '../../ui/i18n.js';
import { dollars, score } from './format.js';
import { tagWords } from './inventory.js';
import { entry, nameOf } from './names.js';
import { word } from './state.js';

/**
 * @typedef {import('../../client/protocol').BalatroRun} Run
 * @typedef {import('../../client/protocol').BalatroBlindView} BlindView
 */

/** @param {BlindView} blind */
export function blindName(blind) {
  return blind.boss ? nameOf('bosses', blind.boss)
    : t(`bal.blind.${word(blind.blind, 'BALATRO_BLIND_')}`);
}

/** The blind that is played or comes next. @param {Run} run */
export function currentBlind(run) {
  return (run.blinds ?? []).find(
    (/** @type {any} */ blind) => blind.status === 'BALATRO_BLIND_STATUS_CURRENT');
}

/** @param {Run} run */
export function blinds(run) {
  return h('ul', { class: 'bal-blinds' }, ...(run.blinds ?? []).map(blindCard));
}

/** @param {BlindView} blind */
function blindCard(blind) {
  const status = word(blind.status, 'BALATRO_BLIND_STATUS_');
  const tag = blind.tag ? tagWords(blind.tag) : null;
  return h('li', { class: `bal-blind ${status} ${blind.boss ? 'boss' : ''}`,
    'aria-current': status === 'current' ? 'step' : null },
  h('h2', {}, blindName(blind)),
  h('p', { class: 'stage-of' }, t(`bal.status.${status}`)),
  h('p', {}, t('bal.target'), ' ', h('strong', {}, score(blind.target))),
  h('p', {}, t('bal.reward'), ' ', h('strong', { class: 'money' }, dollars(blind.reward))),
  blind.boss ? h('p', { class: 'effect' }, entry('bosses', blind.boss).text) : null,
  tag ? h('p', { class: 'skip-tag' }, t('bal.skipFor'), ' ', h('b', {}, tag.name),
    tag.text ? ` — ${tag.text}` : '') : null);
}
