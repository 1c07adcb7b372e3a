// @ts-check
/** What people at the table show and say: pictures and prepared sentences. */

import { toastError } from './ui/toast.js';

/** A bubble stays for so long. */
const SHOWN_MS = 4500;
/** The table lets a seat speak so often. */
const PAUSE_MS = 1000;

/**
 * @typedef {import('./app.js').App} App
 * @typedef {import('./client/parlor-client.js').ParlorError} ParlorError
 * @typedef {import('./client/protocol').TableEvent} TableEvent
 * @typedef {{emote?: number, sentence?: number}} Utterance
 */

/** What an event of the table says, null when it is no talk. @param {TableEvent} event
 * @returns {(Utterance & {seat: number})|null} */
export function utteranceOf({ emote, quickChat }) {
  if (emote) return { seat: emote.seat ?? 0, emote: emote.emote ?? 0 };
  if (quickChat) return { seat: quickChat.seat ?? 0, sentence: quickChat.sentence ?? 0 };
  return null;
}

export class Talk {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** What is in the air now, by seat. @type {Map<number, Utterance>} */
    this.bubbles = new Map();
    /** The sheet with all that can be said is open. */
    this.isOpen = false;
    /** The player wants to see nothing of it. */
    this.isHidden = false;
    /** It is too soon for the next one. */
    this.isResting = false;
    /** Why the player may say nothing, as the server has said; null when it lets the player speak.
     * @type {ParlorError|null} */
    this.muted = null;
  }

  /** @param {TableEvent[]} events */
  hear(events) {
    if (this.isHidden) return;
    for (const event of events) {
      const said = utteranceOf(event);
      if (!said) continue;
      this.bubbles.set(said.seat, said);
      setTimeout(() => {
        // A later one stays for its own time.
        if (this.bubbles.get(said.seat) !== said) return;
        this.bubbles.delete(said.seat);
        this.app.changed();
      }, SHOWN_MS);
    }
  }

  /** Another table, another talk. */
  forget() {
    this.bubbles.clear();
    this.isOpen = false;
  }

  /** @param {boolean} isOpen */
  open(isOpen) {
    this.isOpen = isOpen;
    this.app.changed();
  }

  /** @param {boolean} isHidden */
  hide(isHidden) {
    this.isHidden = isHidden;
    if (isHidden) this.bubbles.clear();
    this.app.changed();
  }

  /** Shows or says something to everybody at the table. @param {Utterance} what */
  async say({ emote, sentence }) {
    const { tableId } = this.app.shown;
    this.isResting = true;
    setTimeout(() => {
      this.isResting = false;
      this.app.changed();
    }, PAUSE_MS);
    this.open(false);
    const command = emote ? { emote: { emote } } : { quickChat: { sentence } };
    try {
      await this.app.client.act(tableId, command);
      this.muted = null;
    } catch (error) {
      const failure = /** @type {ParlorError} */ (error);
      this.muted = failure.reason === 'PLAYER_MUTED' ? failure : null;
      toastError(failure);
      this.app.changed();
    }
  }
}
