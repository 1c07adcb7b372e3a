// @ts-check
/** The form that opens a room, made from `games/options.js`. */

import { matchLength, priceOf } from '../clubs.js';
import { loadNames, nameOf } from '../games/balatro/names.js';
import { ROOM_GAMES, optionsOf } from '../games/options.js';
import { button, h } from '../ui/dom.js';
import { number, t } from '../ui/i18n.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../games/options.js').Option} Option */

/** Pauses of bots before they act, in milliseconds. @type {Record<string, [number, number]>} */
const BOT_PACES = { NORMAL: [600, 1800], FAST: [150, 400], SLOW: [1500, 4000] };
/** Most hands of a room. */
const HANDS_MOST = 1000;
/** Most chips to bring. */
const BUY_IN_MOST = 100_000_000;

/**
 * What is filled in, by game, so that it survives a redraw.
 * @type {Record<string, Record<string, any>>}
 */
const filled = {};
/** @type {string} */
let game = Object.keys(ROOM_GAMES)[0];
let more = false;

/** What every room has, besides the game's own options. @returns {Option[]} */
function tableOptions() {
  const { chips, seats: [fewest, most] } = ROOM_GAMES[game];
  const points = !chips || values().stakeMode === 'POINTS';
  /** @type {(Option|false)[]} */
  const options = [
    chips && { key: 'stakeMode', kind: 'choice', value: 'CHIPS', choices: ['CHIPS', 'POINTS'],
      basic: true },
    !points && { key: 'buyIn', kind: 'amount', value: 2000, min: 1, max: BUY_IN_MOST, basic: true },
    game === 'blackjack' && { key: 'seats', kind: 'number', value: 4, min: fewest, max: most,
      basic: true },
    most > 1 && { key: 'botsAllowed', kind: 'switch', value: true, basic: true },
    { key: 'spectatorsAllowed', kind: 'switch', value: false, basic: true },
    most > 1 && { key: 'fillWithBots', kind: 'switch', value: false },
    most > 1 && { key: 'botPace', kind: 'choice', value: 'NORMAL',
      choices: Object.keys(BOT_PACES) },
    most > 1 && { key: 'timeBankMs', kind: 'seconds', value: 0, min: 0, max: 600 },
    { key: 'alwaysReady', kind: 'switch', value: most === 1 },
    { key: 'handsLimit', kind: 'number', value: 0, min: 0, max: HANDS_MOST },
  ];
  return options.filter((option) => option !== false);
}

/** What is filled in for the game that is chosen. */
function values() {
  filled[game] ??= {};
  return filled[game];
}

/** A room for friends. @param {App} app @param {boolean} busy */
export function drawRoomForm(app, busy) {
  if (game === 'balatro') loadNames(() => app.changed());
  const open = (/** @type {Event} */ event) => {
    event.preventDefault();
    app.createRoom(settings(), app.clubs.forRoom);
  };
  const cost = costOf(app);
  const toggle = () => {
    more = !more;
    app.changed();
  };
  return h('form', { class: 'room-form', onsubmit: open },
    whose(app),
    h('div', { class: 'choices', role: 'group', 'aria-label': t('rooms.game') },
      ...Object.keys(ROOM_GAMES).map((id) => gameButton(app, id))),
    part('rooms.table', 'table', tableOptions(), app),
    part('rooms.rules', game, ROOM_GAMES[game].options, app),
    button(t(more ? 'rooms.less' : 'rooms.more'), toggle,
      { 'aria-expanded': String(more), 'data-key': 'room-more', class: 'quiet' }),
    h('div', { class: 'submit' },
      h('button', { type: 'submit', class: 'primary', disabled: busy || cost?.isTooMuch,
        'data-key': 'room-open', 'data-room': game }, t('rooms.create')),
      busy ? h('small', {}, t('rooms.busy')) : null,
      cost ? h('small', { class: cost.isTooMuch ? 'loss' : null, role: 'status' }, cost.words)
        : null));
}

/** Who may come in: whoever has the code, or the members of a club. @param {App} app */
function whose(app) {
  const { list, forRoom } = app.clubs;
  if (!list?.length) return null;
  const option = (/** @type {string} */ value, /** @type {string} */ words) => (
    h('option', { value, selected: value === forRoom }, words));
  return h('div', { class: 'field whose' },
    h('label', { htmlFor: 'room-club' }, t('rooms.whose')),
    h('select', { id: 'room-club', 'aria-describedby': 'room-club-about',
      onchange: (/** @type {Event} */ event) => (
        app.clubs.choose(/** @type {HTMLSelectElement} */ (event.target).value)) },
    option('', t('rooms.whose.anybody')),
    ...list.map(({ clubId = '', name = '' }) => option(clubId, name))),
    h('small', { id: 'room-club-about' }, t(forRoom ? 'rooms.whose.club' : 'rooms.whose.code')));
}

/** What the club's room costs, null for nobody's. @param {App} app */
function costOf(app) {
  const { forRoom, club } = app.clubs;
  if (!forRoom || club?.clubId !== forRoom) return null;
  const price = priceOf(club.prices ?? [], matchLength(settings()));
  const has = Number(club.cards ?? 0);
  const isTooMuch = price > has;
  const words = price === 0 ? t('rooms.cost.none')
    : t(isTooMuch ? 'rooms.cost.tooMuch' : 'rooms.cost', {
      cards: number(price), has: number(has) });
  return { words, isTooMuch };
}

/** @param {App} app @param {string} id */
function gameButton(app, id) {
  const choose = () => {
    game = id;
    app.changed();
  };
  return button(t(`game.${id}`), choose, { 'aria-pressed': String(id === game),
    'data-key': `room-game-${id}`, 'data-room-game': id });
}

/** @param {string} title @param {string} group @param {Option[]} options @param {App} app */
function part(title, group, options, app) {
  const shown = options.filter(({ basic }) => basic || more);
  return h('fieldset', { class: 'panel', 'data-key': `part-${group}` },
    h('legend', {}, t(title)),
    h('div', { class: 'fields' }, ...shown.map((option) => field(app, group, option))));
}

/** @param {App} app @param {string} group @param {Option} option */
function field(app, group, option) {
  const name = `opt.${group}.${option.key}`;
  const id = `${group}-${option.key}`;
  const value = values()[option.key] ?? option.value;
  const keep = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    values()[option.key] = option.kind === 'switch' ? input.checked : input.value;
    // The stakes change what else there is to fill in, the length of the match what it costs.
    if (['stakeMode', 'handsLimit', 'rounds'].includes(option.key)) app.changed();
  };
  const shared = { id, name: option.key, 'aria-describedby': `${id}-about`, oninput: keep };
  return h('div', { class: `field kind-${option.kind}`, 'data-key': `field-${id}` },
    h('label', { htmlFor: id }, t(name),
      option.kind === 'seconds' ? ` (${t('rooms.seconds')})` : ''),
    control(option, name, value, shared),
    h('small', { id: `${id}-about` }, t(`${name}.about`)));
}

/** A choice in words. @param {Option} option @param {string} name @param {any} choice */
function choiceWords({ kind, names }, name, choice) {
  if (kind === 'count' || kind === 'payout') return String(choice);
  if (kind === 'id' && names && choice) {
    return nameOf(/** @type {import('../games/balatro/names.js').Kind} */ (names), choice);
  }
  return t(`${name}.${choice || 'none'}`);
}

/**
 * @param {Option} option
 * @param {string} name
 * @param {any} value
 * @param {Record<string, any>} shared
 */
function control(option, name, value, shared) {
  if (option.kind === 'switch')
    return h('input', { ...shared, type: 'checkbox', role: 'switch', checked: Boolean(value) });
  if (option.choices) {
    return h('select', shared, ...option.choices.map((one) => h('option', {
      value: String(one), selected: String(one) === String(value),
    }, choiceWords(option, name, one))));
  }
  if (option.kind === 'text') {
    return h('input', { ...shared, type: 'text', maxLength: option.max, pattern: option.pattern,
      autocomplete: 'off', spellcheck: false, value: String(value) });
  }
  return h('input', { ...shared, type: 'number', inputMode: 'numeric', min: String(option.min ?? 0),
    max: String(option.max ?? ''), step: '1', required: true, value: String(value) });
}

/** The settings that the form says. @returns {import('../client/protocol').TableSettings} */
function settings() {
  const { chips: mayChips, seats: [, most] } = ROOM_GAMES[game];
  const given = values();
  const of = (/** @type {string} */ key) => (
    given[key] ?? tableOptions().find((option) => option.key === key)?.value);
  const options = optionsOf(game, given);
  const chips = mayChips && of('stakeMode') === 'CHIPS';
  const seats = game === 'mahjong' ? Number(given.players ?? most)
    : game === 'blackjack' ? Number(of('seats')) : most;
  if (game === 'blackjack') options.seats = seats;
  const [botDelayMinMs, botDelayMaxMs] = BOT_PACES[of('botPace') ?? 'NORMAL'];
  return {
    options: { [game]: options },
    stakeMode: chips ? 'STAKE_MODE_CHIPS' : 'STAKE_MODE_POINTS',
    ...(chips ? { buyIn: String(of('buyIn')) } : {}),
    seats,
    botsAllowed: of('botsAllowed') ?? false,
    fillWithBots: of('fillWithBots') ?? false,
    alwaysReady: of('alwaysReady'),
    handsLimit: Number(of('handsLimit')),
    timeBankMs: Number(of('timeBankMs') ?? 0) * 1000,
    spectatorsAllowed: of('spectatorsAllowed'),
    botDelayMinMs,
    botDelayMaxMs,
  };
}
