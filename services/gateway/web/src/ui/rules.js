// @ts-check
/** How a game is played, in short, whenever somebody wants to know. */

import { dialog } from './dialog.js';
import { button, h } from './dom.js';
import { t } from './i18n.js';

/** @typedef {import('../app.js').App} App */

/** Lines of each game. */
const LINES = [1, 2, 3, 4, 5, 6, 7];
/** Games that are explained. */
const GAMES = ['blackjack', 'mahjong', 'balatro'];

/** What is explained now, and what was pressed for it. @type {{game: string, key: string}|null} */
let shown = null;

/**
 * Explains a game.
 * @param {App} app @param {string} game @param {string} key of the button, unique on the page
 * @param {string} [label]
 */
export function rulesButton(app, game, key, label = t('rules.open')) {
  if (!GAMES.includes(game)) return null;
  const open = () => {
    shown = { game, key };
    app.changed();
  };
  return button(label, open, { class: 'quiet how', 'data-key': key,
    'aria-haspopup': 'dialog', 'aria-label': t('rules.of', { game: t(`game.${game}`) }) });
}

/** @param {App} app */
export function drawRules(app) {
  if (!shown) return null;
  const { game, key } = shown;
  const close = () => {
    shown = null;
    app.changed();
    const opener = document.querySelector(`[data-key="${key}"]`);
    if (opener instanceof HTMLElement) opener.focus();
  };
  return dialog(t('rules.of', { game: t(`game.${game}`) }), close,
    h('ol', { class: 'rules' }, ...LINES.map((line) => h('li', {}, t(`rules.${game}.${line}`)))));
}
