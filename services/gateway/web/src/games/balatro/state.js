// @ts-check
/** What the page itself remembers of a run: the selection, what is looked at, how cards lie. */

/**
 * @typedef {import('../../client/protocol').BalatroRun} Run
 * @typedef {import('../../client/protocol').BalatroCard} Card
 */

/** @typedef {import('../../app.js').App} App */
/** @typedef {{kind: 'joker'|'consumable'|'offer'|'voucher'|'pack'|'choice'|'tag',
 *   item: number}} Subject */

/** Most cards of a play. */
export const MOST_SELECTED = 5;
const RANKS = '23456789TJQKA';
const SUITS = 'DCHS';

export const ui = {
  /** Ids of the selected held cards, in the order of selection. @type {number[]} */
  selected: [],
  /** What the inspector shows. @type {Subject|null} */
  subject: null,
  /** @type {'hands'|'deck'|'run'|null} */
  sheet: null,
  /** How the hand is kept sorted; null: by the player. @type {'rank'|'suit'|null} */
  sort: 'rank',
  /** A command is on its way. */
  busy: false,
  /** Giving up asks twice. */
  surrendering: false,
  /** The run that ended, until its outcome was read. @type {any} */
  ended: null,
  /** How the last run ended, which says more than the view. @type {any} */
  summary: null,
  /** What happened last and has a sentence.
   * @type {import('../../client/protocol').BalatroEvent[]} */
  news: [],
  /** Jokers by item number, as they were seen. @type {Map<number, string>} */
  known: new Map(),
  /** The row, the hand and the blind at the last drawing.
   * @type {{jokers: any[], hand: any[], blind: any}} */
  before: { jokers: [], hand: [], blind: null },
};

/** What the last drawing was about. */
let scene = '';
/** The hand that was last sent to be sorted. */
let sorted = '';

/** The run that is shown. @param {App} app */
export function runOf(app) {
  const run = app.shown.view?.balatro?.run;
  if (run) numbered(run.hand);
  return run;
}

/**
 * Writes out the ids that the wire leaves out because they are 0.
 * @param {any[]|undefined} cards
 */
export function numbered(cards) {
  for (const card of cards ?? []) card.id ??= 0;
  return cards ?? [];
}

/** The viewer plays this run by hand. @param {App} app */
export function plays(app) {
  const own = app.shown.seats[app.shown.ownSeat ?? -1];
  return Boolean(own) && !own.autoPlay && app.shown.phase === 'PHASE_IN_HAND';
}

/** The phase in lower case, such as "blind_select". @param {Run} run */
export function phaseOf(run) {
  return word(run.phase, 'BALATRO_PHASE_');
}

/**
 * The rest of an enum's name in lower case.
 * @param {string|undefined} name @param {string} prefix
 */
export function word(name, prefix) {
  return (name ?? '').replace(prefix, '').toLowerCase();
}

/**
 * Sends a command of the run. Tells whether it was accepted.
 * @param {App} app @param {object} command
 */
export async function send(app, command) {
  if (ui.busy) return false;
  ui.busy = true;
  app.changed();
  const answer = await app.act({ play: { balatro: command } });
  ui.busy = false;
  app.changed();
  return answer !== null;
}

/** A command without parameters. @param {App} app @param {string} name */
export function act(app, name) {
  return send(app, { action: `BALATRO_ACTION_${name}` });
}

/** Forgets what does not belong to the scene any more. @param {App} app @param {Run} run */
export function settle(app, run) {
  const now = [app.shown.tableId, app.shown.view?.balatro?.runs, run.phase, run.roundNo,
    run.pack?.pack ?? ''].join('/');
  if (now !== scene) {
    ui.selected = [];
    ui.subject = null;
    ui.surrendering = false;
  }
  scene = now;
  const held = new Set((run.hand ?? []).map((/** @type {Card} */ card) => card.id));
  ui.selected = ui.selected.filter((id) => held.has(id));
  const forced = run.round?.forcedCard;
  if (forced !== undefined && held.has(forced) && !ui.selected.includes(forced)) {
    ui.selected = [forced, ...ui.selected].slice(0, MOST_SELECTED);
  }
  keepSorted(app, run);
}

/** Asks the table for the order that is shown. @param {App} app @param {Run} run */
function keepSorted(app, run) {
  if (!ui.sort || !run.may?.reorderHand || !plays(app) || ui.busy) return;
  const wanted = shownHand(app, run).map((card) => card.id).join();
  const given = (run.hand ?? []).map((/** @type {Card} */ card) => card.id).join();
  if (wanted === given || sorted === `${scene}:${given}>${wanted}`) return;
  sorted = `${scene}:${given}>${wanted}`;
  setTimeout(() => send(app, { reorderHand: { cards: wanted.split(',').map(Number) } }));
}

/** The hand as it lies on the page. @param {App} app @param {Run} run @returns {any[]} */
export function shownHand(app, run) {
  const hand = [...(run.hand ?? [])];
  if (!ui.sort || !plays(app) || !run.may?.reorderHand) return hand;
  const bySuit = ui.sort === 'suit';
  const value = (/** @type {Card} */ card) => {
    if (!card.card) return card.faceDown ? -2 : -1;
    const [rank, suit] = [rankOf(card.card), SUITS.indexOf(card.card.slice(-1))];
    return bySuit ? suit * 20 + rank : rank * 4 + suit;
  };
  return hand.sort((a, b) => value(b) - value(a) || (a.id ?? 0) - (b.id ?? 0));
}

/** 0 for a two, 12 for an ace. @param {string} card */
export function rankOf(card) {
  return RANKS.indexOf(card.slice(0, -1).replace('10', 'T'));
}

/** Puts a held card at another place. @param {App} app @param {number} id @param {number} by */
export function moveCard(app, id, by) {
  const order = shownHand(app, runOf(app) ?? {}).map((card) => card.id);
  if (!moved(order, id, by)) return;
  ui.sort = null;
  send(app, { reorderHand: { cards: order } });
}

/** Puts a joker at another place. @param {App} app @param {number} item @param {number} by */
export function moveJoker(app, item, by) {
  const order = (runOf(app)?.jokers ?? []).map((/** @type {any} */ view) => view.joker.item ?? 0);
  if (moved(order, item, by)) send(app, { reorderJokers: { items: order } });
}

/** @param {number[]} order @param {number} one @param {number} by */
function moved(order, one, by) {
  const from = order.indexOf(one);
  const to = from + by;
  if (from < 0 || to < 0 || to >= order.length) return false;
  order.splice(from, 1);
  order.splice(to, 0, one);
  return true;
}

/** Selects a held card, or not any more. @param {App} app @param {number} id */
export function toggleCard(app, id) {
  if (ui.selected.includes(id)) {
    if (runOf(app)?.round?.forcedCard === id) return;
    ui.selected = ui.selected.filter((one) => one !== id);
  } else if (ui.selected.length < MOST_SELECTED) ui.selected = [...ui.selected, id];
  app.changed();
}

/** Looks at something, or not any more. @param {App} app @param {Subject} subject */
export function inspect(app, subject) {
  const same = ui.subject?.kind === subject.kind && ui.subject.item === subject.item;
  ui.subject = same ? null : subject;
  app.changed();
  // What a consumable is used on lies at the end of the page, just above the inspector.
  const aims = subject.kind === 'consumable' || subject.kind === 'choice';
  if (ui.subject && aims && runOf(app)?.hand?.length) {
    const middle = document.querySelector('.middle');
    middle?.scrollTo({ top: middle.scrollHeight });
  }
}

/** @param {Subject['kind']} kind @param {number} item */
export function isInspected(kind, item) {
  return ui.subject?.kind === kind && ui.subject.item === item;
}
