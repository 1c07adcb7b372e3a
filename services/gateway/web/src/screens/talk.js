// @ts-check
/** The sheet with all that one can show and say at a table. */

import { dialog } from '../ui/dialog.js';
import { button, h } from '../ui/dom.js';
import { EMOTES, SENTENCES, emote, utteranceWords } from '../ui/emotes.js';
import { t } from '../ui/i18n.js';
import { errorWords } from '../ui/toast.js';

/** @typedef {import('../app.js').App} App */

/** Opens the sheet; nobody talks alone. @param {App} app */
export function talkButton(app) {
  const { shown: table, talk } = app;
  if (table.seats.length < 2 || table.ownSeat === undefined) return null;
  return button(t('talk.open'), () => talk.open(true), {
    class: 'quiet', 'data-key': 'talk', disabled: talk.isResting, 'aria-haspopup': 'dialog' });
}

/** @param {App} app */
export function talkSheet(app) {
  const { talk } = app;
  if (!talk.isOpen) return null;
  const close = () => {
    talk.open(false);
    const opener = document.querySelector('[data-key="talk"]');
    if (opener instanceof HTMLElement) opener.focus();
  };
  const hide = (/** @type {Event} */ event) => (
    talk.hide(/** @type {HTMLInputElement} */ (event.target).checked));
  return dialog(t('talk.title'), close,
    talk.muted ? h('p', { class: 'loss', role: 'status' }, errorWords(talk.muted)) : null,
    h('div', { class: 'emotes', role: 'group', 'aria-label': t('talk.emotes') },
      ...EMOTES.map((number) => h('button', {
        type: 'button', 'data-key': `emote-${number}`, onclick: () => talk.say({ emote: number }),
        'aria-label': utteranceWords({ emote: number }),
        title: utteranceWords({ emote: number }) }, emote(number)))),
    h('div', { class: 'sentences', role: 'group', 'aria-label': t('talk.sentences') },
      ...SENTENCES.map((number) => button(utteranceWords({ sentence: number }),
        () => talk.say({ sentence: number }), { 'data-key': `sentence-${number}` }))),
    h('label', { class: 'switch' },
      h('input', { type: 'checkbox', role: 'switch', checked: talk.isHidden, onchange: hide,
        'data-key': 'talk-hide' }), t('talk.hide')));
}
