// @ts-check
/** Sheets above the page: the browser keeps the focus in them and closes them with Escape. */

import { button, h } from './dom.js';
import { t } from './i18n.js';

/**
 * A dialog that is open as long as it is drawn.
 * @param {string} title
 * @param {() => void} close takes it out of the next drawing
 * @param {...import('./dom.js').Child} content
 */
export function dialog(title, close, ...content) {
  return h('dialog', {
    class: 'sheet-dialog', 'data-key': `dialog-${title}`, 'aria-label': title,
    oncancel: (/** @type {Event} */ event) => {
      event.preventDefault();
      close();
    },
    // The dialog itself is pressed where its backdrop is.
    onclick: (/** @type {Event} */ event) => {
      if (event.target === event.currentTarget) close();
    },
  },
  h('div', { class: 'sheet-body' },
    h('header', {}, h('h2', {}, title),
      button(t('close'), close, { 'data-key': 'dialog-close', autofocus: true })),
    ...content));
}
