// @ts-check
/** What the page knows, and what it can ask for. Screens are drawn from it. */

import { ParlorClient } from './client/parlor-client.js';
import { Clubs } from './clubs.js';
import { settle, shownTable } from './shown-table.js';
import { Talk } from './talk.js';
import { follow } from './ui/clock.js';
import { t } from './ui/i18n.js';
import { toast, toastError } from './ui/toast.js';

/** Newest things that a table screen may still show. */
const EVENTS_KEPT = 60;
/** A move that was accepted shows itself within so long. */
const SHOWN_WITHIN_MS = 1000;
/** Pause before a table that nobody could reach is asked for again. */
const LOOK_AGAIN_MS = 2000;

/**
 * @typedef {import('./client/protocol').TableEvent} TableEvent
 * @typedef {import('./shown-table.js').ShownTable} ShownTable
 * @typedef {import('./client/protocol').TicketUpdate} TicketUpdate
 * @typedef {import('./client/parlor-client.js').ParlorError} ParlorError
 * @typedef {import('./client/parlor-client.js').TableChange} TableChange
 * @typedef {import('./client/parlor-client.js').ClientState} ClientState
 * @typedef {'lobby'|'table'|'rooms'|'clubs'|'boards'|'history'|'replay'} Screen
 */

export class App extends EventTarget {
  constructor() {
    super();
    this.client = new ParlorClient({ storage: localStorage });
    follow(() => this.client.now());
    /** @type {ClientState} */
    this.connection = 'connecting';
    /** Whether there was a connection before: a first one is not a lost one. */
    this.wasOnline = false;
    /** The server does not reach the table for the moment. */
    this.isTableAway = false;
    /** @type {{playerId: string, name: string, balance: string|undefined}} */
    this.profile = { playerId: '', name: '', balance: undefined };
    /** @type {import('./client/protocol').Queue[]|null} */
    this.queues = null;
    /** Tables that may be watched. @type {import('./client/protocol').TableSummary[]} */
    this.watchable = [];
    /** The place in a queue. @type {(TicketUpdate & {queueId?: string})|null} */
    this.ticket = null;
    /** The queue from which the table came, '' for none. */
    this.cameFrom = '';
    /** @type {import('./client/protocol').PartyView|null} */
    this.party = null;
    /** @type {ShownTable|null} */
    this.table = null;
    /** @type {TableEvent[]} */
    this.events = [];
    /** A move is on its way. */
    this.isActing = false;
    /** The table that the player asked to watch. */
    this.watched = '';
    /** The match has ended while the player had a seat. */
    this.isEnded = false;
    /** The table that the player asked to leave. */
    this.leaving = '';
    /** Hands whose money is in the ledger, by number. @type {Set<string>} */
    this.posted = new Set();
    this.clubs = new Clubs(this);
    this.talk = new Talk(this);
    /** @type {Screen} */
    this.screen = 'lobby';
    /** What the screen is about, such as a hand. */
    this.subject = '';
    this.listen();
  }

  /** The table, for what is drawn only at one. */
  get shown() {
    if (!this.table) throw new Error('no table is shown');
    return this.table;
  }

  /** Whether the table has ended and is shown only for its last result. */
  get isOver() {
    return this.table?.phase === 'PHASE_CLOSED';
  }

  /** Whether a place in a queue or at a table is in the way of another. */
  get isBusy() {
    return this.ticket !== null || (this.table !== null && !this.isOver);
  }

  /** Whether the player chooses what is played: alone, or for its party. */
  get leads() {
    return !this.party || this.party.members?.[0]?.playerId === this.profile.playerId;
  }

  listen() {
    const on = (/** @type {string} */ type, /** @type {(detail: any) => void} */ react) => {
      this.client.addEventListener(type, (event) => {
        react(/** @type {CustomEvent} */ (event).detail);
        this.changed();
      });
    };
    on('state', ({ state }) => {
      this.connection = state;
      this.wasOnline ||= state === 'online';
    });
    on('welcome', (welcome) => this.welcomed(welcome));
    on('table', (change) => this.tableChanged(change));
    on('table-left', (left) => this.tableLeft(left));
    on('ticket', (ticket) => this.ticketChanged(ticket));
    on('party', (update) => this.partyChanged(update));
    on('error', toastError);
    addEventListener('online', () => this.client.hurry());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.client.hurry();
    });
  }

  changed() {
    this.dispatchEvent(new Event('change'));
  }

  /** @param {import('./client/protocol').Welcome} welcome */
  welcomed({ playerId = '', name = '', balance, tableId, ticketId, partyId }) {
    this.profile = { playerId, name, balance: balance ?? this.profile.balance };
    if (!tableId && this.table && !this.table.spectating && !this.isOver) this.closeTable();
    if (!ticketId) this.ticket = null;
    else if (!tableId) this.ticket ??= { ticketId };
    if (!partyId) this.party = null;
    this.refresh();
  }

  /** Asks anew for what is not pushed. */
  async refresh() {
    try {
      const [queues, tables] = await Promise.all([
        this.client.request({ listQueues: {} }),
        this.client.request({ listTables: {} }),
        this.refreshProfile(),
      ]);
      this.queues = queues.queues ?? [];
      this.watchable = (tables.tables ?? []).filter(
        (/** @type {import('./client/protocol').TableSummary} */ one) => one.watchable);
      this.changed();
    } catch (error) {
      toastError(/** @type {ParlorError} */ (error));
    }
  }

  async refreshProfile() {
    const profile = await this.client.request({ getProfile: {} });
    this.profile = { ...this.profile, balance: '0', ...profile };
    this.changed();
  }

  /** @param {TableChange} change */
  tableChanged({ tableId, view, events, resync }) {
    const isNew = this.table?.tableId !== tableId;
    if (isNew) {
      // A table that is only watched comes on the page when it was asked for.
      if (!view || (view.ownSeat === undefined && tableId !== this.watched)) return;
      this.posted.clear();
    }
    if (isNew || events.some(({ handStarted }) => handStarted)) this.isEnded = false;
    const seated = this.table?.ownSeat !== undefined;
    this.isEnded ||= seated && events.some(({ matchEnded, closed }) => matchEnded ?? closed);
    // Whoever had a seat when the match ended may look on from then on, and be told late: that is
    // older than what the page shows, until the table is closed for spectators too.
    const isOld = this.isEnded && view?.ownSeat === undefined && view?.phase !== 'PHASE_CLOSED';
    if (view && !isOld) this.table = shownTable(tableId, view, isNew ? null : this.table);
    else if (this.table && !view) settle(this.table, events);
    this.isTableAway = false;
    this.events = isNew || resync ? events : [...this.events, ...events].slice(-EVENTS_KEPT);
    for (const event of events) this.announce(event);
    this.talk.hear(events);
    if (isNew) {
      this.cameFrom = this.ticket?.queueId ?? '';
      this.ticket = null;
      this.show('table');
      // The buy-in has left the wallet.
      if (!this.table?.spectating) this.refreshProfile().catch(() => {});
    }
  }

  /** @param {TableEvent} event */
  announce(event) {
    const own = this.table?.ownSeat;
    if (event.seatRefused?.playerId === this.profile.playerId) {
      toast(t(`error.${event.seatRefused.reason}`));
    }
    if (event.timedOut && (event.timedOut.seat ?? 0) === own) toast(t('table.timedOut'));
    // An ended match is told by what the page shows, and who leaves knows it.
    const isExpected = event.closed?.reason === 'match_over'
      || this.leaving === this.table?.tableId;
    if (event.closed && !isExpected) {
      toast(t(`closed.${event.closed.reason}`));
    }
    if (event.seatChanged?.seat && (event.seatChanged.seat.seat ?? 0) === own
      && this.table?.phase === 'PHASE_WAITING') this.refreshProfile().catch(() => {});
    if (event.handPosted) {
      this.posted.add(event.handPosted.handNo ?? '0');
      this.refreshProfile().catch(() => {});
    }
  }

  /** @param {import('./client/protocol').TableLeft} left */
  tableLeft({ tableId = '', reason }) {
    if (tableId === this.watched) this.watched = '';
    if (this.table?.tableId !== tableId) return;
    if (reason === 'unavailable') {
      this.lookAgain(tableId);
      return;
    }
    const isOver = reason === 'table_closed' || (reason === 'left' && this.isEnded);
    if (isOver && this.table.view && tableId !== this.leaving) {
      // The last result can be read for as long as one likes.
      this.table = { ...this.table, phase: 'PHASE_CLOSED', clocks: [], vote: undefined };
      this.refresh();
      return;
    }
    if (reason === 'not_allowed') toast(t('table.notAllowed'));
    this.closeTable();
  }

  /** Asks for a table that nobody could reach until it is there or known to be gone.
   * @param {string} tableId */
  lookAgain(tableId) {
    this.isTableAway = true;
    if (this.table?.spectating) this.watched = tableId;
    setTimeout(async () => {
      if (this.table?.tableId !== tableId || !this.isTableAway) return;
      try {
        await this.client.request({ watch: { tableId } });
        this.isTableAway = false;
      } catch (error) {
        if (/** @type {ParlorError} */ (error).retryable) this.lookAgain(tableId);
        else this.closeTable();
      }
      this.changed();
    }, LOOK_AGAIN_MS);
  }

  closeTable() {
    this.table = null;
    this.events = [];
    this.talk.forget();
    this.isTableAway = false;
    if (this.screen === 'table') this.screen = 'lobby';
    this.refresh();
  }

  /** @param {TicketUpdate} ticket */
  ticketChanged(ticket) {
    if (ticket.closed) {
      this.ticket = null;
      if (ticket.closed.reason !== 'cancelled') toast(t(`ticket.${ticket.closed.reason}`));
    } else if (!ticket.matched && !this.table) {
      // After a ready check that failed the ticket waits again.
      this.ticket = { ...this.ticket, readyCheck: undefined, ...ticket };
    }
  }

  /** @param {import('./client/protocol').PartyUpdate} update */
  partyChanged({ partyId, party, left }) {
    if (party) {
      this.party = party;
      const { ticketId, queueId } = party;
      if (ticketId && !this.table) this.ticket ??= { ticketId, queueId };
      else if (!ticketId && this.ticket?.ticketId) this.ticket = null;
    } else if (this.party?.partyId === partyId) {
      this.party = null;
      if (left && left.reason !== 'left') toast(t(`party.left.${left.reason}`));
    }
  }

  /** @param {Screen} screen @param {string} [subject] */
  show(screen, subject = '') {
    this.screen = screen;
    this.subject = subject;
    if (screen === 'clubs' || screen === 'rooms') this.clubs.load();
    this.changed();
  }

  /**
   * Sends a request and tells of a failure.
   * @param {import('./client/parlor-client.js').Ask} ask
   * @returns {Promise<any>} null on a failure
   */
  async ask(ask) {
    try {
      return await this.client.request(ask);
    } catch (error) {
      toastError(/** @type {ParlorError} */ (error));
      return null;
    }
  }

  /**
   * A command to the table that is shown. A move of the game that is given while another is on its
   * way is dropped: who taps twice means one move.
   * @param {import('./client/protocol').Command} command
   * @returns {Promise<any>} null on a failure
   */
  async act(command) {
    if (!command.play) return this.ask({ table: { tableId: this.shown.tableId, command } });
    if (this.isActing) return null;
    this.isActing = true;
    this.changed();
    const shown = this.nextTable();
    const answer = await this.ask({ table: { tableId: this.shown.tableId, command } });
    // The answer and the update that shows the effect come in either order.
    if (answer) await shown;
    this.isActing = false;
    this.changed();
    return answer;
  }

  /** The next change of a table, or a while without any. */
  nextTable() {
    return new Promise((resolve) => {
      this.client.addEventListener('table', resolve, { once: true });
      setTimeout(resolve, SHOWN_WITHIN_MS);
    });
  }

  /** @param {string} queueId */
  async enqueue(queueId) {
    this.ticket = { queueId };
    this.changed();
    const party = { enqueueQueueId: queueId };
    const ticket = await this.ask(this.party ? { party } : { enqueue: { queueId } });
    if (!ticket && !this.table) this.ticket = null;
    this.changed();
  }

  /** Says that the player is ready for the match that was found. */
  async answerReady() {
    await this.ask({ answerReadyCheck: { ready: true } });
  }

  async cancelTicket() {
    await this.ask({ cancelTicket: {} });
    this.ticket = null;
    this.changed();
  }

  /** @param {import('./client/protocol').TableSettings} settings
   * @param {string} clubId whose room it becomes, '' for nobody's */
  async createRoom(settings, clubId) {
    await this.ask({ createRoom: { settings, clubId } });
  }

  /** @param {string} roomCode */
  async joinRoom(roomCode) {
    const room = await this.ask({ joinRoom: { roomCode } });
    if (!room) return;
    this.watched = room.tableId;
    await this.ask({ table: { tableId: room.tableId, command: { sit: {} } } });
  }

  /** Leaves a table that is over for another one like it. */
  playAgain() {
    this.closeTable();
    return this.enqueue(this.cameFrom);
  }

  /** Looks on at a table. @param {string} tableId */
  watch(tableId) {
    this.watched = tableId;
    return this.ask({ watch: { tableId } });
  }

  async leaveTable() {
    const { tableId, spectating } = this.shown;
    if (this.isOver) {
      this.closeTable();
      this.changed();
      return;
    }
    if (!spectating) {
      this.leaving = tableId;
      await this.act({ standUp: {} });
      return;
    }
    this.watched = '';
    await this.ask({ unwatch: { tableId } });
    if (this.table?.tableId === tableId) this.closeTable();
    this.changed();
  }
}
