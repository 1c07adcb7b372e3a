// @ts-check
/** Starts the page: one app, one screen at a time. */

import { App } from './app.js';
import { followLink } from './links.js';
import { drawBoards } from './screens/boards.js';
import { drawClubs } from './screens/clubs.js';
import { drawHeader } from './screens/header.js';
import { drawHistory } from './screens/history.js';
import { drawLobby, drawTicket } from './screens/lobby.js';
import { drawReplay } from './screens/replay.js';
import { drawRooms } from './screens/rooms.js';
import { drawTable } from './screens/table.js';
import { drawConfirm } from './ui/confirm.js';
import { draw, h } from './ui/dom.js';
import { t } from './ui/i18n.js';
import { drawRules } from './ui/rules.js';
import { errorWords } from './ui/toast.js';

const app = new App();
const place = /** @type {HTMLElement} */ (document.getElementById('app'));
/** @type {Record<import('./app.js').Screen, (app: App) => HTMLElement>} */
const screens = {
  lobby: drawLobby,
  table: drawTable,
  rooms: drawRooms,
  clubs: drawClubs,
  boards: drawBoards,
  history: drawHistory,
  replay: drawReplay,
};
/** What was drawn last. */
let last = '';
/** What had the focus when the page was covered. @type {Element|null} */
let covered = null;

function redraw() {
  const screen = app.screen === 'table' && !app.table ? 'lobby' : app.screen;
  document.body.dataset.screen = screen;
  const words = hindrance();
  if (words && document.activeElement !== document.body) covered ??= document.activeElement;
  draw(place,
    h('div', { id: 'page', inert: Boolean(words) }, drawHeader(app, redraw), drawTicket(app),
      screens[screen](app), drawConfirm(app), drawRules(app)),
    words && overlay(words));
  if (!words && covered instanceof HTMLElement) {
    covered.focus({ preventScroll: true });
    covered = null;
  }
  const now = `${screen}/${app.subject}`;
  if (now === last) return;
  last = now;
  document.title = `${place.querySelector('h1')?.textContent ?? ''} · Parlor`;
  scrollTo(0, 0);
}

/** Whether the server has ended the session for good: only the player may begin another. */
function isDismissed() {
  return ['replaced', 'kicked', 'refused'].includes(app.connection);
}

/** Why nothing can be done now, or ''. */
function hindrance() {
  if (app.connection === 'refused') return app.client.refusal && errorWords(app.client.refusal);
  if (isDismissed()) return t(`connection.${app.connection}`);
  if (app.connection !== 'online') {
    return t(app.wasOnline ? 'connection.lost' : 'connection.first');
  }
  return app.isTableAway && app.screen === 'table' ? t('connection.tableAway') : '';
}

/** Covers the page, so that nothing is pressed in vain. @param {string} words */
function overlay(words) {
  const again = isDismissed()
    ? h('button', { type: 'button', class: 'primary', onclick: () => app.client.start() },
      t(app.connection === 'refused' ? 'connection.again' : 'connection.here'))
    : h('div', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'));
  return h('div', { class: 'overlay', role: 'alert' }, h('p', {}, words), again);
}

app.addEventListener('change', redraw);
followLink(app);
addEventListener('hashchange', () => followLink(app));
app.client.start();
redraw();
