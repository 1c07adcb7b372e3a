// @ts-check
/**
 * Names and texts of jokers, bosses, tags, vouchers, consumables and decks, by their ids. They are
 * many, so they are loaded when a run is first shown; until then an id stands for itself.
 */

import { currentLanguage } from '../../ui/i18n.js';

/** @typedef {{name: string, text: string}} Entry */
/** @typedef {'jokers'|'bosses'|'tags'|'vouchers'|'consumables'|'decks'|'stakes'|'packs'} Kind */

/** @type {Record<string, any>} */
const loaded = {};
/** @type {Set<string>} */
const asked = new Set();

/** Loads the texts of the language in use, once. @param {() => void} done */
export function loadNames(done) {
  const language = currentLanguage();
  if (asked.has(language)) return;
  asked.add(language);
  fetch(`/locale/balatro.${language}.json`)
    .then((answer) => (answer.ok ? answer.json() : {}))
    .catch(() => {
      // Asked again with the next drawing, when the connection may be back.
      asked.delete(language);
      return null;
    })
    .then((texts) => {
      if (!texts) return;
      loaded[language] = texts;
      done();
    });
}

/** @param {Kind} kind @param {string|undefined} id @returns {Entry} */
export function entry(kind, id) {
  const texts = loaded[currentLanguage()] ?? {};
  const found = texts[kind]?.[id ?? ''] ?? texts[id ?? ''];
  return { name: found?.name ?? words(id), text: found?.text ?? '' };
}

/** @param {Kind} kind @param {string|undefined} id */
export function nameOf(kind, id) {
  return entry(kind, id).name;
}

/** An id as words. @param {string|undefined} id */
function words(id) {
  const text = (id ?? '').replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
