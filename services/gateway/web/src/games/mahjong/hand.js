// @ts-check
/** The player's own tiles, what is chosen among them, and what they wait for. */

import { button, h } from '../../ui/dom.js';
import { t } from '../../ui/i18n.js';
import { tile, tileName } from '../../ui/tiles.js';
import { meldsOf } from './board.js';
import { suitLetter, suitName, viewOf } from './names.js';

/**
 * @typedef {import('../../client/protocol').MahjongOwn} Own
 */

/** @typedef {import('../../app.js').App} App */

/**
 * Places of the chosen tiles, good for one state of the hand.
 * @type {{of: string, places: number[]}}
 */
const choice = { of: '', places: [] };

/**
 * The tiles as they are shown: sorted, those of the void suit behind, the drawn one last.
 * @param {Own} own
 */
function shown(own) {
  const last = suitLetter(own.void);
  const sorted = [...(own.tiles ?? [])];
  const kept = sorted.filter((name) => name[1] !== last);
  return [...kept, ...sorted.filter((name) => name[1] === last), ...(own.drawn ? [own.drawn] : [])];
}

/** The tiles that are chosen now. @param {Own} own @returns {string[]} */
export function chosenTiles(own) {
  const all = shown(own);
  if (choice.of !== all.join()) return [];
  return choice.places.map((place) => all[place]);
}

/**
 * Commands of one kind that the seat may give.
 * @param {Own} own
 * @param {string} kind
 * @returns {any[]}
 */
export function allowed(own, kind) {
  return (own.actions ?? [])
    .filter((/** @type {any} */ one) => one[kind])
    .map((/** @type {any} */ one) => one[kind]);
}

/** @param {App} app @param {object} command */
export function play(app, command) {
  choice.places = [];
  return app.act({ play: { mahjong: command } });
}

/** @param {App} app @param {Own} own @param {number} place */
function press(app, own, place) {
  const all = shown(own);
  if (choice.of !== all.join()) Object.assign(choice, { of: all.join(), places: [] });
  const chosen = choice.places.includes(place);
  if (allowed(own, 'exchange').length) {
    /** @type {number[]} */
    const others = choice.places.filter((one) => one !== place && all[one][1] === all[place][1]);
    choice.places = chosen ? others : [...others, place].slice(-3);
  } else if (chosen) {
    play(app, { discard: { tile: all[place] } });
  } else choice.places = [place];
  app.changed();
}

/** What can be done with a tile. @param {Own} own @param {string} name */
function canPress(own, name) {
  return (
    allowed(own, 'discard').some((one) => one.tile === name) ||
    allowed(own, 'exchange').some((one) => one.tiles.includes(name))
  );
}

/** The player's seat: melds, tiles, hints. @param {App} app */
export function ownHand(app) {
  const view = viewOf(app);
  const { own } = view;
  if (!own) return null;
  const seat = view.seats?.[own.seat ?? 0] ?? {};
  const all = shown(own);
  const chosen = choice.of === all.join() ? choice.places : [];
  const waiting = suitLetter(own.void);
  return h(
    'section',
    { class: 'mj-own', 'aria-label': t('mj.ownHand') },
    hints(
      own,
      chosen.map((place) => all[place]),
    ),
    h(
      'div',
      { class: 'mj-hand', style: { '--count': String(Math.max(all.length, 14)) } },
      ...all.map((name, place) => {
        const drawn = Boolean(own.drawn) && place === all.length - 1;
        const dull = name[1] === waiting ? 'void' : '';
        return h(
          'button',
          {
            type: 'button',
            'data-key': `tile-${place}`,
            'data-tile': name,
            class: `tile-button ${drawn ? 'drawn' : ''} ${chosen.includes(place) ? 'chosen' : ''}`,
            disabled: !canPress(own, name),
            'aria-pressed': String(chosen.includes(place)),
            'aria-label': drawn ? t('mj.drawn', { tile: tileName(name) }) : tileName(name),
            onclick: () => press(app, own, place),
          },
          tile(name, dull),
        );
      }),
    ),
    meldsOf(seat),
  );
}

/**
 * 听牌: the waits of the hand, or after the chosen discard.
 * @param {Own} own
 * @param {string[]} chosen
 */
function hints(own, chosen) {
  const options = own.hints?.discards ?? [];
  const picked = options.find((/** @type {any} */ one) => one.discard === chosen[0]);
  const waits = picked ? picked.waits : own.hints?.waits;
  if (waits?.length) {
    return h(
      'p',
      { class: 'mj-hints', role: 'status' },
      h('b', {}, picked
        ? t('mj.waitsAfter', { tile: tileName(picked.discard ?? '') }) : t('mj.waits')),
      ...waits.map((/** @type {any} */ wait) =>
        h(
          'span',
          { class: 'wait' },
          tile(wait.tile, 'small'),
          h('span', {}, t('mj.wait', { fan: wait.fan ?? 0, left: wait.remaining ?? 0 })),
        ),
      ),
    );
  }
  if (!options.length) return null;
  return h(
    'p',
    { class: 'mj-hints', role: 'status' },
    h('b', {}, t('mj.readyBy')),
    ...options.map((/** @type {any} */ one) => tile(one.discard, 'small')),
  );
}

/** Buttons for the chosen tiles and the void suit. @param {App} app @param {Own} own */
export function choiceButtons(app, own) {
  const chosen = chosenTiles(own);
  const exchanges = allowed(own, 'exchange');
  if (exchanges.length) {
    const key = [...chosen].sort().join();
    const fits = exchanges.some((one) => [...one.tiles].sort().join() === key);
    return [
      h('span', { class: 'ask' }, t('mj.exchangeAsk')),
      button(
        t('mj.exchange', { count: chosen.length }),
        () => play(app, { exchange: { tiles: chosen } }),
        { class: 'primary', disabled: !fits, 'data-key': 'exchange' },
      ),
    ];
  }
  const voids = allowed(own, 'chooseVoid');
  if (voids.length)
    return [
      h('span', { class: 'ask' }, t('mj.voidAsk')),
      h('div', { class: 'suits' }, ...voids.map((one) => voidButton(app, own, one))),
    ];
  if (!allowed(own, 'discard').length) return [];
  return [
    button(
      chosen.length ? t('mj.discard', { tile: tileName(chosen[0]) }) : t('mj.discardAsk'),
      () => play(app, { discard: { tile: chosen[0] } }),
      { class: 'primary', disabled: !chosen.length, 'data-key': 'discard' },
    ),
  ];
}

/** @param {App} app @param {Own} own @param {any} command */
function voidButton(app, own, command) {
  const suggested = own.hints?.void === command.suit;
  const name = suitName(command.suit);
  const label = suggested ? t('mj.voidSuggested', { suit: name }) : name;
  return button(label, () => play(app, { chooseVoid: command }), {
    class: suggested ? 'primary' : '',
    'data-key': `void-${command.suit}`,
    'data-void': command.suit,
  });
}
