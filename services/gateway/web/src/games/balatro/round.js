// @ts-check
/** The round that is played, and the strip above every screen of a run. */

import { h } from '../../ui/dom.js';
import { number, t } from '../../ui/i18n.js';
import { blindName, currentBlind } from './blinds.js';
import { dollars, score } from './format.js';
import { hand, plainHand } from './hand.js';
import { entry } from './names.js';
import { classify } from './poker.js';
import { running, stage } from './score.js';
import { phaseOf, shownHand, ui } from './state.js';

/**
 * @typedef {import('../../client/protocol').BalatroRun} Run
 * @typedef {import('../../client/protocol').BalatroBlindView} BlindView
 */

/** @typedef {import('../../app.js').App} App */

/** Money, hands, discards, ante. @param {Run} run */
export function strip(run) {
  const { round } = run;
  const box = (/** @type {string} */ key, /** @type {string} */ value,
    /** @type {string} */ look) => (
    h('div', { class: `bal-box ${look}` }, h('dt', {}, t(`bal.box.${key}`)), h('dd', {}, value)));
  return h('dl', { class: 'bal-strip' },
    box('money', dollars(run.money), 'money'),
    round ? box('hands', number(round.handsLeft), 'plays-left') : null,
    round ? box('discards', number(round.discardsLeft), 'discards-left') : null,
    box('ante', `${run.ante ?? 0}/8`, ''), box('round', number(run.roundNo), ''));
}

/** The goal of the round with its progress. @param {Run} run */
export function goal(run) {
  const play = running();
  // The play that wins a round is shown when the next blind is current already.
  const blind = play?.blind ?? currentBlind(run);
  const round = run.round ?? (play ? { target: blind?.target, score: play.scored.total } : null);
  if (!round || !blind) return null;
  const reached = play ? play.before : round.score ?? '0';
  const part = Math.min(1, Number(reached) / Math.max(1, Number(round.target))) || 0;
  return h('section', { class: `bal-goal ${blind.boss ? 'boss' : ''}` },
    h('h2', {}, blindName(blind)),
    h('p', { class: 'score', 'aria-live': play ? 'off' : 'polite' },
      h('strong', {}, score(reached)), h('span', {}, ` / ${score(round.target)}`)),
    h('progress', { max: 1, value: part, 'aria-label': t('bal.progress') }),
    blind.boss ? bossEffect(blind, round) : null);
}

/** @param {BlindView} blind @param {any} round */
function bossEffect(blind, round) {
  if (round.bossDisabled) return h('p', { class: 'effect off' }, t('bal.bossOff'));
  const extra = blind.boss === 'mouth' && round.lockedHand
    ? t('bal.lockedTo', { hand: t(`bal.hand.${round.lockedHand}`) })
    : blind.boss === 'ox' && round.fearedHand
      ? t('bal.feared', { hand: t(`bal.hand.${round.fearedHand}`) }) : '';
  return h('p', { class: 'effect' }, entry('bosses', blind.boss).text, ' ', extra);
}

/** The table and the hand. @param {App} app @param {Run} run */
export function round(app, run) {
  const play = running();
  const playing = phaseOf(run) === 'playing';
  const middle = !play && ui.selected.length ? preview(app, run) : stage(app) ?? hint();
  return h('div', { class: 'bal-round' }, middle,
    playing ? hand(app, run, !ui.busy) : plainHand(play?.held ?? []));
}

function hint() {
  return h('section', { class: 'bal-stage empty' }, h('p', {}, t('bal.selectHint')));
}

/** What the selected cards would be. @param {App} app @param {Run} run */
function preview(app, run) {
  const held = shownHand(app, run);
  const cards = ui.selected.map((id) => held.find((card) => card.id === id)).filter(Boolean);
  const type = classify(cards, run.jokers ?? []);
  const line = (run.hands ?? []).find((/** @type {any} */ one) => one.hand === type);
  return h('section', { class: 'bal-stage', role: 'status' },
    h('h2', {}, type ? t('bal.handLevel', { hand: t(`bal.hand.${type}`), level: line?.level ?? 1 })
      : t('bal.unknownHand')),
    h('p', { class: 'bal-product' },
      h('span', { class: 'bal-chips' }, type ? score(line?.chips) : '?'), ' × ',
      h('span', { class: 'bal-mult' }, type ? score(line?.mult) : '?')));
}
