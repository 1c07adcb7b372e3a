// @ts-check
import { bytesOf, hexOf, verifySeeds } from '../fair/verify.js';
import { checkDeal } from '../games/index.js';
import { button, h } from '../ui/dom.js';
import { signed, t } from '../ui/i18n.js';

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
  return h('main', { class: 'lobby replay' },
    button(t('replay.back'), () => app.show('history')),
    h('h1', {}, t('replay.title')),
    hand ? [summary(hand), steps(app, hand), fairness(app, hand)] : h('p', {}, '…'));
}

/** @param {any} hand */
function summary(hand) {
  return h('section', { class: 'panel' },
    h('h2', {}, t(`game.${hand.summary.game}`), ' #', hand.summary.handNo),
    h('ul', {}, ...hand.summary.seats.map((/** @type {any} */ seat) => h('li', {},
      `${seat.name}: `, h('strong', {}, signed(seat.change))))));
}

/** @param {import('../app.js').App} app @param {any} hand */
function steps(app, hand) {
  if (!shown) return null;
  const last = hand.steps.length - 1;
  const go = (/** @type {number} */ by) => () => {
    if (shown) shown.step = Math.max(0, Math.min(last, shown.step + by));
    app.changed();
  };
  const step = hand.steps[shown.step];
  return h('section', { class: 'panel' },
    h('p', { role: 'status' }, t('replay.step', { step: shown.step + 1, steps: last + 1 })),
    h('div', { class: 'actions' },
      button('⏮', go(-last), { 'aria-label': t('replay.first') }),
      button('◀', go(-1), { 'aria-label': t('replay.previous') }),
      button('▶', go(1), { 'aria-label': t('replay.next') }),
      button('⏭', go(last), { 'aria-label': t('replay.last') })),
    h('ol', { class: 'events' }, ...(step?.events ?? []).map((/** @type {any} */ event) => (
      h('li', {}, h('code', {}, JSON.stringify(Object.values(event)[0])))))));
}

/** @param {import('../app.js').App} app @param {any} hand */
function fairness(app, hand) {
  const check = async () => {
    const fair = hand.fairness ?? {};
    const { revealed, committed, stream } = await verifySeeds(fair, hand.summary.handNo);
    const dealt = stream ? checkDeal(hand, stream) : null;
    if (shown) shown.verdict = { revealed, committed, dealt };
    app.changed();
  };
  const { verdict } = shown ?? {};
  const seed = bytesOf(hand.fairness?.serverSeed);
  return h('section', { class: 'panel fair' },
    h('h2', {}, t('fair.title')),
    h('p', {}, t('fair.about')),
    h('dl', {},
      h('dt', {}, t('fair.commitment')), h('dd', {}, hexOf(bytesOf(hand.fairness?.commitment))),
      h('dt', {}, t('fair.seed')), h('dd', {}, seed.length ? hexOf(seed) : t('fair.hidden'))),
    button(t('fair.verify'), check, { class: 'primary' }),
    verdict ? h('p', { class: 'verdict', role: 'status' }, judge(verdict)) : null);
}

/** @param {{revealed: boolean, committed: boolean, dealt: boolean|null}} verdict */
function judge({ revealed, committed, dealt }) {
  if (!revealed) return t('fair.notYet');
  if (!committed) return t('fair.wrongSeed');
  if (dealt === false) return t('fair.wrongDeal');
  return t(dealt ? 'fair.sound' : 'fair.seedSound');
}
