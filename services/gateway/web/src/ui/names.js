// @ts-check
/** What people and bots are called. The server marks a bot's name in English. */

import { t } from './i18n.js';

const BOT = / \(bot\)$/;

/** A name in the reader's words. @param {string} name */
export function nameWords(name) {
  return BOT.test(name) ? t('seat.bot', { name: name.replace(BOT, '') }) : name;
}

/** A name where there is little room and a bot is marked besides.
 * @param {import('../client/protocol').SeatView} seat */
export function shortName({ name = '', occupant }) {
  return occupant === 'OCCUPANT_BOT' ? name.replace(BOT, '') : name;
}
