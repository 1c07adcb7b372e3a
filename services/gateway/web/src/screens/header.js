// @ts-check
import { button, h } from '../ui/dom.js';
import { number, t, toggleLanguage } from '../ui/i18n.js';

/** The bar at the top. @param {import('../app.js').App} app @param {() => void} redraw */
export function drawHeader(app, redraw) {
  const go = (/** @type {import('../app.js').App['screen']} */ screen) => () => app.show(screen);
  const here = app.screen;
  const tab = (/** @type {import('../app.js').App['screen']} */ screen) =>
    button(t(`nav.${screen}`), go(screen), { 'aria-current': here === screen ? 'page' : null });
  return h(
    'header',
    { class: 'bar' },
    h('span', { class: 'brand' }, 'Parlor'),
    h(
      'nav',
      { 'aria-label': t('nav.label') },
      app.table ? tab('table') : null,
      tab('lobby'),
      tab('rooms'),
      tab('history'),
    ),
    h(
      'span',
      { class: 'purse', title: app.profile.name },
      h('span', { class: 'name' }, app.profile.name),
      ' ',
      h('span', { class: 'chips', 'aria-label': t('purse') }, number(app.profile.balance)),
    ),
    button(
      'EN/ZH',
      () => {
        toggleLanguage();
        redraw();
      },
      {
        class: 'quiet language',
        'aria-label': t('language'),
        title: t('language'),
      },
    ),
  );
}
