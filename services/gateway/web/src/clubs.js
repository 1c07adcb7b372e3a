// @ts-check
/** The player's clubs, as the page knows them, and what it can ask of them. */

import { t } from './ui/i18n.js';
import { toast } from './ui/toast.js';

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./client/protocol').Club} Club
 * @typedef {import('./client/protocol').ClubSummary} ClubSummary
 * @typedef {import('./client/protocol').ClubChange} ClubChange
 * @typedef {import('./client/protocol').ClubCommand} ClubCommand
 * @typedef {import('./client/protocol').CardEntry} CardEntry
 */

/** Nothing of clubs is pushed: what is on the page is asked for so often. */
const LOOK_MS = 4000;
/** Lines of a card book that come at a time. */
const BOOK_PAGE = 50;

/** What an invite code is made of; all else is taken for a club's id. */
const INVITE = /^[2-9A-HJ-NP-Z]{8}$/i;

export class Clubs {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {ClubSummary[]|null} */
    this.list = null;
    /** The club that is looked at. @type {Club|null} */
    this.club = null;
    /** Its card book, newest first. @type {CardEntry[]|null} */
    this.book = null;
    /** The card book may have older lines. */
    this.isMore = false;
    /** An answer is on its way. */
    this.isAsking = false;
    /** The club whose next room is being filled in, '' for nobody's. */
    this.forRoom = '';
    setInterval(() => this.look(), LOOK_MS);
  }

  /** Asks for what is shown, unless nobody looks. */
  look() {
    const isShown = ['clubs', 'rooms'].includes(this.app.screen) && !document.hidden;
    if (isShown && !this.isAsking && this.app.connection === 'online') this.load();
  }

  /** Which club the page is about, '' for none. */
  get subject() {
    const { screen, subject } = this.app;
    return screen === 'clubs' ? subject : screen === 'rooms' ? this.forRoom : '';
  }

  /** Asks for the clubs, and for the one that the page is about. What fails is asked for again. */
  async load() {
    const { subject } = this;
    const ask = (/** @type {ClubCommand} */ command) => (
      this.app.client.request({ club: command }).catch((error) => {
        if (error.reason === 'CLUB_NOT_FOUND') this.gone(subject);
        return null;
      }));
    this.isAsking = true;
    const [clubs, club] = await Promise.all([
      ask({ list: {} }), subject ? ask({ getClubId: subject }) : null]);
    this.isAsking = false;
    if (clubs) this.list = clubs.clubs ?? [];
    if (club) this.keep(club);
    this.app.changed();
  }

  /** Shows a club, or with '' all of them. @param {string} clubId */
  show(clubId) {
    if (this.club?.clubId !== clubId) this.club = null;
    this.book = null;
    this.app.show('clubs', clubId);
  }

  /** Chooses whose room is to be opened. @param {string} clubId '' for nobody's */
  choose(clubId) {
    this.forRoom = clubId;
    this.app.show('rooms');
  }

  /** The club has ended, or the player is in it no longer. @param {string} clubId */
  gone(clubId) {
    if (this.forRoom === clubId) this.forRoom = '';
    if (this.app.screen !== 'clubs' || this.app.subject !== clubId) return;
    toast(t('clubs.gone'));
    this.show('');
  }

  /** @param {Club} club */
  keep(club) {
    if (this.subject === club.clubId) this.club = club;
    this.app.changed();
  }

  /** Founds a club and shows it. @param {string} name @returns {Promise<boolean>} */
  async found(name) {
    const club = await this.app.ask({ club: { create: { name } } });
    if (club) this.show(club.clubId);
    return Boolean(club);
  }

  /**
   * Joins with an invite code, or asks to be let in with a club's id.
   * @param {string} text @returns {Promise<boolean>}
   */
  async join(text) {
    const word = text.trim();
    const isInvite = INVITE.test(word);
    const club = await this.app.ask({
      club: isInvite ? { joinByInviteCode: word.toUpperCase() } : { askToJoinClubId: word } });
    if (!club) return false;
    if (club.clubId) this.show(club.clubId);
    else toast(t('clubs.asked'));
    return true;
  }

  /** @param {ClubChange} change @returns {Promise<boolean>} */
  async change(change) {
    const clubId = this.app.subject;
    const club = await this.app.ask({ club: { change: { clubId, change } } });
    if (!club) return false;
    if (club.clubId) this.keep(club);
    else this.show('');
    return true;
  }

  /** Asks for the card book from its newest line, or for the lines before those that are here.
   * @param {boolean} [isMore] */
  async read(isMore = false) {
    const before = isMore ? this.book?.at(-1)?.number : '0';
    const page = await this.app.ask({
      club: { listCardEntries: { clubId: this.app.subject, before } } });
    if (!page) return;
    const entries = page.entries ?? [];
    this.book = [...(isMore ? this.book ?? [] : []), ...entries];
    this.isMore = entries.length === BOOK_PAGE;
    this.app.changed();
  }
}

/**
 * What a room of so many hands costs, as the server reckons: the shortest match that is long enough
 * counts, else one without an end, else the longest.
 * @param {import('./client/protocol').CardPrice[]} prices @param {number} hands 0: without an end
 */
export function priceOf(prices, hands) {
  const sorted = prices
    .map((price) => ({ hands: price.hands ?? 0, cards: Number(price.cards ?? 0) }))
    .sort((a, b) => a.hands - b.hands);
  const enough = sorted.find((price) => hands > 0 && price.hands >= hands);
  return (enough ?? sorted.find((price) => price.hands === 0) ?? sorted.at(-1))?.cards ?? 0;
}

/**
 * Hands of a match at most, 0 for one without an end.
 * @param {import('./client/protocol').TableSettings} settings
 */
export function matchLength(settings) {
  const limit = settings.handsLimit ?? 0;
  const mahjong = settings.options?.mahjong;
  const own = mahjong ? mahjong.rounds ?? 8 : 0;
  return own && limit ? Math.min(own, limit) : own || limit;
}
