// @ts-check
import { button, h } from '../ui/dom.js';
import { t } from '../ui/i18n.js';

/** Private rooms: join one with a code, or open one. @param {import('../app.js').App} app */
export function drawRooms(app) {
  const code = /** @type {HTMLInputElement} */ (h('input', {
    inputMode: 'numeric', maxLength: 6, pattern: '[0-9]{6}', placeholder: '000000',
    'data-key': 'room-code', 'aria-label': t('rooms.code'), autocomplete: 'off',
  }));
  const join = (/** @type {Event} */ event) => {
    event.preventDefault();
    app.joinRoom(code.value);
  };
  const busy = Boolean(app.table ?? app.ticket);
  return h('main', { class: 'lobby' },
    h('h1', {}, t('rooms.title')),
    h('form', { class: 'panel join', onsubmit: join },
      h('label', {}, t('rooms.code'), code),
      h('button', { type: 'submit', class: 'primary', disabled: busy }, t('rooms.join'))),
    h('h2', {}, t('rooms.open')),
    h('ul', { class: 'queues' }, ...app.queues.map((queue) => h('li', { class: `queue ${queue.game}` },
      h('h3', {}, t(`game.${queue.game}`)),
      h('p', { class: 'about' }, t(`queue.${queue.queueId}`)),
      button(t('rooms.create'), () => app.createRoom(roomSettings(queue)), {
        disabled: busy, 'data-key': `room-${queue.queueId}`, 'data-room': queue.queueId,
      })))));
}

/** A room with a queue's rules: friends say themselves when they are ready. @param {any} queue */
function roomSettings(queue) {
  return {
    ...queue.settings, fillWithBots: false, botsAllowed: true, alwaysReady: false, roomCode: '',
  };
}
