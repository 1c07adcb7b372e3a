// @ts-check
/** Player-banked blackjack on the page. */

import { cards } from '../ui/cards.js';
import { countdown } from '../ui/clock.js';
import { button, h } from '../ui/dom.js';
import { number, signed, t } from '../ui/i18n.js';
import { nameWords } from '../ui/names.js';

export { checkDeal, describe, drawReplay } from './blackjack/replay.js';

/**
 * @typedef {import('../app.js').App} App
 * @typedef {import('../client/protocol').BlackjackView} View
 * @typedef {import('../client/protocol').BlackjackSeat} Seat
 * @typedef {import('../client/protocol').BlackjackHand} Hand
 * @typedef {import('../client/protocol').BlackjackTotal} Total
 * @typedef {import('../client/protocol').BlackjackSettlement} Settlement
 * @typedef {import('../client/protocol').BlackjackBetBounds} Bounds
 */

/** The stake that the player chose last, offered again. @type {number|null} */
let lastBet = null;

/** @param {App} app @returns {View} */
function viewOf(app) {
  return app.shown.view?.blackjack ?? {};
}

/** @param {App} app @param {number} seat */
function nameOf(app, seat) {
  if (seat === app.shown.ownSeat) return t('you');
  const { name } = app.shown.seats[seat] ?? {};
  return name ? nameWords(name) : t('seat.number', { seat: seat + 1 });
}

/** Between rounds. @param {View} view */
function isIdle(view) {
  return view.phase === 'BLACKJACK_PHASE_IDLE' || !view.banker;
}

/** The banker's cards above, the other players' below. @param {App} app */
export function draw(app) {
  const view = viewOf(app);
  const { banker } = view;
  if (isIdle(view) || !banker) return settled(app, view.last);
  const others = (view.seats ?? []).filter((seat) => (seat.seat ?? 0) !== app.shown.ownSeat);
  return h('div', { class: 'felt' },
    h('section', { class: 'banker', 'aria-label': t('bj.banker') },
      h('h2', {}, t('bj.bankerOf', { name: nameOf(app, banker.seat ?? 0) })),
      cards(banker.cards ?? [], banker.faceDown ?? 0), total(banker.total)),
    h('p', { class: 'stage', role: 'status' }, stageWords(app, view)),
    h('div', { class: 'players' }, ...others.map((seat) => player(app, view, seat))),
    h('p', { class: 'shoe' }, t('bj.shoe', { cards: view.shoe?.stock ?? 0 })));
}

/** What happens now, and whose turn it is. @param {App} app @param {View} view */
function stageWords(app, view) {
  const stage = (view.phase ?? '').replace('BLACKJACK_PHASE_', '').toLowerCase();
  if (stage !== 'playing' || !view.turn) return t(`bj.phase.${stage}`);
  const seat = view.turn.seat ?? 0;
  return seat === app.shown.ownSeat ? t('bj.yourTurn')
    : t('bj.turnOf', { name: nameOf(app, seat) });
}

/** The player's own hands, always in sight. @param {App} app */
export function own(app) {
  const view = viewOf(app);
  if (isIdle(view)) return null;
  const mine = app.shown.ownSeat;
  if (mine !== undefined && (view.banker?.seat ?? 0) === mine) {
    return h('p', { class: 'own-note' }, t('bj.youBank'));
  }
  const seat = (view.seats ?? []).find((one) => (one.seat ?? 0) === mine);
  return seat ? player(app, view, seat) : null;
}

/** What is left of the player's time. @param {App} app */
function ownClock({ shown: { clocks = [], ownSeat } }) {
  return clocks.find(({ seat = 0 }) => seat === ownSeat);
}

/** @param {App} app @param {View} view @param {Seat} seat */
function player(app, view, seat) {
  const index = seat.seat ?? 0;
  const mine = index === app.shown.ownSeat;
  const hands = (seat.hands ?? []).map((hand, place) => {
    const turn = view.turn && (view.turn.seat ?? 0) === index && (view.turn.hand ?? 0) === place;
    return h('div', { class: `bj-hand ${turn ? 'turn' : ''}` },
      cards(hand.cards ?? [], hand.faceDown ?? 0), total(hand.total),
      h('span', { class: 'stake' }, number(hand.stake)),
      h('span', { class: 'status' }, status(hand)));
  });
  const bet = seat.sitsOut ? t('bj.sitsOut')
    : seat.bet ? h('span', { class: 'stake' }, number(seat.bet))
      : t(mine ? 'bj.yourBet' : 'bj.deciding');
  const clock = mine ? ownClock(app) : undefined;
  return h('section', { class: `player ${mine ? 'mine' : ''}`, 'aria-label': nameOf(app, index) },
    h('h3', {}, nameOf(app, index)),
    clock ? countdown(clock) : null,
    ...hands,
    hands.length ? null : h('p', { class: 'bet' }, bet),
    seat.insurance ? h('p', {}, t('bj.insured', { amount: number(seat.insurance) })) : null);
}

/** @param {Total|undefined} sum */
function total(sum) {
  if (!sum) return null;
  return h('output', { class: 'total' }, `${sum.soft ? t('bj.soft') : ''}${sum.points ?? 0}`);
}

/** @param {Hand} hand */
function status(hand) {
  if (hand.natural) return t('bj.natural');
  const word = (hand.status ?? '').replace('BLACKJACK_HAND_STATUS_', '').toLowerCase();
  return word && word !== 'open' && word !== 'stood' ? t(`bj.status.${word}`) : '';
}

/** The last round with all cards open. @param {App} app @param {Settlement|undefined} last */
function settled(app, last) {
  if (!last) return h('p', { class: 'pending' }, t('table.waiting'));
  const { banker = {}, seats = [] } = last;
  const mine = app.shown.ownSeat;
  const result = [banker, ...seats].find((one) => (one.seat ?? 0) === mine);
  // The own hand first: it is what one looks for.
  const order = [...seats].sort((a, b) => (
    Number((b.seat ?? 0) === mine) - Number((a.seat ?? 0) === mine)));
  return h('div', { class: 'felt settled' },
    h('p', { class: 'big', role: 'status' },
      t(result && mine !== undefined ? 'bj.yourResult' : 'bj.settled', { round: last.round ?? 0 }),
      ' ', result && mine !== undefined ? change(result.delta) : null),
    h('section', { class: 'banker' },
      h('h2', {}, t('bj.bankerOf', { name: nameOf(app, banker.seat ?? 0) })),
      cards(banker.cards ?? []),
      h('p', {}, h('output', { class: 'total' }, banker.total ?? 0), ' ',
        banker.natural ? h('span', { class: 'status' }, t('bj.natural'), ' ') : null,
        (banker.total ?? 0) > 21
          ? h('span', { class: 'status' }, t('bj.outcome.bust'), ' ') : null,
        change(banker.delta))),
    h('div', { class: 'players' }, ...order.map((seat) => paid(app, seat))),
    h('p', { class: 'shoe' }, t('table.waiting')));
}

/** @param {App} app @param {import('../client/protocol').BlackjackSeatSettlement} seat */
function paid(app, seat) {
  const index = seat.seat ?? 0;
  return h('section', { class: `player ${index === app.shown.ownSeat ? 'mine' : ''}` },
    h('h3', {}, nameOf(app, index)),
    ...(seat.hands ?? []).map((hand) => h('div', { class: 'bj-hand' },
      cards(hand.cards ?? []), h('output', { class: 'total' }, hand.total ?? 0),
      h('span', { class: 'status' }, outcome(hand.outcome)))),
    change(seat.delta));
}

/** @param {string|undefined} name */
function outcome(name) {
  return t(`bj.outcome.${(name ?? '').replace('BLACKJACK_OUTCOME_', '').toLowerCase()}`);
}

/** @param {string|number|undefined} delta */
function change(delta) {
  return h('strong', { class: Number(delta ?? 0) < 0 ? 'loss' : 'gain' }, signed(delta));
}

/** What the player may do now. @param {App} app */
export function actions(app) {
  const may = viewOf(app).actions;
  if (!may) return null;
  const offer = (/** @type {unknown} */ allowed, /** @type {string} */ name,
    /** @type {string|undefined} */ amount = undefined, look = '') => (allowed
    ? button(amount === undefined ? t(`bj.${name}`) : t(`bj.${name}`, { amount: number(amount) }),
      () => play(app, { move: /** @type {any} */ (`BLACKJACK_MOVE_${name}`) }),
      { class: look, 'data-key': name, 'data-move': name })
    : null);
  const highest = may.highestInsurance;
  return h('div', { class: 'actions moves', role: 'group', 'aria-label': t('bj.actions') },
    ...(may.bet ? bets(app, may.bet) : []),
    offer(may.sitOut, 'SIT_OUT'),
    highest ? button(t('bj.insure', { amount: number(highest) }),
      () => play(app, { insurance: { amount: highest } }), { 'data-key': 'insure' }) : null,
    offer(may.declineInsurance, 'DECLINE_INSURANCE'),
    offer(may.evenMoneyWins !== undefined, 'EVEN_MONEY', may.evenMoneyWins),
    offer(may.hit, 'HIT', undefined, 'primary'),
    offer(may.stand, 'STAND', undefined, 'primary'),
    offer(may.doubleAdds !== undefined, 'DOUBLE', may.doubleAdds),
    offer(may.splitAdds !== undefined, 'SPLIT', may.splitAdds),
    offer(may.surrenderLoses !== undefined, 'SURRENDER', may.surrenderLoses));
}

/** A slider for the stake, and the button that puts it down. @param {App} app
 * @param {Bounds} bounds */
function bets(app, bounds) {
  const [lowest, highest] = [Number(bounds.lowest ?? 0), Number(bounds.highest ?? 0)];
  const step = Number(bounds.step ?? 1);
  const fit = (/** @type {number} */ bet) => (
    lowest + Math.round((Math.max(lowest, Math.min(highest, bet)) - lowest) / step) * step);
  const stake = fit(lastBet ?? lowest);
  const choose = (/** @type {number} */ bet) => {
    lastBet = fit(bet);
    app.changed();
  };
  const slide = (/** @type {Event} */ event) => (
    choose(Number(/** @type {HTMLInputElement} */ (event.target).value)));
  const quick = (/** @type {string} */ sign, /** @type {string} */ name,
    /** @type {number} */ bet) => button(sign, () => choose(bet), { class: 'quiet step',
    'data-key': `bet-${name}`, 'aria-label': t(`bj.bet.${name}`), disabled: fit(bet) === stake });
  return [h('div', { class: 'bets', role: 'group', 'aria-label': t('bj.betting') },
    quick('−', 'less', stake - Math.max(step, lowest)),
    h('input', { type: 'range', min: String(lowest), max: String(highest), step: String(step),
      value: String(stake), 'aria-label': t('bj.stake'), 'data-key': 'bet-slider',
      oninput: slide }),
    quick('+', 'more', stake + Math.max(step, lowest))),
  button(t('bj.bet', { amount: number(stake) }),
    () => play(app, { bet: { amount: String(stake) } }),
    { class: 'primary', 'data-bet': String(stake), 'data-key': 'bet' })];
}

/** @param {App} app @param {import('../client/protocol').BlackjackCommand} action */
function play(app, action) {
  return app.act({ play: { blackjack: action } });
}
