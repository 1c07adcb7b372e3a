// @ts-check
/** A queue in the lobby: what is played there, for what, and how it differs from the others. */

import { loadNames } from '../games/balatro/names.js';
import { titleOf } from '../games/title.js';
import { card } from '../ui/cards.js';
import { button, h } from '../ui/dom.js';
import { number, t } from '../ui/i18n.js';
import { rulesButton } from '../ui/rules.js';
import { tile } from '../ui/tiles.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../client/protocol').Queue} Queue */

/** A picture of each game. @type {Record<string, () => HTMLElement[]>} */
const PICTURES = {
  blackjack: () => [card('AS'), card('KH')],
  mahjong: () => [tile('1m'), tile('5p'), tile('9s')],
  balatro: () => [h('span', { class: 'emblem' }, '★'), card('10D')],
};

/** @param {App} app @param {Queue} queue */
export function queueCard(app, queue) {
  const { queueId = '', game = '', settings = {} } = queue;
  // A run has many names: they are there when its table opens.
  if (game === 'balatro') loadNames(() => app.changed());
  const title = titleOf(game, settings.options?.balatro);
  const about = aboutOf(queue);
  const facts = factsOf(queue);
  const waiting = queue.waiting ? t('lobby.others', { waiting: queue.waiting }) : '';
  const id = `queue-${queueId}`;
  return h('li', { class: `queue ${game}`, 'data-key': id },
    h('div', { class: 'picture', 'aria-hidden': 'true' }, ...(PICTURES[game]?.() ?? [])),
    h('h2', { id }, title),
    about ? h('p', { class: 'about' }, about) : null,
    h('p', { class: 'facts' }, [...facts, waiting].filter(Boolean).join(' · ')),
    h('div', { class: 'deeds' },
      button(t('lobby.play'), () => app.enqueue(queueId), {
        class: 'primary',
        'data-key': `play-${queueId}`,
        'data-queue': queueId,
        disabled: app.isBusy || !app.leads,
        'aria-label': `${t('lobby.play')}: ${[title, about, ...facts].filter(Boolean).join(', ')}`,
      }),
      rulesButton(app, game, `rules-${queueId}`)));
}

/** What is said of a queue that this page knows, or else of its game. @param {Queue} queue */
function aboutOf({ queueId = '', game = '', settings = {} }) {
  const kind = settings.options?.balatro?.daily ? 'queue.balatro-daily' : `game.${game}.about`;
  for (const key of [`queue.${queueId}`, kind]) {
    const words = t(key);
    if (words !== key) return words;
  }
  return '';
}

/** What tells a queue from another one of the same game. @param {Queue} queue */
function factsOf({ settings = {}, readyCheckMs }) {
  const { options = {}, stakeMode, buyIn, seats = 0, handsLimit } = settings;
  const { mahjong, blackjack } = options;
  const rounds = mahjong?.rounds ?? blackjack?.rounds ?? 0;
  const hands = handsLimit || rounds;
  return [
    stakeMode === 'STAKE_MODE_CHIPS' ? t('lobby.buyIn', { amount: number(buyIn) })
      : t('lobby.points'),
    seats === 1 ? t('lobby.alone') : seats ? t('lobby.seats', { seats }) : '',
    hands ? t(hands === 1 ? 'lobby.oneHand' : 'lobby.hands', { hands }) : '',
    blackjack?.minBet && blackjack.maxBet ? t('lobby.bets', {
      lowest: number(blackjack.minBet), highest: number(blackjack.maxBet) }) : '',
    Number(mahjong?.base ?? 0) ? t('lobby.base', { base: number(mahjong?.base) }) : '',
    readyCheckMs ? t('lobby.asks') : '',
  ].filter(Boolean);
}
