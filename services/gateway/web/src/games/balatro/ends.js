// @ts-check
/** A round that is won, a run that is won, and how a run ended. */

import { button, h } from '../../ui/dom.js';
import { number, t } from '../../ui/i18n.js';
import { dollars, score } from './format.js';
import { ui } from './state.js';

/**
 * @typedef {import('../../client/protocol').BalatroRun} Run
 */

/** @typedef {import('../../app.js').App} App */

const LINES = /** @type {const} */ (
  ['reward', 'hands', 'discards', 'jokers', 'tags', 'interest']);

/** What cashing out pays. @param {Run} run */
export function roundWon(run) {
  const payout = run.payout ?? {};
  const lines = LINES.filter((line) => Number(payout[line] ?? 0) !== 0);
  return h('section', { class: 'panel bal-payout' },
    h('h2', {}, t('bal.roundWon')),
    h('dl', {}, ...lines.flatMap((line) => [
      h('dt', {}, t(`bal.payout.${line}`)), h('dd', { class: 'money' }, dollars(payout[line]))]),
    h('dt', { class: 'total-line' }, t('bal.payout.total')),
    h('dd', { class: 'money total-line' }, dollars(payout.total))));
}

/** Ante 8 is beaten. @param {Run} run */
export function runWon(run) {
  return h('section', { class: 'panel bal-outcome won' }, h('h2', {}, t('bal.won')),
    h('p', {}, t('bal.wonAbout')), summary(run));
}

/** How the run ended. @param {App} app @param {Run} run @param {boolean} next another run waits */
export function runOver(app, run, next) {
  const { won, gaveUp } = run.summary ?? {};
  const title = won ? 'bal.overWon' : gaveUp ? 'bal.overGaveUp' : 'bal.overLost';
  return h('section', { class: `panel bal-outcome ${won ? 'won' : 'lost'}` },
    h('div', { role: 'status' }, h('h2', {}, t(title))), summary(run),
    next ? button(t('bal.nextRun'), () => {
      ui.ended = null;
      app.changed();
    }, { class: 'primary' }) : app.isOver ? null : h('p', { class: 'about' }, t('bal.nextSoon')));
}

/** @param {Run} run */
export function summary(run) {
  const sum = run.summary ?? {};
  const line = (/** @type {string} */ key, /** @type {string} */ value) => [
    h('dt', {}, t(`bal.sum.${key}`)), h('dd', {}, value)];
  return h('dl', { class: 'bal-summary' },
    line('ante', number(sum.ante)), line('roundsWon', number(sum.roundsWon)),
    line('blindsSkipped', number(sum.blindsSkipped)), line('handsPlayed', number(sum.handsPlayed)),
    line('bestHand', score(sum.bestHand)),
    sum.favouriteHand ? line('favouriteHand', t(`bal.hand.${sum.favouriteHand}`)) : null,
    line('money', dollars(sum.money)));
}
