// @ts-check
/** Who is in a club, what each may do, and who asks to be let in. */

import { confirm } from '../../ui/confirm.js';
import { dialog } from '../../ui/dialog.js';
import { button, h } from '../../ui/dom.js';
import { t } from '../../ui/i18n.js';
import { roleName } from '../clubs.js';

/** @typedef {import('../../app.js').App} App */
/** @typedef {import('../../client/protocol').Club} Club */
/** @typedef {import('../../client/protocol').ClubMember} ClubMember */
/** @typedef {import('../../client/protocol').ClubRole} ClubRole */

/** The roles, by what they may do. @type {ClubRole[]} */
const RANKS = ['CLUB_ROLE_MEMBER', 'CLUB_ROLE_MANAGER', 'CLUB_ROLE_OWNER'];
/** So many members are shown before somebody asks for all. */
const SHOWN = 12;

/** The member whose sheet is open. */
let chosen = '';
let isAll = false;

/** @param {ClubRole|undefined} role */
function rank(role) {
  return RANKS.indexOf(role ?? 'CLUB_ROLE_MEMBER');
}

/** Whether the viewer lets players in. @param {Club} club */
export function keeps(club) {
  return rank(club.ownRole) > 0;
}

/** Players who ask to be let in. @param {App} app @param {Club} club */
export function requests(app, { joinRequests = [] }) {
  if (!joinRequests.length) return null;
  return h('section', { class: 'panel', 'aria-labelledby': 'club-requests' },
    h('h2', { id: 'club-requests' }, t('clubs.requests.title')),
    h('ul', { class: 'hands' }, ...joinRequests.map(({ playerId = '', name = '' }) => (
      h('li', { class: 'hand', 'data-key': `asks-${playerId}` },
        h('span', { class: 'what' }, name),
        button(t('clubs.admit'), () => app.clubs.change({ admitPlayerId: playerId }), {
          class: 'primary', 'data-key': `admit-${playerId}`,
          'aria-label': `${t('clubs.admit')}: ${name}` }),
        button(t('clubs.refuse'), () => app.clubs.change({ refusePlayerId: playerId }), {
          class: 'quiet', 'data-key': `refuse-${playerId}`,
          'aria-label': `${t('clubs.refuse')}: ${name}` }))))));
}

/** @param {App} app @param {Club} club */
export function members(app, club) {
  const { members: all = [] } = club;
  const shown = isAll ? all : all.slice(0, SHOWN);
  const more = () => {
    isAll = true;
    app.changed();
  };
  return h('section', { class: 'panel', 'aria-labelledby': 'club-members' },
    h('h2', { id: 'club-members' }, t('clubs.members.title', { count: all.length })),
    h('ul', { class: 'hands members' }, ...shown.map((member) => line(app, club, member))),
    shown.length < all.length
      ? button(t('clubs.members.all', { count: all.length }), more, { class: 'quiet' }) : null,
    sheet(app, club));
}

/** Whether the viewer may do something about a member. @param {Club} club
 * @param {ClubMember} member */
function mayChange(club, member) {
  return rank(club.ownRole) > rank(member.role) && keeps(club);
}

/** @param {App} app @param {Club} club @param {ClubMember} member */
function line(app, club, member) {
  const { playerId = '', name = '' } = member;
  const mine = playerId === app.profile.playerId;
  const choose = () => {
    chosen = playerId;
    app.changed();
  };
  return h('li', { class: 'hand', 'data-key': `member-${playerId}` },
    h('span', { class: 'what' }, mine ? t('clubs.member.self', { name }) : name,
      h('small', {}, roleName(member.role))),
    mayChange(club, member) ? button(t('clubs.member.change'), choose, {
      class: 'quiet', 'data-key': `change-${playerId}`,
      'aria-label': `${t('clubs.member.change')}: ${name}` }) : null);
}

/** What can be done about a member. @param {App} app @param {Club} club */
function sheet(app, club) {
  const member = (club.members ?? []).find(({ playerId }) => playerId === chosen);
  if (!member || !mayChange(club, member)) return null;
  const { playerId = '', name = '', role } = member;
  const close = () => {
    chosen = '';
    app.changed();
    const opener = document.querySelector(`[data-key="change-${playerId}"]`);
    if (opener instanceof HTMLElement) opener.focus();
  };
  const become = (/** @type {ClubRole} */ wanted) => () => {
    close();
    app.clubs.change({ setRole: { playerId, role: wanted } });
  };
  const ask = (/** @type {string} */ deed, /** @type {() => void} */ act) => () => {
    close();
    confirm(app, { title: t(`clubs.member.${deed}`), deed: t(`clubs.member.${deed}`),
      about: t(`clubs.member.${deed}.about`, { name }), act });
  };
  const isOwner = club.ownRole === 'CLUB_ROLE_OWNER';
  return dialog(name, close,
    h('p', { class: 'about' }, roleName(role)),
    h('div', { class: 'deeds column' },
      isOwner && role === 'CLUB_ROLE_MEMBER'
        ? button(t('clubs.member.manager'), become('CLUB_ROLE_MANAGER'), {}) : null,
      isOwner && role === 'CLUB_ROLE_MANAGER'
        ? button(t('clubs.member.member'), become('CLUB_ROLE_MEMBER'), {}) : null,
      isOwner
        ? button(t('clubs.member.owner'), ask('owner', become('CLUB_ROLE_OWNER')), {}) : null,
      button(t('clubs.member.remove'),
        ask('remove', () => app.clubs.change({ removePlayerId: playerId })),
        { class: 'danger' })));
}
