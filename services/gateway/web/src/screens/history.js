// @ts-check
import { button, h } from '../ui/dom.js';
import { signed, t } from '../ui/i18n.js';

/** @type {any[]|null} */
let hands = null;
let asked = false;

/** The player's finished hands, newest first. @param {import('../app.js').App} app */
export function drawHistory(app) {
  if (!asked) {
    asked = true;
    app.ask({ listHands: { pageSize: 50 } }).then((list) => {
      hands = list?.hands ?? [];
      app.changed();
    });
  }
  const again = button(t('history.reload'), () => {
    asked = false;
    app.changed();
  });
  return h(
    'main',
    { class: 'lobby' },
    h('h1', {}, t('history.title')),
    again,
    hands?.length === 0 ? h('p', {}, t('history.none')) : null,
    h('ul', { class: 'hands' }, ...(hands ?? []).map((hand) => row(app, hand))),
  );
}

/** @param {import('../app.js').App} app @param {any} hand */
function row(app, hand) {
  const own = hand.seats.find((/** @type {any} */ seat) => seat.playerId === app.profile.playerId);
  const change = Number(own?.change ?? 0);
  const time = new Date(Number(hand.endedMs)).toLocaleString();
  return h(
    'li',
    { class: 'panel hand' },
    h('span', {}, t(`game.${hand.game}`), ' · ', time),
    h('strong', { class: change < 0 ? 'loss' : 'gain' }, signed(change)),
    button(t('history.replay'), () => app.show('replay', hand.handId), {
      'data-key': `replay-${hand.handId}`,
    }),
  );
}
