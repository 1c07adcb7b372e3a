// @ts-check
import { bytesOf, hexOf, verifySeeds } from '../fair/verify.js';
import { checkDeal, game } from '../games/index.js';
import { titleOf } from '../games/title.js';
import { button, h } from '../ui/dom.js';
import { signed, t } from '../ui/i18n.js';
import { nameWords } from '../ui/names.js';

/** @type {{handId: string, hand: any, step: number, verdict: any}|null} */
let shown = null;

/** A finished hand, step by step, with its seeds. @param {import('../app.js').App} app */
export function drawReplay(app) {
  const handId = app.subject;
  if (shown?.handId !== handId) {
    shown = { handId, hand: null, step: 0, verdict: null };
    app.ask({ getHand: { handId } }).then((hand) => {
      if (shown?.handId === handId) shown.hand = hand;
      app.changed();
    });
  }
  const { hand } = shown ?? {};
  return h(
    'main',
    { class: 'lobby replay', 'data-region': 'main', tabIndex: -1 },
    button(t('replay.back'), () => app.show('history')),
    h('h1', {}, t('replay.title')),
    hand ? [summary(hand), steps(app, hand), fairness(app, hand)] : h('p', {}, '…'),
  );
}

/** @param {any} hand */
function summary(hand) {
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, titleOf(hand.summary.game, hand.summary.run), ' #', hand.summary.handNo),
    h(
      'ul',
      {},
      ...hand.summary.seats.map((/** @type {any} */ seat) =>
        h('li', {}, `${nameWords(seat.name ?? '')}: `, h('strong', {}, signed(seat.change))),
      ),
    ),
  );
}

/** The steps that have something to tell, each with its lines. @param {any} hand */
function toldSteps(hand) {
  const describe = game(hand.summary.game)?.describe;
  const who = (/** @type {number|undefined} */ seat) => {
    const sitter = hand.summary.seats.find(
      (/** @type {any} */ one) => (one.seat ?? 0) === (seat ?? 0));
    return sitter?.name ? nameWords(sitter.name) : t('seat.number', { seat: (seat ?? 0) + 1 });
  };
  return (hand.steps ?? [])
    .map((/** @type {any} */ step, /** @type {number} */ index) => ({
      index,
      lines: (step.events ?? [])
        .map((/** @type {any} */ event) => (describe ? describe(event, who) : plain(event)))
        .filter(Boolean),
    }))
    .filter((/** @type {any} */ step) => step.lines.length);
}

/** An event of a game that this page cannot tell. @param {any} event */
function plain(event) {
  return event.play ? [h('code', {}, JSON.stringify(Object.values(event.play)[0]))] : null;
}

/** @param {import('../app.js').App} app @param {any} hand */
function steps(app, hand) {
  if (!shown) return null;
  const told = toldSteps(hand);
  if (!told.length) return h('section', { class: 'panel' }, h('p', {}, t('replay.secret')));
  const last = told.length - 1;
  const at = Math.min(shown.step, last);
  const go = (/** @type {number} */ by) => () => {
    if (shown) shown.step = Math.max(0, Math.min(last, at + by));
    app.changed();
  };
  const turn = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {number} */ by) =>
    button(sign, go(by), {
      'aria-label': t(`replay.${name}`),
      title: t(`replay.${name}`),
      'data-key': `replay-${name}`,
      disabled: by < 0 ? at === 0 : at === last,
    });
  const past = told.slice(0, at + 1).reverse();
  return h(
    'section',
    { class: 'panel' },
    h(
      'div',
      { class: 'actions' },
      turn('|<', 'first', -last),
      turn('<', 'previous', -1),
      h(
        'span',
        { class: 'step', role: 'status' },
        t('replay.step', { step: at + 1, steps: last + 1 }),
      ),
      turn('>', 'next', 1),
      turn('>|', 'last', last),
    ),
    game(hand.summary.game)?.drawReplay?.(hand, told[at].index + 1) ?? null,
    h(
      'ol',
      { class: 'events', tabIndex: 0, 'aria-label': t('replay.title') },
      ...past.flatMap((/** @type {any} */ step, /** @type {number} */ age) =>
        step.lines.map((/** @type {any[]} */ line) =>
          h('li', { class: age ? '' : 'now' }, ...line),
        ),
      ),
    ),
  );
}

/** @param {import('../app.js').App} app @param {any} hand */
function fairness(app, hand) {
  const check = async () => {
    const fair = hand.fairness ?? {};
    const { revealed, committed, stream, labelled } = await verifySeeds(
      fair, hand.summary.handNo);
    const dealt = stream ? await checkDeal(hand, stream, labelled) : null;
    if (shown) shown.verdict = { revealed, committed, dealt };
    app.changed();
  };
  const { verdict } = shown ?? {};
  const seed = bytesOf(hand.fairness?.serverSeed);
  return h(
    'section',
    { class: 'panel fair' },
    h('h2', {}, t('fair.title')),
    h('p', {}, t('fair.about')),
    h(
      'dl',
      {},
      h('dt', {}, t('fair.commitment')),
      h('dd', {}, hexOf(bytesOf(hand.fairness?.commitment))),
      h('dt', {}, t('fair.seed')),
      h('dd', {}, seed.length ? hexOf(seed) : t('fair.hidden')),
    ),
    button(t('fair.verify'), check, { class: 'primary' }),
    verdict ? h('p', { class: `verdict ${isWrong(verdict) ? 'loss' : 'gain'}`, role: 'status' },
      judge(verdict)) : null,
  );
}

/** @typedef {{revealed: boolean, committed: boolean, dealt: boolean|null}} Verdict */

/** @param {Verdict} verdict */
function isWrong({ revealed, committed, dealt }) {
  return revealed && (!committed || dealt === false);
}

/** @param {Verdict} verdict */
function judge({ revealed, committed, dealt }) {
  if (!revealed) return t('fair.notYet');
  if (!committed) return t('fair.wrongSeed');
  if (dealt === false) return t('fair.wrongDeal');
  return t(dealt ? 'fair.sound' : 'fair.seedSound');
}
