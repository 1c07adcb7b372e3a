// @ts-check
/** The page's words, in English and Chinese. */

import { en } from '../../locale/en.js';
import { zh } from '../../locale/zh.js';

const LOCALES = { en, zh };
const STORAGE_KEY = 'parlor.language';

/** @type {'en'|'zh'} */
let language = chosen();

/** @returns {'en'|'zh'} */
function chosen() {
  const wish = localStorage.getItem(STORAGE_KEY) ?? navigator.language;
  return wish.startsWith('zh') ? 'zh' : 'en';
}

/** The language in use. */
export function currentLanguage() {
  return language;
}

/** Switches to the other language. */
export function toggleLanguage() {
  language = language === 'en' ? 'zh' : 'en';
  localStorage.setItem(STORAGE_KEY, language);
  document.documentElement.lang = language;
}

/**
 * The words for a key; `{name}` in them is replaced. An unknown key stands for itself, so that a
 * reason that the page does not know is still readable.
 * @param {string} key
 * @param {Record<string, string|number>} [values]
 */
export function t(key, values = {}) {
  const words =
    /** @type {Record<string, string>} */ (LOCALES[language])[key] ??
    /** @type {Record<string, string>} */ (en)[key] ??
    key;
  return words.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** A number as people of this language write it. @param {string|number|undefined} value */
export function number(value) {
  return Number(value ?? 0).toLocaleString(language === 'zh' ? 'zh-CN' : 'en-US');
}

/** A signed number. @param {string|number|undefined} value */
export function signed(value) {
  const amount = Number(value ?? 0);
  return `${amount > 0 ? '+' : ''}${number(amount)}`;
}

/** A moment of these days, as people of this language write it. @param {number} ms */
export function moment(ms) {
  return new Date(ms).toLocaleString(language === 'zh' ? 'zh-CN' : 'en-GB', {
    month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}

document.documentElement.lang = language;
