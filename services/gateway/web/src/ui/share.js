// @ts-check
/** Gives something away: through the phone's own sheet, or the clipboard. */

import { button } from './dom.js';
import { t } from './i18n.js';
import { toast } from './toast.js';

/** The address that leads straight into a room or a club. @param {'room'|'club'} kind
 * @param {string} code */
export function linkTo(kind, code) {
  return `${location.origin}/#${kind}=${code}`;
}

/** @param {string} text */
async function share(text) {
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    // Whoever closes the sheet has changed his mind.
    await navigator.share({ text }).catch(() => {});
    return;
  }
  try {
    await navigator.clipboard.writeText(text);
    toast(t('share.copied'));
  } catch {
    toast(text);
  }
}

/**
 * A button that gives a text away.
 * @param {string} label @param {string} text @param {Record<string, any>} [properties]
 */
export function shareButton(label, text, properties = {}) {
  return button(label, () => share(text), { class: 'quiet', ...properties });
}
