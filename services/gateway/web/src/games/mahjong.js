// @ts-check
/** Sichuan mahjong on the page; its parts are in `mahjong/`. */

import { countdown } from '../ui/clock.js';
import { dialog } from '../ui/dialog.js';
import { button, h } from '../ui/dom.js';
import { t } from '../ui/i18n.js';
import { tileName } from '../ui/tiles.js';
import { board } from './mahjong/board.js';
import { allowed, choiceButtons, ownHand, play } from './mahjong/hand.js';
import { viewOf, word } from './mahjong/names.js';
import { result, sheet } from './mahjong/result.js';

export { describe } from './mahjong/describe.js';
export { checkDeal, drawReplay } from './mahjong/replay.js';

/** @typedef {import('../app.js').App} App */

/** The board shows who sits where. @param {App} app */
export function drawsSeats(app) {
  return Boolean(viewOf(app).seats?.length) && viewOf(app).stage !== 'MAHJONG_STAGE_OVER';
}

/** @param {App} app */
export function draw(app) {
  const view = viewOf(app);
  if (!view.seats?.length) return h('p', { class: 'pending' }, t('table.waiting'));
  if (view.stage === 'MAHJONG_STAGE_OVER') return result(app, view);
  return h('div', { class: 'mj-table' }, board(app), sheetDialog(app, view));
}

/** The score sheet is open during a hand. */
let isSheetOpen = false;

/** @param {App} app @param {import('../client/protocol').MahjongView} view */
function sheetDialog(app, view) {
  if (!isSheetOpen) return null;
  const close = () => {
    isSheetOpen = false;
    app.changed();
    const opener = document.querySelector('[data-key="mj-sheet"]');
    if (opener instanceof HTMLElement) opener.focus();
  };
  return dialog(t('mj.sheet.title'), close, sheet(app, view));
}

/** Looks up the score sheet. @param {App} app */
export function tools(app) {
  const { stage, sheet: scores } = viewOf(app);
  if (!scores?.hands?.length || stage === 'MAHJONG_STAGE_OVER') return null;
  return button(t('mj.sheet.title'), () => {
    isSheetOpen = true;
    app.changed();
  }, { class: 'quiet', 'data-key': 'mj-sheet' });
}

/** The player's hand, always in sight. @param {App} app */
export function own(app) {
  return viewOf(app).stage === 'MAHJONG_STAGE_OVER' ? null : ownHand(app);
}

/** What the player may do now. @param {App} app */
export function actions(app) {
  const mine = viewOf(app).own;
  if (!mine) return null;
  const buttons = [...claims(app, mine), ...choiceButtons(app, mine)];
  const answered = mine.answer
    ? t('mj.youAnswered', { answer: t(`mj.${word(mine.answer, 'MAHJONG_ANSWER')}`) })
    : null;
  if (!buttons.length) return answered ? h('p', { class: 'ask' }, answered) : null;
  const clock = (app.shown.clocks ?? []).find(
    (/** @type {any} */ one) => (one.seat ?? 0) === app.shown.ownSeat,
  );
  return h(
    'div',
    { class: 'actions', role: 'group', 'aria-label': t('mj.actions') },
    clock ? countdown(clock) : null,
    ...buttons,
  );
}

/** Winning, kongs, pungs, and declining. @param {App} app @param {any} mine */
function claims(app, mine) {
  const plain = (/** @type {string} */ kind, /** @type {string} */ look) =>
    allowed(mine, kind).length
      ? [
          button(t(`mj.${kind}`), () => play(app, { [kind]: {} }), {
            class: look,
            'data-key': kind,
            'data-claim': kind,
          }),
        ]
      : [];
  const kongs = (/** @type {string} */ kind) =>
    allowed(mine, kind).map((one) =>
      button(t(`mj.${kind}`, { tile: tileName(one.tile) }), () => play(app, { [kind]: one }), {
        'data-key': `${kind}-${one.tile}`,
        'data-claim': kind,
      }),
    );
  return [
    ...plain('win', 'win-button'),
    ...plain('kong', ''),
    ...plain('pung', ''),
    ...kongs('concealedKong'),
    ...kongs('addedKong'),
    ...plain('pass', 'quiet'),
  ];
}
