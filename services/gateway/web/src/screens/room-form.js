// @ts-check
/** The form that opens a room, made from `games/options.js`. */

import { ROOM_GAMES, optionsOf } from '../games/options.js';
import { button, h } from '../ui/dom.js';
import { t } from '../ui/i18n.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../games/options.js').Option} Option */

/** Pause of bots before they act, in milliseconds. */
const BOT_DELAY = { botDelayMinMs: 600, botDelayMaxMs: 1800 };

/**
 * What is filled in, by game, so that it survives a redraw.
 * @type {Record<string, Record<string, any>>}
 */
const filled = {};
/** @type {string|null} */
let chosenGame = null;
let more = false;

/** What every room has, besides the game's own options. @param {string} game @returns {Option[]} */
function tableOptions(game) {
  const [fewest, most] = ROOM_GAMES[game].seats;
  const points = valuesOf(game).stakeMode === 'POINTS';
  /** @type {Option[]} */
  const stakes = [
    {
      key: 'stakeMode',
      kind: 'choice',
      value: 'CHIPS',
      choices: ['CHIPS', 'POINTS'],
      prefix: 'STAKE_MODE',
    },
  ];
  if (!points) stakes.push({ key: 'buyIn', kind: 'amount', value: 2000, min: 1, max: 100_000_000 });
  if (game !== 'mahjong') {
    stakes.push({ key: 'seats', kind: 'number', value: 4, min: fewest, max: most });
  }
  return [
    ...stakes,
    { key: 'botsAllowed', kind: 'switch', value: true },
    { key: 'spectatorsAllowed', kind: 'switch', value: false },
  ];
}

/** @param {string} game */
function valuesOf(game) {
  filled[game] ??= {};
  return filled[game];
}

/** A room for friends. @param {App} app @param {boolean} busy */
export function drawRoomForm(app, busy) {
  const games = Object.keys(ROOM_GAMES);
  const game = chosenGame ?? games[0];
  const own = ROOM_GAMES[game].options;
  const open = (/** @type {Event} */ event) => {
    event.preventDefault();
    app.createRoom(settingsOf(game));
  };
  return h(
    'form',
    { class: 'room-form', onsubmit: open },
    h(
      'div',
      { class: 'choices', role: 'group', 'aria-label': t('rooms.game') },
      ...games.map((id) =>
        button(
          t(`game.${id}`),
          () => {
            chosenGame = id;
            app.changed();
          },
          {
            'aria-pressed': String(id === game),
            'data-key': `room-game-${id}`,
            'data-room-game': id,
          },
        ),
      ),
    ),
    h(
      'fieldset',
      { class: 'panel' },
      h('legend', {}, t('rooms.table')),
      h(
        'div',
        { class: 'fields' },
        ...tableOptions(game).map((option) => field(app, game, 'table', option)),
      ),
    ),
    h(
      'fieldset',
      { class: 'panel' },
      h('legend', {}, t('rooms.rules')),
      h(
        'div',
        { class: 'fields' },
        ...own.filter(({ basic }) => basic || more).map((option) => field(app, game, game, option)),
      ),
      button(
        t(more ? 'rooms.less' : 'rooms.more'),
        () => {
          more = !more;
          app.changed();
        },
        { 'aria-expanded': String(more), 'data-key': 'room-more', class: 'quiet' },
      ),
    ),
    h(
      'div',
      { class: 'submit' },
      h(
        'button',
        {
          type: 'submit',
          class: 'primary',
          disabled: busy,
          'data-key': 'room-open',
          'data-room': game,
        },
        t('rooms.create'),
      ),
      busy ? h('small', {}, t('rooms.busy')) : null,
    ),
  );
}

/** @param {App} app @param {string} game @param {string} group @param {Option} option */
function field(app, game, group, option) {
  const values = valuesOf(game);
  const name = `opt.${group}.${option.key}`;
  const id = `${group}-${option.key}`;
  const value = values[option.key] ?? option.value;
  const keep = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    values[option.key] = option.kind === 'switch' ? input.checked : input.value;
    // The choice of stakes changes what else there is to fill in.
    if (option.key === 'stakeMode') app.changed();
  };
  const shared = {
    id,
    name: option.key,
    'data-key': id,
    'aria-describedby': `${id}-about`,
    onchange: keep,
  };
  return h(
    'div',
    { class: `field ${option.kind}` },
    h(
      'label',
      { htmlFor: id },
      t(name),
      option.kind === 'seconds' ? ` (${t('rooms.seconds')})` : '',
    ),
    control(option, name, value, shared),
    h('small', { id: `${id}-about` }, t(`${name}.about`)),
  );
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
    const label = (/** @type {any} */ one) =>
      option.kind === 'choice' ? t(`${name}.${one}`) : String(one);
    return h(
      'select',
      shared,
      ...option.choices.map((one) =>
        h(
          'option',
          {
            value: String(one),
            selected: String(one) === String(value),
          },
          label(one),
        ),
      ),
    );
  }
  return h('input', {
    ...shared,
    type: 'number',
    inputMode: 'numeric',
    min: String(option.min ?? 0),
    max: String(option.max ?? ''),
    step: '1',
    required: true,
    value: String(value),
  });
}

/** The settings that the form says. @param {string} game */
function settingsOf(game) {
  const values = valuesOf(game);
  const of = (/** @type {string} */ key) =>
    values[key] ?? tableOptions(game).find((option) => option.key === key)?.value;
  const options = /** @type {Record<string, any>} */ (optionsOf(game, values));
  const chips = of('stakeMode') === 'CHIPS';
  const seats = game === 'mahjong' ? Number(values.players ?? 4) : Number(of('seats'));
  if (game === 'blackjack') options.seats = seats;
  return {
    options: { [game]: options },
    stakeMode: `STAKE_MODE_${of('stakeMode')}`,
    ...(chips ? { buyIn: String(of('buyIn')) } : {}),
    seats,
    botsAllowed: of('botsAllowed'),
    spectatorsAllowed: of('spectatorsAllowed'),
    ...BOT_DELAY,
  };
}
