// @ts-check
import { button, h } from '../ui/dom.js';
import { number, t, toggleLanguage } from '../ui/i18n.js';
import { clearToasts } from '../ui/toast.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../app.js').Screen} Screen */

/** Screens that belong to another one's tab. @type {Partial<Record<Screen, Screen>>} */
const PARTS = { replay: 'history', boards: 'lobby' };

/** The bar at the top. @param {App} app @param {() => void} redraw */
export function drawHeader(app, redraw) {
  const tab = (/** @type {Screen} */ screen) => {
    const isHere = app.screen === screen || PARTS[app.screen] === screen;
    return button(t(`nav.${screen}`), () => app.show(screen), {
      'aria-current': isHere ? 'page' : null, 'data-key': `nav-${screen}` });
  };
  const turn = () => {
    toggleLanguage();
    clearToasts();
    redraw();
  };
  const { name, balance } = app.profile;
  return h('header', { class: 'bar' },
    h('span', { class: 'brand' }, 'Parlor'),
    h('nav', { 'aria-label': t('nav.label') },
      app.table ? tab('table') : null, tab('lobby'), tab('rooms'), tab('clubs'), tab('history')),
    h('span', { class: 'purse', title: name },
      h('span', { class: 'name' }, name), ' ',
      h('span', { class: 'chips', role: 'img',
        'aria-label': `${t('purse')}: ${balance === undefined ? '?' : number(balance)}` },
      balance === undefined ? '–' : number(balance))),
    button(t('language.other'), turn, { class: 'quiet language', 'data-key': 'language',
      'aria-label': `${t('language.other')}: ${t('language')}`, title: t('language') }));
}
