// @ts-check
/** One club: its rooms, its members, its cards; and for those who keep it, who comes in. */

import { confirm } from '../../ui/confirm.js';
import { button, h } from '../../ui/dom.js';
import { number, t } from '../../ui/i18n.js';
import { linkTo, shareButton } from '../../ui/share.js';
import { roleName } from '../clubs.js';
import { cardBook, prices } from './cards.js';
import { keeps, members, requests } from './members.js';

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../client/protocol').Club} Club */
/** @typedef {import('../../client/protocol').ClubRoom} ClubRoom */

/** The new name while it is typed; null: nobody types. @type {string|null} */
let renaming = null;

/** @param {App} app */
export function drawClub(app) {
  const { club } = app.clubs;
  const back = button(t('clubs.back'), () => {
    renaming = null;
    app.clubs.show('');
  }, { class: 'quiet', 'data-key': 'club-back' });
  return h('main', { class: 'lobby club', 'data-region': 'main', tabIndex: -1 },
    back,
    club ? content(app, club)
      : [h('h1', {}, t('clubs.title')), h('p', { class: 'pending' }, t('lobby.loading'))]);
}

/** @param {App} app @param {Club} club */
function content(app, club) {
  return [
    h('div', { class: 'club-head' },
      h('h1', {}, club.name ?? ''),
      h('span', { class: 'badge' }, roleName(club.ownRole))),
    h('div', { class: 'columns' },
      h('div', {}, requests(app, club), openRooms(app, club), roomCards(app, club)),
      h('div', {}, invitation(app, club), members(app, club), keeping(app, club))),
  ];
}

/** @param {App} app @param {Club} club */
function openRooms(app, club) {
  const open = () => app.clubs.choose(club.clubId ?? '');
  return h('section', { class: 'panel', 'aria-labelledby': 'club-rooms' },
    h('div', { class: 'row' },
      h('h2', { id: 'club-rooms' }, t('clubs.rooms.title')),
      button(t('clubs.rooms.new'), open, { class: 'primary', 'data-key': 'club-room-new',
        disabled: app.isBusy })),
    app.isBusy ? h('p', { class: 'about' }, t('rooms.busy')) : null,
    rooms(app, club));
}

/** @param {App} app @param {Club} club */
function roomCards(app, club) {
  return h('section', { class: 'panel', 'aria-labelledby': 'club-cards' },
    h('h2', { id: 'club-cards' }, t('clubs.cards.title')),
    h('p', { class: 'big' }, number(club.cards)),
    Number(club.cardsHeld ?? 0)
      ? h('p', { class: 'about' }, t('clubs.cards.held', { count: number(club.cardsHeld) }))
      : null,
    prices(club),
    keeps(club) ? cardBook(app) : null);
}

/** @param {App} app @param {Club} club */
function rooms(app, { rooms: open = [] }) {
  if (!open.length) return h('p', { class: 'about' }, t('clubs.rooms.none'));
  return h('ul', { class: 'hands' }, ...open.map((room) => roomCard(app, room)));
}

/** @param {App} app @param {ClubRoom} room */
function roomCard(app, { roomCode = '', tableId, host, game = '', price, charged }) {
  const title = t('clubs.room.of', { game: t(`game.${game}`), host: host?.name ?? '' });
  const facts = [
    t(charged ? 'clubs.room.playing' : 'clubs.room.waiting'),
    t('clubs.room.code', { code: roomCode }),
    Number(price ?? 0) ? t('clubs.cards', { count: number(price) }) : '',
  ];
  return h('li', { class: 'hand room', 'data-key': `club-room-${roomCode}` },
    h('span', { class: 'what' }, h('b', {}, title),
      h('small', {}, facts.filter(Boolean).join(' · '))),
    app.table && app.table.tableId === tableId
      ? button(t('lobby.return'), () => app.show('table'), { 'data-key': `join-${roomCode}` })
      : button(t('rooms.join'), () => app.joinRoom(roomCode), {
        'data-key': `join-${roomCode}`, disabled: app.isBusy || !tableId,
        'aria-label': `${t('rooms.join')}: ${title}` }));
}

/** How others come in. @param {App} app @param {Club} club */
function invitation(app, { clubId = '', inviteCode, ...club }) {
  if (!keeps(club)) {
    return h('section', { class: 'panel', 'aria-labelledby': 'club-invite' },
      h('h2', { id: 'club-invite' }, t('clubs.id.title')),
      h('p', { class: 'about' }, t('clubs.id.about')),
      h('p', { class: 'id' }, clubId),
      shareButton(t('share.id'), clubId, { 'data-key': 'share-id' }));
  }
  const renew = () => confirm(app, { title: t('clubs.invite.renew'),
    about: t('clubs.invite.renew.about'), deed: t('clubs.invite.renew'),
    act: () => app.clubs.change({ renewInvite: {} }) });
  return h('section', { class: 'panel', 'aria-labelledby': 'club-invite' },
    h('h2', { id: 'club-invite' }, t('clubs.invite.title')),
    h('p', { class: 'about' }, t('clubs.invite.about')),
    h('p', { class: 'invite-code' }, inviteCode ?? ''),
    h('div', { class: 'deeds' },
      shareButton(t('share.link'), linkTo('club', inviteCode ?? ''),
        { 'data-key': 'share-invite' }),
      shareButton(t('share.id'), clubId, { 'data-key': 'share-id' }),
      button(t('clubs.invite.renew'), renew, { class: 'quiet', 'data-key': 'renew-invite' })));
}

/** What belongs to the club as a whole. @param {App} app @param {Club} club */
function keeping(app, club) {
  const isOwner = club.ownRole === 'CLUB_ROLE_OWNER';
  const isLast = (club.members ?? []).length === 1;
  const leave = () => confirm(app, {
    title: t(isLast ? 'clubs.end' : 'clubs.leave'),
    about: t(isLast ? 'clubs.end.about' : 'clubs.leave.about', { name: club.name ?? '' }),
    deed: t(isLast ? 'clubs.end' : 'clubs.leave'),
    act: () => app.clubs.change({ removePlayerId: app.profile.playerId }),
  });
  const mustStay = isOwner && !isLast;
  return h('section', { class: 'panel', 'aria-labelledby': 'club-keeping' },
    h('h2', { id: 'club-keeping' }, t('clubs.keeping')),
    isOwner ? naming(app, club) : null,
    mustStay ? h('p', { class: 'about' }, t('clubs.mustStay')) : null,
    button(t(isOwner && isLast ? 'clubs.end' : 'clubs.leave'), leave, {
      class: 'quiet', 'data-key': 'club-leave', disabled: mustStay }));
}

/** @param {App} app @param {Club} club */
function naming(app, club) {
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const rename = (renaming ?? club.name ?? '').trim();
    if (await app.clubs.change({ rename })) renaming = null;
    app.changed();
  };
  const type = (/** @type {Event} */ event) => {
    renaming = /** @type {HTMLInputElement} */ (event.target).value;
    app.changed();
  };
  return h('form', { class: 'line', onsubmit: save },
    h('label', { htmlFor: 'club-rename' }, t('clubs.name.label')),
    h('div', { class: 'row' },
      h('input', { id: 'club-rename', type: 'text', maxLength: 32, required: true,
        autocomplete: 'off', value: renaming ?? club.name ?? '', oninput: type }),
      h('button', { type: 'submit', 'data-key': 'club-rename-send',
        disabled: renaming === null || renaming.trim() === club.name }, t('clubs.rename'))));
}
