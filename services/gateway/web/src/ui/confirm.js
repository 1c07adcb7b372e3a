// @ts-check
/** Asks whether somebody means it, before what cannot be undone. */

import { dialog } from './dialog.js';
import { button, h } from './dom.js';

/**
 * @typedef {{title: string, about: string, deed: string, act: () => void}} Question
 */

/** @type {(Question & {opener: string|null})|null} */
let asked = null;

/** @param {import('../app.js').App} app @param {Question} question */
export function confirm(app, question) {
  const opener = document.activeElement?.getAttribute('data-key') ?? null;
  asked = { ...question, opener };
  app.changed();
}

/** The question that is open. @param {import('../app.js').App} app */
export function drawConfirm(app) {
  if (!asked) return null;
  const { title, about, deed, act, opener } = asked;
  const close = () => {
    asked = null;
    app.changed();
    const home = opener && document.querySelector(`[data-key="${CSS.escape(opener)}"]`);
    if (home instanceof HTMLElement) home.focus();
  };
  const go = () => {
    close();
    act();
  };
  return dialog(title, close, h('p', {}, about),
    h('div', { class: 'deeds' }, button(deed, go, { class: 'danger', 'data-key': 'confirm' })));
}
