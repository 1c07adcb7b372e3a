// @ts-check
/** Starts the page: one app, one screen at a time. */

import { App } from './app.js';
import { drawHeader } from './screens/header.js';
import { drawHistory } from './screens/history.js';
import { drawLobby } from './screens/lobby.js';
import { drawReplay } from './screens/replay.js';
import { drawRooms } from './screens/rooms.js';
import { drawTable } from './screens/table.js';
import { draw, h } from './ui/dom.js';
import { t } from './ui/i18n.js';

const app = new App();
const place = /** @type {HTMLElement} */ (document.getElementById('app'));
const screens = {
  lobby: drawLobby,
  table: drawTable,
  rooms: drawRooms,
  history: drawHistory,
  replay: drawReplay,
};

function redraw() {
  const screen = app.screen === 'table' && !app.table ? 'lobby' : app.screen;
  document.body.dataset.screen = screen;
  draw(place, drawHeader(app, redraw), screens[screen](app), overlay());
}

/** Covers the page while there is no connection, so that nothing is pressed in vain. */
function overlay() {
  if (app.connection === 'online') return null;
  const replaced = app.connection === 'replaced';
  const words = t(replaced ? 'connection.replaced' : 'connection.lost');
  const again = h(
    'button',
    { type: 'button', onclick: () => app.client.start() },
    t('connection.here'),
  );
  return h('div', { class: 'overlay', role: 'alert' }, h('p', {}, words), replaced && again);
}

app.addEventListener('change', redraw);
app.client.start();
redraw();
