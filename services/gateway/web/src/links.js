// @ts-check
/**
 * Links that lead into a room (`#room=123456`) or a club (`#club=AB23CD45`): the code is filled in,
 * and joining is for the person to press.
 */

import { fillInvite } from './screens/clubs.js';
import { fillRoomCode } from './screens/rooms.js';

const LINK = /^#(room|club)=([0-9A-Za-z-]{1,36})$/;

/** Goes where the address leads, once. @param {import('./app.js').App} app */
export function followLink(app) {
  const [, kind, code] = LINK.exec(location.hash) ?? [];
  if (!kind) return;
  history.replaceState(null, '', location.pathname);
  if (kind === 'room') fillRoomCode(code);
  else fillInvite(code);
  app.show(kind === 'room' ? 'rooms' : 'clubs');
}
