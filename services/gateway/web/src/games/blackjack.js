// @ts-check
/** Player-banked blackjack on the page. */

import { cards } from '../ui/cards.js';
import { countdown } from '../ui/clock.js';
import { button, h } from '../ui/dom.js';
import { number, signed, t } from '../ui/i18n.js';

export { checkDeal, describe } from './blackjack/replay.js';

/** @typedef {import('../app.js').App} App */

/** The stake that the player chose last, offered again. @type {number|null} */
let lastBet = null;

/** @param {App} app */
function viewOf(app) {
  return app.table.view?.blackjack ?? {};
}

/** @param {App} app @param {number} seat */
function nameOf(app, seat) {
  return app.table.seats[seat]?.name ?? t('seat.number', { seat: seat + 1 });
}

/** The banker's cards above, the other players' below. @param {App} app */
export function draw(app) {
  const view = viewOf(app);
  if (view.phase === 'BLACKJACK_PHASE_IDLE' || !view.banker) return settled(app, view.last);
  const others = (view.seats ?? []).filter(
    (/** @type {any} */ seat) => (seat.seat ?? 0) !== app.table.ownSeat,
  );
  return h(
    'div',
    { class: 'felt' },
    h(
      'section',
      { class: 'banker', 'aria-label': t('bj.banker') },
      h('h2', {}, t('bj.bankerOf', { name: nameOf(app, view.banker.seat ?? 0) })),
      cards(view.banker.cards ?? [], view.banker.faceDown ?? 0),
      total(view.banker.total),
    ),
    h('p', { class: 'stage', role: 'status' }, t(`bj.phase.${stageOf(view)}`)),
    h(
      'div',
      { class: 'players' },
      ...others.map((/** @type {any} */ seat) => player(app, view, seat)),
    ),
    h('p', { class: 'shoe' }, t('bj.shoe', { cards: view.shoe?.stock ?? 0 })),
  );
}

/** @param {any} view */
function stageOf(view) {
  return (view.phase ?? '').replace('BLACKJACK_PHASE_', '').toLowerCase();
}

/** The player's own hands, always in sight. @param {App} app */
export function own(app) {
  const view = viewOf(app);
  if (view.phase === 'BLACKJACK_PHASE_IDLE' || !view.banker) return null;
  const mine = app.table.ownSeat;
  if (mine !== undefined && (view.banker.seat ?? 0) === mine) {
    return h('p', { class: 'own-note' }, t('bj.youBank'));
  }
  const seat = (view.seats ?? []).find((/** @type {any} */ one) => (one.seat ?? 0) === mine);
  return seat ? player(app, view, seat) : null;
}

/** @param {App} app @param {any} view @param {any} seat */
function player(app, view, seat) {
  const index = seat.seat ?? 0;
  const mine = index === app.table.ownSeat;
  const hands = (seat.hands ?? []).map((/** @type {any} */ hand, /** @type {number} */ place) => {
    const turn = view.turn && (view.turn.seat ?? 0) === index && (view.turn.hand ?? 0) === place;
    return h(
      'div',
      { class: `bj-hand ${turn ? 'turn' : ''}` },
      cards(hand.cards ?? [], hand.faceDown ?? 0),
      total(hand.total),
      h('span', { class: 'stake' }, number(hand.stake)),
      h('span', { class: 'status' }, status(hand)),
    );
  });
  const bet = seat.sitsOut
    ? t('bj.sitsOut')
    : seat.bet
      ? number(seat.bet)
      : t(mine ? 'bj.yourBet' : 'bj.deciding');
  const name = mine ? t('you') : nameOf(app, index);
  return h(
    'section',
    { class: `player ${mine ? 'mine' : ''}`, 'aria-label': name },
    h('h3', {}, name),
    ...hands,
    hands.length ? null : h('p', { class: 'bet' }, bet),
    seat.insurance ? h('p', {}, t('bj.insured', { amount: number(seat.insurance) })) : null,
  );
}

/** @param {any} sum */
function total(sum) {
  if (!sum) return null;
  return h('output', { class: 'total' }, `${sum.soft ? t('bj.soft') : ''}${sum.points ?? 0}`);
}

/** @param {any} hand */
function status(hand) {
  if (hand.natural) return t('bj.natural');
  const word = (hand.status ?? '').replace('BLACKJACK_HAND_STATUS_', '').toLowerCase();
  return word && word !== 'open' && word !== 'stood' ? t(`bj.status.${word}`) : '';
}

/** The last round with all cards open. @param {App} app @param {any} last */
function settled(app, last) {
  if (!last) return h('p', { class: 'pending' }, t('table.waiting'));
  const banker = last.banker ?? {};
  const mine = app.table.ownSeat;
  const played = [banker, ...(last.seats ?? [])];
  const result = played.find((/** @type {any} */ one) => (one.seat ?? 0) === mine);
  return h(
    'div',
    { class: 'felt settled' },
    h(
      'p',
      { class: 'big', role: 'status' },
      t(result && mine !== undefined ? 'bj.yourResult' : 'bj.settled', { round: last.round ?? 0 }),
      ' ',
      result && mine !== undefined ? change(result.delta) : null,
    ),
    h(
      'section',
      { class: 'banker' },
      h('h2', {}, t('bj.bankerOf', { name: nameOf(app, banker.seat ?? 0) })),
      cards(banker.cards ?? []),
      h(
        'p',
        {},
        h('output', { class: 'total' }, banker.total ?? 0),
        ' ',
        banker.natural ? h('span', { class: 'status' }, t('bj.natural'), ' ') : null,
        change(banker.delta),
      ),
    ),
    h(
      'div',
      { class: 'players' },
      ...(last.seats ?? []).map((/** @type {any} */ seat) =>
        h(
          'section',
          { class: `player ${(seat.seat ?? 0) === mine ? 'mine' : ''}` },
          h('h3', {}, (seat.seat ?? 0) === mine ? t('you') : nameOf(app, seat.seat ?? 0)),
          ...(seat.hands ?? []).map((/** @type {any} */ hand) =>
            h(
              'div',
              { class: 'bj-hand' },
              cards(hand.cards ?? []),
              h('output', { class: 'total' }, hand.total ?? 0),
              h('span', { class: 'status' }, outcome(hand)),
            ),
          ),
          change(seat.delta),
        ),
      ),
    ),
    h('p', { class: 'shoe' }, t('table.waiting')),
  );
}

/** @param {any} hand */
function outcome(hand) {
  return t(`bj.outcome.${(hand.outcome ?? '').replace('BLACKJACK_OUTCOME_', '').toLowerCase()}`);
}

/** @param {string|number|undefined} delta */
function change(delta) {
  return h('strong', { class: Number(delta ?? 0) < 0 ? 'loss' : 'gain' }, signed(delta));
}

/** What the player may do now. @param {App} app */
export function actions(app) {
  const may = viewOf(app).actions;
  if (!may) return null;
  const move = (/** @type {string} */ name) => () => play(app, { move: `BLACKJACK_MOVE_${name}` });
  const offer = (
    /** @type {any} */ allowed,
    /** @type {string} */ name,
    /** @type {any} */ amount,
  ) =>
    allowed
      ? button(
          amount === undefined ? t(`bj.${name}`) : t(`bj.${name}`, { amount: number(amount) }),
          move(name),
          { 'data-key': name, 'data-move': name },
        )
      : null;
  const clock = (app.table.clocks ?? []).find(
    (/** @type {any} */ one) => (one.seat ?? 0) === app.table.ownSeat,
  );
  return h(
    'div',
    { class: 'actions', role: 'group', 'aria-label': t('bj.actions') },
    clock ? countdown(clock.deadlineMs) : null,
    may.bet ? bets(app, may.bet) : null,
    offer(may.sitOut, 'SIT_OUT', undefined),
    may.highestInsurance
      ? button(t('bj.insure', { amount: number(may.highestInsurance) }), () =>
          play(app, { insurance: { amount: may.highestInsurance } }),
        )
      : null,
    offer(may.declineInsurance, 'DECLINE_INSURANCE', undefined),
    offer(may.evenMoneyWins !== undefined, 'EVEN_MONEY', may.evenMoneyWins),
    offer(may.hit, 'HIT', undefined),
    offer(may.stand, 'STAND', undefined),
    offer(may.doubleAdds !== undefined, 'DOUBLE', may.doubleAdds),
    offer(may.splitAdds !== undefined, 'SPLIT', may.splitAdds),
    offer(may.surrenderLoses !== undefined, 'SURRENDER', may.surrenderLoses),
  );
}

/** @param {App} app @param {any} bounds */
function bets(app, bounds) {
  const [lowest, highest] = [Number(bounds.lowest), Number(bounds.highest)];
  const step = Number(bounds.step ?? 1);
  const fit = (/** @type {number} */ bet) =>
    Math.floor(Math.max(lowest, Math.min(highest, bet)) / step) * step || lowest;
  const middle = fit((lowest + highest) / 2);
  const choices = [...new Set([lowest, fit(lastBet ?? middle), middle, highest])];
  const bet = (/** @type {number} */ amount) => () => {
    lastBet = amount;
    play(app, { bet: { amount: String(amount) } });
  };
  return h(
    'span',
    { class: 'bets', role: 'group', 'aria-label': t('bj.betting') },
    ...choices
      .sort((a, b) => a - b)
      .map((amount) =>
        button(t('bj.bet', { amount: number(amount) }), bet(amount), {
          class: 'primary',
          'data-bet': String(amount),
          'data-key': `bet-${amount}`,
        }),
      ),
  );
}

/** @param {App} app @param {object} action */
function play(app, action) {
  return app.act({ play: { blackjack: action } });
}
