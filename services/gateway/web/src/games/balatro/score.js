// @ts-check
/**
 * Shows a scored play step by step. The page is drawn as a whole, but the steps change it in place:
 * nothing that is being pressed is replaced under the finger.
 */

import { button, h } from '../../ui/dom.js';
import { t } from '../../ui/i18n.js';
import { gain, score } from './format.js';
import { nameOf } from './names.js';
import { cardFace, cardWords } from './pieces.js';
import { numbered, phaseOf, plays, runOf } from './state.js';

/**
 * @typedef {import('../../client/protocol').BalatroCard} Card
 * @typedef {import('../../client/protocol').BalatroStep} Step
 * @typedef {import('../../client/protocol').BalatroScored} Scored
 */

/** @typedef {import('../../app.js').App} App */

const SHORTEST_MS = 70;
const LONGEST_MS = 480;
const WHOLE_MS = 6000;
const LAST_MS = 900;

/**
 * The play that is or was shown last. `step` counts the steps that were shown; `running` ends when
 * all were.
 * @type {{scored: any, step: number, running: boolean, jokers: any[], held: any[],
 *   before: string, blind: any}|null}
 */
let shown = null;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let timer;
/** The list of steps is open. */
let isOpen = false;

/** The play that is being shown. */
export function running() {
  return shown?.running ? shown : null;
}

/** Forgets the last play, as when a round begins. */
export function forget() {
  clearTimeout(timer);
  shown = null;
}

/**
 * Begins to show a play.
 * @param {App} app @param {Scored} scored
 * @param {{jokers: any[], hand: any[], blind: any}} before the row, the hand and the blind before
 *   the play
 */
export function begin(app, scored, before) {
  clearTimeout(timer);
  const played = new Set(numbered(scored.cards).map((card) => card.id));
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  shown = {
    scored, step: 0, running: true, jokers: before.jokers,
    held: before.hand.filter((card) => !played.has(card.id)), before: earlier(scored),
    blind: before.blind,
  };
  if (still || document.hidden) finish();
  else timer = setTimeout(() => advance(app), LONGEST_MS);
}

/** The round's score before the play. @param {Scored} scored */
function earlier({ total = '0', score: won = '0' }) {
  const exact = /^\d+$/.test(total) && /^\d+$/.test(won);
  return exact ? String(BigInt(total) - BigInt(won)) : total;
}

/** @param {App} app */
function advance(app) {
  if (!shown) return;
  const steps = shown.scored.steps ?? [];
  if (shown.step >= steps.length) {
    skip(app);
    return;
  }
  shown.step += 1;
  paint();
  const isLast = shown.step === steps.length;
  const pace = Math.max(SHORTEST_MS, Math.min(LONGEST_MS, WHOLE_MS / steps.length));
  timer = setTimeout(() => advance(app), isLast ? LAST_MS : pace);
}

function finish() {
  clearTimeout(timer);
  if (!shown) return;
  shown.running = false;
  shown.step = (shown.scored.steps ?? []).length;
}

/** Shows the end at once. @param {App} app */
export function skip(app) {
  finish();
  app.changed();
}

/** Changes what is on the page to the current step. */
function paint() {
  const stage = document.querySelector('.bal-stage');
  if (!shown || !stage) return;
  const step = (shown.scored.steps ?? [])[shown.step - 1];
  const set = (/** @type {string} */ place, /** @type {string} */ text) => {
    const element = stage.querySelector(place);
    if (element) element.textContent = text;
  };
  set('.bal-chips', score(step.chips));
  set('.bal-mult', score(step.mult));
  set('.bal-step', stepWords(step));
  for (const element of document.querySelectorAll('.bal .pop')) element.classList.remove('pop');
  for (const place of places(step)) document.querySelector(place)?.classList.add('pop');
}

/** Where a step happens on the page. @param {Step} step */
function places(step) {
  const source = step.source ?? {};
  const found = [];
  const card = source.card ?? step.onCard;
  if (card !== undefined) {
    const id = CSS.escape(String(card));
    found.push(`.bal-stage [data-card="${id}"], .bal-hand [data-card="${id}"]`);
  }
  if (source.joker !== undefined) {
    const item = shown?.jokers[source.joker]?.joker.item ?? 0;
    found.push(`.bal-jokers [data-item="${CSS.escape(String(item))}"]`);
  }
  return found;
}

/** A step in words, such as "+4 mult · Joker". @param {Step} step */
function stepWords(step) {
  return `${gain(step)} · ${sourceWords(step)}`;
}

/** @param {Step} step */
function sourceWords(step) {
  const source = step.source ?? {};
  const nameOfCard = (/** @type {number} */ id) => {
    const cards = [...(shown?.scored.cards ?? []), ...(shown?.held ?? [])];
    const card = cards.find((one) => one.id === id);
    return card?.card ? cardWords({ card: card.card }) : t('bal.source.card');
  };
  if (source.joker !== undefined) {
    const joker = nameOf('jokers', shown?.jokers[source.joker]?.joker.joker);
    return step.onCard === undefined ? joker : `${joker} → ${nameOfCard(step.onCard)}`;
  }
  if (source.card !== undefined) return nameOfCard(source.card);
  if (source.hand) return t(`bal.hand.${shown?.scored.hand}`);
  return t(`bal.source.${Object.keys(source)[0] ?? 'hand'}`);
}

/**
 * The last play: its cards, the running values and, at the end, how they came about.
 * @param {App} app
 */
export function stage(app) {
  if (!shown) return null;
  const { scored, running: isRunning } = shown;
  const steps = scored.steps ?? [];
  const step = steps[shown.step - 1];
  // When the round is won, the button to skip is below, where the player's other moves are.
  const mayPlay = phaseOf(runOf(app) ?? {}) === 'playing' || !plays(app);
  const [chips, mult] = isRunning ? [step?.chips ?? 0, step?.mult ?? 0]
    : [scored.chips ?? 0, scored.mult ?? 0];
  const counted = new Set(scored.scoring ?? []);
  const cards = (scored.cards ?? []).map((/** @type {Card} */ card) => cardFace(card, {
    class: `${counted.has(card.id) ? 'counts' : 'idle'} ${
      !isRunning && (scored.destroyed ?? []).includes(card.id) ? 'gone' : ''}`,
  }));
  return h('section', { class: `bal-stage ${isRunning ? 'running' : ''}`,
    'aria-label': t('bal.lastPlay'), onclick: isRunning ? () => skip(app) : null },
  h('h2', {}, t('bal.handLevel', { hand: t(`bal.hand.${scored.hand}`), level: scored.level ?? 1 })),
  h('div', { class: 'bal-played' }, ...cards),
  h('p', { class: 'bal-product' },
    h('span', { class: 'bal-chips' }, score(chips)), ' × ',
    h('span', { class: 'bal-mult' }, score(mult)),
    isRunning ? null : h('strong', {}, ` = ${score(scored.score)}`)),
  isRunning ? h('p', { class: 'bal-step' }, step ? stepWords(step) : '…')
    : h('p', { class: 'bal-step', role: 'status' }, scored.blocked ? t('bal.blocked') : '\u00a0'),
  isRunning && mayPlay ? button(t('bal.skipScore'), () => skip(app), {
    class: 'quiet', 'data-key': 'bal-skip' }) : isRunning ? null : trace(steps));
}

/** @param {Step[]} steps */
function trace(steps) {
  if (!steps.length) return null;
  const toggled = (/** @type {Event} */ event) => {
    isOpen = /** @type {HTMLDetailsElement} */ (event.currentTarget).open;
  };
  return h('details', { class: 'bal-trace', open: isOpen, ontoggle: toggled },
    h('summary', { 'data-key': 'bal-trace' }, t('bal.trace', { steps: steps.length })),
    h('ol', {}, ...steps.map((step) => h('li', {}, h('span', {}, stepWords(step)),
      h('span', { class: 'sum' }, `${score(step.chips)} × ${score(step.mult)}`)))));
}
