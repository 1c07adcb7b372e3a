// @ts-check
import { game } from '../games/index.js';
import { titleOf } from '../games/title.js';
import { utteranceOf } from '../talk.js';
import { countdown } from '../ui/clock.js';
import { button, h } from '../ui/dom.js';
import { utteranceWords } from '../ui/emotes.js';
import { nameWords } from '../ui/names.js';
import { rulesButton } from '../ui/rules.js';
import { linkTo, shareButton } from '../ui/share.js';
import { spokenLog } from '../ui/spoken.js';
import { t } from '../ui/i18n.js';
import { ownSeat, seatCard } from './seat.js';
import { talkButton, talkSheet } from './talk.js';

/** @typedef {import('../app.js').App} App */

/**
 * A table: the game in the middle, the player's own part and what it may do below.
 * @param {App} app
 */
export function drawTable(app) {
  const table = app.shown;
  const module = game(table.game);
  const playing = table.view && module;
  const acting = playing && table.phase === 'PHASE_IN_HAND' && !ownSeat(app)?.autoPlay;
  return h('main', { class: `table ${table.game}`, 'data-phase': table.phase,
    'data-region': 'main', tabIndex: -1 },
  top(app),
  spokenLog(app.events,
    (event) => spoken(app, event) ?? module?.describe?.(event, who(app)) ?? null),
  h('div', { class: 'middle' },
    // Who sat at a table that is over has left: the result tells of them.
    playing && (app.isOver || module.drawsSeats?.(app)) ? null : seats(app),
    playing ? module.draw(app)
      : module ? waiting(app) : h('p', { class: 'pending' }, t('table.unknownGame'))),
  h('section', { class: 'dock', 'data-region': 'dock', tabIndex: -1,
    'aria-label': t('table.dock'), 'aria-busy': app.isActing ? 'true' : null },
  playing ? module.own?.(app) : null,
  acting ? module.actions(app) : null,
  housekeeping(app)),
  talkSheet(app));
}

/** What somebody says, for those who listen. @param {App} app
 * @param {import('../client/protocol').TableEvent} event */
function spoken(app, event) {
  const said = app.talk.isHidden ? null : utteranceOf(event);
  return said && [t('talk.said', { name: who(app)(said.seat), words: utteranceWords(said) })];
}

/** Who has a seat, in words. @param {App} app @returns {import('../games/index.js').Who} */
function who({ shown: table }) {
  return (seat) => {
    const place = seat ?? 0;
    if (place === table.ownSeat) return t('you');
    const { name } = table.seats[place] ?? {};
    return name ? nameWords(name) : t('seat.number', { seat: place + 1 });
  };
}

/** What everybody waits for before the first hand. @param {App} app */
function waiting(app) {
  const { roomCode, seats: all, botsAllowed } = app.shown;
  const taken = all.filter(({ occupant }) => occupant && occupant !== 'OCCUPANT_EMPTY');
  const isFull = taken.length === all.length;
  const areReady = taken.every((seat) => seat.ready);
  if (!roomCode) {
    return h('p', { class: 'pending' }, t(areReady ? 'table.starting' : 'table.waitingReady'));
  }
  const mine = ownSeat(app);
  return h('section', { class: 'waiting-room', 'aria-labelledby': 'room-title' },
    h('h2', { id: 'room-title' },
      t('table.taken', { taken: taken.length, seats: all.length })),
    isFull ? null : [
      h('p', {}, t('table.invite')),
      h('p', { class: 'invite-code' }, roomCode),
      shareButton(t('share.link'), linkTo('room', roomCode), { 'data-key': 'share-room' }),
      mine?.host && botsAllowed ? h('p', { class: 'about' }, t('table.orBots')) : null,
    ],
    h('p', { role: 'status' }, t(areReady && isFull ? 'table.starting'
      : mine && !mine.ready ? 'table.pressReady' : 'table.waitingReady')));
}

/** All seats in turn order, the player's own last. @param {App} app */
function seats(app) {
  const table = app.shown;
  const count = table.seats.length;
  const first = (table.ownSeat ?? -1) + 1;
  const around = table.seats.map((_, step) => table.seats[(first + step) % count]);
  return h('ul', { class: `seats of-${count}`, 'aria-label': t('table.seats') },
    ...around.map((seat) => seatCard(app, seat)));
}

/** @param {App} app */
function top(app) {
  const { shown: table, posted } = app;
  const isRun = table.game === 'balatro';
  return h('div', { class: 'top' },
    h('h1', {}, titleOf(table.game, table.view?.balatro?.run?.options)),
    table.roomCode
      ? h('span', { class: 'code' }, t('table.code'), ' ', h('strong', {}, table.roomCode)) : null,
    Number(table.handNo ?? 0)
      ? h('span', {}, t(isRun ? 'table.run' : 'table.hand', { hand: table.handNo ?? 0 })) : null,
    table.stakeMode === 'STAKE_MODE_CHIPS' && table.phase === 'PHASE_WAITING'
      && posted.has(table.handNo ?? '0')
      ? h('span', { class: 'posted' }, t('table.posted')) : null,
    table.spectators && !app.isOver
      ? h('span', {}, t('table.spectators', { count: table.spectators })) : null,
    table.paused ? h('strong', {}, t('table.paused')) : null,
    app.isOver ? h('strong', {}, t('table.over')) : null,
    table.spectating ? h('em', {}, t('table.spectating')) : null,
    h('span', { class: 'tools' },
      table.view ? game(table.game)?.tools?.(app) : null,
      rulesButton(app, table.game, 'rules-table', '?')));
}

/** What belongs to the table rather than to the game. @param {App} app */
function housekeeping(app) {
  const table = app.shown;
  const seat = ownSeat(app);
  const waits = table.phase === 'PHASE_WAITING';
  const offer = (/** @type {unknown} */ allowed, /** @type {string} */ name,
    /** @type {import('../client/protocol').Command} */ command, look = 'quiet') => (
    allowed ? button(t(`table.${name}`), () => app.act(command),
      { class: look, 'data-key': `table-${name}` }) : null);
  if (app.isOver) {
    return h('div', { class: 'housekeeping' },
      h('p', { class: 'ask' }, t('closed.match_over')),
      app.cameFrom ? button(t('table.again'), () => app.playAgain(),
        { class: 'primary', 'data-key': 'table-again' }) : null,
      button(t('table.toLobby'), () => app.leaveTable(),
        { class: app.cameFrom ? '' : 'primary', 'data-key': 'table-leave' }));
  }
  const plays = seat && !seat.leaving;
  return h('div', { class: 'housekeeping' }, vote(app), talkButton(app),
    offer(plays && waits && !seat.ready, 'ready', { ready: { ready: true } }, 'primary'),
    offer(plays && seat.autoPlay, 'takeBack', { autoPlay: { enabled: false } }, 'primary'),
    offer(plays && !seat.autoPlay && table.phase === 'PHASE_IN_HAND', 'autoPlay',
      { autoPlay: { enabled: true } }),
    offer(seat?.host && table.phase === 'PHASE_MATCH_OVER', 'rematch', { rematch: {} }, 'primary'),
    offer(seat && table.roomCode && !table.vote && table.phase !== 'PHASE_CLOSED', 'dissolve',
      { proposeDissolve: {} }),
    seat?.leaving ? h('p', { class: 'own-note' }, t('table.leaving'))
      : button(t(table.spectating ? 'table.unwatch' : 'table.leave'), () => app.leaveTable(),
        { class: 'quiet', 'data-key': 'table-leave' }));
}

/** @param {App} app */
function vote(app) {
  const table = app.shown;
  if (!table.vote) return null;
  const agreed = (table.vote.agreed ?? []).includes(table.ownSeat ?? -1);
  const answer = (/** @type {boolean} */ agree) => () => app.act({ voteDissolve: { agree } });
  const mayVote = !agreed && !table.spectating;
  return h('div', { class: 'vote', role: 'alert' },
    t('table.vote'), ' ', countdown(table.vote),
    mayVote ? button(t('vote.agree'), answer(true)) : null,
    mayVote ? button(t('vote.refuse'), answer(false)) : null);
}
