// @ts-check
import { button, h } from '../ui/dom.js';
import { number, t } from '../ui/i18n.js';
import { drawClub } from './club/club.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../client/protocol').ClubSummary} ClubSummary */

/** What is typed, so that it survives a redraw. */
const typed = { code: '', name: '' };

/** Fills in a code that somebody has given. @param {string} code */
export function fillInvite(code) {
  typed.code = code;
}

/** The player's clubs, or the one that the page is about. @param {App} app */
export function drawClubs(app) {
  if (app.subject) return drawClub(app);
  const { list } = app.clubs;
  return h('main', { class: 'lobby', 'data-region': 'main', tabIndex: -1 },
    h('h1', {}, t('clubs.title')),
    h('p', { class: 'about' }, t('clubs.about')),
    list === null ? h('p', { class: 'pending' }, t('lobby.loading')) : null,
    list?.length ? h('ul', { class: 'hands' }, ...list.map((club) => clubCard(app, club))) : null,
    list?.length === 0 ? h('p', { class: 'panel about' }, t('clubs.none')) : null,
    h('div', { class: 'pair' }, joinForm(app), foundForm(app)));
}

/** What one is in a club. @param {string|undefined} role */
export function roleName(role) {
  return t(`clubs.role.${(role ?? '').replace('CLUB_ROLE_', '') || 'MEMBER'}`);
}

/** @param {App} app @param {ClubSummary} club */
function clubCard(app, club) {
  const { clubId = '', name = '', ownRole, members = 0, rooms = 0, joinRequests = 0 } = club;
  const facts = [
    roleName(ownRole),
    t('clubs.members', { count: members }),
    rooms ? t('clubs.rooms', { count: rooms }) : '',
    Number(club.cards ?? 0) ? t('clubs.cards', { count: number(club.cards) }) : '',
  ];
  return h('li', { class: 'panel hand', 'data-key': `club-${clubId}` },
    h('span', { class: 'what' }, h('b', {}, name),
      h('small', {}, facts.filter(Boolean).join(' · ')),
      joinRequests ? h('small', { class: 'news' }, t('clubs.asking', { count: joinRequests }))
        : null),
    button(t('clubs.open'), () => app.clubs.show(clubId), {
      'data-key': `open-${clubId}`, 'aria-label': `${t('clubs.open')}: ${name}` }));
}

/**
 * A form with one line to fill in.
 * @param {'code'|'name'} key @param {Record<string, any>} input
 * @param {() => Promise<boolean>} send
 */
function line(key, input, send) {
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await send()) typed[key] = '';
  };
  return h('form', { class: 'panel line', onsubmit: submit },
    h('h2', {}, t(`clubs.${key}.title`)),
    h('label', { htmlFor: `club-${key}` }, t(`clubs.${key}.label`)),
    h('div', { class: 'row' },
      h('input', {
        id: `club-${key}`, type: 'text', required: true, autocomplete: 'off', value: typed[key],
        'aria-describedby': `club-${key}-about`,
        oninput: (/** @type {Event} */ event) => {
          typed[key] = /** @type {HTMLInputElement} */ (event.target).value;
        },
        ...input,
      }),
      h('button', { type: 'submit', class: 'primary', 'data-key': `club-${key}-send` },
        t(`clubs.${key}.send`))),
    h('p', { class: 'about', id: `club-${key}-about` }, t(`clubs.${key}.about`)));
}

/** @param {App} app */
function joinForm(app) {
  return line('code', { maxLength: 36, spellcheck: false, class: 'code-input' },
    () => app.clubs.join(typed.code));
}

/** @param {App} app */
function foundForm(app) {
  return line('name', { maxLength: 32 }, () => app.clubs.found(typed.name.trim()));
}
