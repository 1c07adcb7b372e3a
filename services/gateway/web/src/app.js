// @ts-check
/** What the page knows, and what it can ask for. Screens are drawn from it. */

import { ParlorClient } from './client/parlor-client.js';
import { follow } from './ui/clock.js';
import { t } from './ui/i18n.js';
import { toast, toastError } from './ui/toast.js';

/** Newest things that a table screen may still show. */
const EVENTS_KEPT = 60;

export class App extends EventTarget {
  constructor() {
    super();
    this.client = new ParlorClient({ storage: localStorage });
    follow(() => this.client.now());
    this.connection = 'connecting';
    /** @type {any} */
    this.profile = { name: '', balance: 0 };
    /** @type {any[]} */
    this.queues = [];
    /** Tables that may be watched. @type {any[]} */
    this.watchable = [];
    /** @type {any} */
    this.ticket = null;
    /** The table that is shown. @type {any} */
    this.table = null;
    /** @type {any[]} */
    this.events = [];
    /** @type {'lobby'|'table'|'rooms'|'history'|'replay'} */
    this.screen = 'lobby';
    /** What the screen is about, such as a hand. @type {any} */
    this.subject = null;
    this.listen();
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
    });
    on('welcome', (welcome) => this.welcomed(welcome));
    on('table', (detail) => this.tableChanged(detail));
    on('table-left', ({ tableId, reason }) => this.tableLeft(tableId, reason));
    on('ticket', (ticket) => this.ticketChanged(ticket));
    on('error', (error) => toastError(error));
  }

  changed() {
    this.dispatchEvent(new Event('change'));
  }

  /** @param {any} welcome */
  welcomed(welcome) {
    this.profile = { playerId: welcome.playerId, name: welcome.name, balance: welcome.balance };
    if (!welcome.tableId && this.table && !this.table.spectating) this.closeTable();
    this.refresh();
  }

  async refresh() {
    try {
      const queues = await this.client.request({ listQueues: {} });
      this.queues = queues.queues ?? [];
      const tables = await this.client.request({ listTables: {} });
      this.watchable = (tables.tables ?? []).filter((/** @type {any} */ one) => one.watchable);
      const profile = await this.client.request({ getProfile: {} });
      this.profile = { ...this.profile, ...profile };
      this.changed();
    } catch (error) {
      toastError(error);
    }
  }

  /** @param {any} detail */
  tableChanged({ tableId, view, events }) {
    const isNew = this.table?.tableId !== tableId;
    if (isNew && !view) return;
    if (isNew) this.events = [];
    this.table = view ?? this.table;
    this.table.spectating = this.table.ownSeat === undefined;
    this.events = [...this.events, ...events].slice(-EVENTS_KEPT);
    for (const event of events) this.announce(event);
    if (isNew) {
      this.ticket = null;
      this.show('table');
    }
  }

  /** @param {any} event */
  announce(event) {
    if (event.seatRefused?.playerId === this.profile.playerId) {
      toast(t(`error.${event.seatRefused.reason}`));
    }
    if (event.timedOut && event.timedOut.seat === this.table.ownSeat) toast(t('table.timedOut'));
    if (event.closed) toast(t(`closed.${event.closed.reason}`));
  }

  /** @param {string} tableId @param {string} reason */
  tableLeft(tableId, reason) {
    if (this.table?.tableId !== tableId) return;
    if (reason === 'not_allowed') toast(t('table.notAllowed'));
    this.closeTable();
  }

  closeTable() {
    this.table = null;
    this.events = [];
    if (this.screen === 'table') this.screen = 'lobby';
    this.refresh();
  }

  /** @param {any} ticket */
  ticketChanged(ticket) {
    if (ticket.closed) {
      this.ticket = null;
      if (ticket.closed.reason !== 'cancelled') toast(t(`ticket.${ticket.closed.reason}`));
    } else if (!ticket.matched) this.ticket = { ...this.ticket, ...ticket };
  }

  /** @param {App['screen']} screen @param {any} [subject] */
  show(screen, subject = null) {
    this.screen = screen;
    this.subject = subject;
    this.changed();
  }

  /**
   * Sends a request and tells of a failure.
   * @param {object} command
   * @returns {Promise<any>} null on a failure
   */
  async ask(command) {
    try {
      return await this.client.request(command);
    } catch (error) {
      toastError(error);
      return null;
    }
  }

  /** A command to the table that is shown. @param {object} command */
  act(command) {
    return this.ask({ table: { tableId: this.table.tableId, command } });
  }

  /** @param {string} queueId */
  async enqueue(queueId) {
    this.ticket = { queueId };
    this.changed();
    const ticket = await this.ask({ enqueue: { queueId } });
    if (!ticket && !this.table) this.ticket = null;
    this.changed();
  }

  async cancelTicket() {
    await this.ask({ cancelTicket: {} });
    this.ticket = null;
    this.changed();
  }

  /** @param {any} settings */
  async createRoom(settings) {
    await this.ask({ createRoom: { settings } });
  }

  /** @param {string} roomCode */
  async joinRoom(roomCode) {
    const room = await this.ask({ joinRoom: { roomCode } });
    if (room) await this.ask({ table: { tableId: room.tableId, command: { sit: {} } } });
  }

  /** Looks on at a table. @param {string} tableId */
  watch(tableId) {
    return this.ask({ watch: { tableId } });
  }

  async leaveTable() {
    if (this.table.spectating) {
      await this.ask({ unwatch: { tableId: this.table.tableId } });
      this.closeTable();
    } else await this.act({ standUp: {} });
    this.changed();
  }
}
