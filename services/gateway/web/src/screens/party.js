// @ts-check
/** A party: friends who enter queues together. */

import { button, h } from '../ui/dom.js';
import { t } from '../ui/i18n.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../client/protocol').Member} Member */
/** @typedef {import('../client/protocol').PartyView} PartyView */
/** @typedef {import('../client/protocol').PartyCommand} PartyCommand */

/** Letters of an invite code. */
const CODE_LENGTH = 8;

/** What is typed, so that it survives a redraw. */
let typed = '';

/** Does something with parties; the answer is the party, or nothing.
 * @param {App} app @param {PartyCommand} party */
async function ask(app, party) {
  const answer = await app.ask({ party });
  if (answer?.partyId) app.partyChanged({ partyId: answer.partyId, party: answer });
  app.changed();
  return answer;
}

/** The party of the player, or the way to one. @param {App} app */
export function drawParty(app) {
  return h('section', { class: 'panel party', 'aria-labelledby': 'party-title' },
    h('h2', { id: 'party-title' }, t('party.title')),
    app.party ? inside(app, app.party) : outside(app));
}

/** @param {App} app */
function outside(app) {
  const code = h('input', {
    maxLength: CODE_LENGTH,
    required: true,
    'data-key': 'party-code',
    autocapitalize: 'characters',
    autocomplete: 'off',
    spellcheck: false,
    value: typed,
    oninput: (/** @type {Event} */ event) => {
      typed = /** @type {HTMLInputElement} */ (event.target).value;
    },
  });
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (await ask(app, { joinByInviteCode: typed.trim() })) typed = '';
  };
  const busy = app.ticket !== null;
  return h('form', { class: 'join', onsubmit: join },
    button(t('party.create'), () => ask(app, { create: {} }), {
      'data-key': 'party-create', disabled: busy }),
    h('label', {}, t('party.code'), code),
    h('button', { type: 'submit', 'data-key': 'party-join', disabled: busy }, t('party.join')));
}

/** @param {App} app @param {PartyView} party */
function inside(app, party) {
  const { members = [], largest = 0, inviteCode = '', inviteUntilMs = '0' } = party;
  const isOpen = Number(inviteUntilMs) > app.client.now();
  const leave = async () => {
    if (await app.ask({ party: { leave: {} } })) app.party = null;
    app.changed();
  };
  return h('div', { class: 'inside' },
    h('p', { class: 'about' }, t(app.leads ? 'party.lead' : 'party.follow')),
    h('p', {}, isOpen ? t('party.invite') : t('party.lapsed'), ' ',
      isOpen ? h('b', { class: 'code' }, inviteCode) : null),
    h('ul', { 'aria-label': t('party.members', { members: members.length, largest }) },
      ...members.map((member, place) => memberLine(app, member, place === 0))),
    h('div', { class: 'row' },
      app.leads ? button(t('party.renew'), () => ask(app, { renewInvite: {} }), {
        class: 'quiet', 'data-key': 'party-renew' }) : null,
      button(t('party.leave'), leave, { class: 'quiet', 'data-key': 'party-leave' })));
}

/** @param {App} app @param {Member} member @param {boolean} isLeader */
function memberLine(app, { playerId = '', name = '' }, isLeader) {
  const isOwn = playerId === app.profile.playerId;
  const remove = () => ask(app, { removePlayerId: playerId });
  return h('li', { 'data-key': `member-${playerId}` },
    h('span', {}, isOwn ? t('party.self', { name }) : name, isLeader ? ' ★' : ''),
    app.leads && !isOwn ? button(t('party.remove'), remove, {
      class: 'quiet', 'data-key': `remove-${playerId}`,
      'aria-label': t('party.removeWho', { name }) }) : null);
}
