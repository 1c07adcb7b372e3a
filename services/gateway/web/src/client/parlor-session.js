// @ts-check
/**
 * Who one is: signs in and keeps the session, for `parlor-client.js`.
 *
 * An access token is good for minutes and says Hello; a refresh token is good for days, is used up
 * by each renewal, and is all that a guest has to come back with. So it is given up only when the
 * server refuses it: never because of an answer that got lost, nor because of the device's clock,
 * which may be years wrong. Where several windows share one storage, the session is read again
 * before each use and renewed by one window at a time: a refresh token that is used twice looks
 * stolen.
 */

import { ParlorError } from './parlor-error.js';

/** Renew the access token so long before it expires, by the device's clock. */
const RENEW_BEFORE_MS = 60000;
/** Signing in is given up after so long: a dead network answers nothing. */
const TIMEOUT_MS = 10000;
const STORAGE_KEY = 'parlor.session';

/**
 * What is kept between visits: `SignInResponse`, all of it present.
 * @typedef {Required<import('./protocol').SignInResponse>} Session
 */

/**
 * Where the session is kept; `localStorage` fits.
 * @typedef {{getItem(key: string): string|null, setItem(key: string, value: string): void,
 *   removeItem(key: string): void}} SessionStorage
 */

export class ParlorSession {
  /**
   * @param {object} options
   * @param {SessionStorage} options.storage where the session is kept
   * @param {string} options.url the gateway's HTTP origin
   * @param {string} options.name what a new guest is called, '' for the server's choice
   * @param {() => Promise<string>} [options.operatorToken] signs in with a token of the operator's
   *   own accounts instead of as a guest
   */
  constructor({ storage, url, name, operatorToken }) {
    this.storage = storage;
    this.url = url;
    this.guestName = name;
    this.operatorToken = operatorToken;
    /** The server has refused the access token, whatever its expiry says. */
    this.isRefused = false;
  }

  /** The session as it is in the storage, null when there is none. @returns {Session|null} */
  kept() {
    try {
      return JSON.parse(this.storage.getItem(STORAGE_KEY) ?? 'null');
    } catch {
      // Somebody else's value: as good as none.
      return null;
    }
  }

  /** Forgets the session. A guest cannot come back; the next session is a new guest's. */
  forget() {
    this.storage.removeItem(STORAGE_KEY);
  }

  /** The access token was refused: the next one is a new one. */
  refuse() {
    this.isRefused = true;
  }

  /**
   * A session whose access token is good for a while. The player is a new guest when there was
   * none, or when the server refuses to renew it.
   * @returns {Promise<Session>} rejects with a {@link ParlorError} when the server says no, with
   *   something else when it could not be reached
   */
  fresh() {
    const locks = globalThis.navigator?.locks;
    // Pages without TLS have no locks.
    return locks ? locks.request(STORAGE_KEY, () => this.signIn()) : this.signIn();
  }

  /** @returns {Promise<Session>} */
  async signIn() {
    const session = this.kept();
    if (session?.refreshToken) {
      const isGood = Number(session.accessExpiresMs) - RENEW_BEFORE_MS > Date.now();
      if (isGood && !this.isRefused) return session;
      const renewed = await this.ask('refresh', { refreshToken: session.refreshToken });
      if (renewed) return renewed;
    }
    const signed = this.operatorToken
      ? await this.ask('operator', { token: await this.operatorToken() })
      : await this.ask('guest', { name: session?.name ?? this.guestName });
    if (!signed) throw new ParlorError({ code: 'unauthenticated', reason: 'SIGN_IN_REFUSED' });
    return signed;
  }

  /**
   * Asks for a session and keeps it.
   * @param {'refresh'|'guest'|'operator'} path @param {object} body
   * @returns {Promise<Session|null>} null when the token in the body is refused
   */
  async ask(path, body) {
    const answer = await fetch(`${this.url}/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (answer.status === 401) return null;
    const said = await answer.json();
    if (!answer.ok) throw new ParlorError(said);
    this.isRefused = false;
    this.storage.setItem(STORAGE_KEY, JSON.stringify(said));
    return said;
  }
}
