// @ts-check
import { h } from '../ui/dom.js';
import { t } from '../ui/i18n.js';
import { drawRoomForm } from './room-form.js';

/** What is typed, so that it survives a redraw. */
let typed = '';

/** Fills in a code that somebody has given. @param {string} code */
export function fillRoomCode(code) {
  typed = code;
}

/** Private rooms: join one with a code, or open one. @param {import('../app.js').App} app */
export function drawRooms(app) {
  const busy = app.isBusy;
  const code = h('input', {
    inputMode: 'numeric',
    maxLength: 6,
    pattern: '[0-9]{6}',
    placeholder: '000000',
    required: true,
    'data-key': 'room-code',
    autocomplete: 'off',
    value: typed,
    oninput: (/** @type {Event} */ event) => {
      typed = /** @type {HTMLInputElement} */ (event.target).value;
    },
  });
  const join = (/** @type {Event} */ event) => {
    event.preventDefault();
    app.joinRoom(typed);
  };
  return h(
    'main',
    { class: 'lobby', 'data-region': 'main', tabIndex: -1 },
    h('h1', {}, t('rooms.title')),
    h(
      'form',
      { class: 'panel join', onsubmit: join },
      h('label', {}, t('rooms.code'), code),
      h('button', { type: 'submit', class: 'primary', disabled: busy }, t('rooms.join')),
    ),
    h('h2', {}, t('rooms.open')),
    drawRoomForm(app, busy),
  );
}
