// @ts-check
/**
 * A client of the Parlor gateway: one WebSocket with proto3 JSON frames (`parlor.v1.json`), as
 * described in `proto/parlor/gateway/v1/PROTOCOL.md`. It needs nothing but a browser (or any
 * JavaScript with `fetch`, `WebSocket`, `EventTarget`, `CustomEvent` and `crypto`). Copy this
 * folder: `parlor-session.js` signs in, `parlor-error.js` is a failure, `protocol.d.ts` has the
 * types of all frames.
 *
 *     const client = new ParlorClient({ storage: localStorage });
 *     client.addEventListener('table', ({ detail }) => draw(detail.view, detail.events));
 *     addEventListener('online', () => client.hurry());
 *     const { tableId } = await client.start();
 *     if (!tableId) await client.request({ enqueue: { queueId: 'blackjack-quick' } });
 *     // … and at the table that comes with the next `table`:
 *     await client.act(tableId, { play: { blackjack: { bet: { amount: '100' } } } });
 *
 * What it takes care of:
 *
 * - **Who one is.** It signs in, keeps the session in `storage`, and renews the access token before
 *   it expires. Nothing else is stored.
 * - **Staying connected.** It pings, notices a dead connection, connects again with growing pauses,
 *   and resumes every watched table behind the last update that it has (`Hello.resume`): no update
 *   is missed and none comes twice. Tell it with `hurry()` when the app is in the foreground or
 *   the network has come back. It stays away when coming back would be wrong: where the player
 *   plays elsewhere now, or was sent away.
 * - **Requests.** Each is answered with a promise. One whose answer was lost with the connection is
 *   sent again with the same id, which the server carries out once. One that is refused for the
 *   moment (`retryable`) is repeated a few times, as when a table moves to another process.
 * - **Time.** `now()` is the server's clock, which deadlines are compared with.
 *
 * It does not know any game. With `withViews` (the default) each update brings the whole view of
 * its table, so that a client need not fold events into a state by itself.
 *
 * Events, all `CustomEvent`s with these details:
 *
 * | type | detail | when |
 * |---|---|---|
 * | `state` | `{state}`: {@link ClientState} | the connection changes |
 * | `welcome` | `Welcome` | connected, at first and again |
 * | `table` | {@link TableChange} | a watched table has changed |
 * | `table-left` | `TableLeft` | a table is watched no longer |
 * | `ticket` | `TicketUpdate` | the ticket in a queue has news |
 * | `error` | `ParlorError` | something failed that no request asked for |
 */

import { ParlorError } from './parlor-error.js';
import { ParlorSession } from './parlor-session.js';

export { ParlorError, ParlorSession };

/** Longest first pause before connecting again, in milliseconds; doubled each time. */
const RECONNECT_FIRST_MS = 1000;
/** Longest pause before connecting again. */
const RECONNECT_MAX_MS = 10000;
/** An attempt to connect is given up after so long: a dead network answers nothing. */
const CONNECT_TIMEOUT_MS = 10000;
/** A request without an answer fails after so long, connected or not. */
const REQUEST_TIMEOUT_MS = 30000;
/** How often a request is repeated that is refused for the moment. */
const REPEATS_MAX = 6;
/** First pause before it is repeated, unless the server names one; doubled each time. */
const REPEAT_FIRST_MS = 300;
/** Connections that fall silent for so many heartbeats are given up: phones lose them unnoticed. */
const SILENT_HEARTBEATS = 2;
/** A connection that is in doubt is given up when nothing is heard for so long. */
const DOUBT_MS = 4000;
const SUBPROTOCOL = 'parlor.v1.json';
/** Close codes after which one stays away, should the GoAway before them have been lost.
 * @type {Record<number, ClientState>} */
const FAREWELLS = { 4001: 'replaced', 4004: 'kicked' };

/**
 * @typedef {import('./protocol').ClientFrame} ClientFrame
 * @typedef {import('./protocol').ServerFrame} ServerFrame
 * @typedef {import('./protocol').Failure} Failure
 * @typedef {import('./protocol').TableView} TableView
 * @typedef {import('./protocol').TableEvent} TableEvent
 * @typedef {import('./parlor-session.js').SessionStorage} SessionStorage
 */

/**
 * `connecting` until the Welcome, then `online`; `offline` between two attempts and after `stop`.
 * Only `start` connects again when it is `replaced`: the player has connected elsewhere; `kicked`:
 * a moderator has ended the session; `refused`: the server lets the player have no session, as one
 * who is banned, and `refusal` says why.
 * @typedef {'connecting'|'online'|'offline'|'replaced'|'kicked'|'refused'} ClientState
 */

/**
 * What a request asks for: exactly one field of `Request`, such as `{listQueues: {}}`.
 * @typedef {Omit<import('./protocol').Request, 'id'>} Ask
 */

/**
 * A change of a watched table. `view` is the whole table after it; it is absent when the next
 * change follows at once. After a `resync` everything that was known before is to be forgotten.
 * @typedef {{tableId: string, view: TableView|undefined, events: TableEvent[],
 *   resync: boolean}} TableChange
 */

/**
 * A request on its way.
 * @typedef {{frame: ClientFrame, resolve: (result: any) => void, repeats: number,
 *   reject: (error: ParlorError) => void, deadline: number,
 *   timer: ReturnType<typeof setTimeout>}} Waiting
 */

export class ParlorClient extends EventTarget {
  /**
   * @param {object} options
   * @param {SessionStorage} options.storage where the session is kept
   * @param {string} [options.url] the gateway's HTTP origin, by default the page's own
   * @param {string} [options.name] what a new guest is called, by default the server's choice
   * @param {() => Promise<string>} [options.operatorToken] signs in with a token of the operator's
   *   own accounts instead of as a guest
   * @param {string} [options.client] name and version of the client, for the operator's telemetry
   * @param {boolean} [options.withViews] updates bring the whole view
   */
  constructor({ storage, url = location.origin, name = '', operatorToken, client = 'parlor-web/1',
    withViews = true }) {
    super();
    this.url = url.replace(/\/$/, '');
    this.session = new ParlorSession({ storage, url: this.url, name, operatorToken });
    this.clientName = client;
    this.withViews = withViews;
    /** @type {ClientState} */
    this.state = 'offline';
    /** Why the server refused a session. @type {ParlorError|null} */
    this.refusal = null;
    /** Server time minus device time, in milliseconds. */
    this.clockOffsetMs = 0;
    /** 16 bytes of our own that enter every shuffle (`parlor-fair-v1`). */
    this.clientSeed = crypto.getRandomValues(new Uint8Array(16));
    /** @type {WebSocket|null} */
    this.socket = null;
    /** Number of the last update of each watched table. @type {Map<string, number>} */
    this.positions = new Map();
    /** Tables that start afresh with a resync that is on its way. @type {Set<string>} */
    this.lost = new Set();
    /** Whose they are. */
    this.playerId = '';
    /** Requests without an answer, by id. @type {Map<string, Waiting>} */
    this.waiting = new Map();
    // Ids are unique for ever: a random prefix of this client, then a count.
    this.prefix = randomHex(8);
    this.count = 0;
    this.heartbeatMs = 15000;
    // Times by the clock that does not jump.
    this.welcomedAt = 0;
    this.heardAt = 0;
    this.pingedAt = 0;
    this.pings = 0;
    this.pause = RECONNECT_FIRST_MS;
    /** The application wants no connection. */
    this.stopped = true;
    this.attempt = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.nextAttempt = undefined;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.attemptLimit = undefined;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.doubt = undefined;
    /** @type {ReturnType<typeof setInterval>|undefined} */
    this.heartbeat = undefined;
  }

  /**
   * Signs in (as a new guest if need be) and connects; also after `stop`, `replaced`, `kicked` and
   * `refused`. A connection that is there already is replaced by a new one.
   * @returns {Promise<import('./protocol').Welcome>} the next Welcome, however long it takes
   */
  start() {
    this.stopped = false;
    this.drop();
    const welcome = new Promise((resolve) => {
      this.addEventListener('welcome', (event) => {
        resolve(/** @type {CustomEvent} */ (event).detail);
      }, { once: true });
    });
    this.connect();
    return welcome;
  }

  /** Closes the connection and stays away. Requests without an answer wait for their time-out. */
  stop() {
    this.leave('offline');
  }

  /** Forgets the session. A guest cannot come back: the next start makes a new one. */
  signOut() {
    this.stop();
    this.session.forget();
  }

  /**
   * To be called when the network has come back, or the app is in the foreground again: connects
   * now rather than after the pause, and makes sure of a connection that may have died unnoticed.
   */
  hurry() {
    if (this.stopped) return;
    if (this.state === 'online') {
      const since = performance.now();
      this.ping();
      clearTimeout(this.doubt);
      this.doubt = setTimeout(() => {
        if (this.heardAt < since) this.lose();
      }, DOUBT_MS);
    } else if (this.state === 'offline') {
      this.pause = RECONNECT_FIRST_MS;
      this.connect();
    }
  }

  /** The server's clock now, in milliseconds since the Unix epoch. Before the first Welcome it is
   * the device's; a device clock that is set is followed with the next ping. */
  now() {
    return Date.now() + this.clockOffsetMs;
  }

  /**
   * Sends a request; without a connection, as soon as there is one.
   * @param {Ask} ask
   * @returns {Promise<any>} the one field that its `Response` carries, such as the value of
   *   `queues`; rejects with a {@link ParlorError}
   */
  request(ask) {
    this.count += 1;
    const id = `${this.prefix}-${this.count}`;
    const frame = { request: { id, ...ask } };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new ParlorError({ code: 'unavailable', reason: 'TIMEOUT', message: 'no answer',
          retryable: true }));
      }, REQUEST_TIMEOUT_MS);
      const deadline = performance.now() + REQUEST_TIMEOUT_MS;
      this.waiting.set(id, { frame, resolve, reject, timer, deadline, repeats: 0 });
      if (this.state === 'online') this.send(frame);
    });
  }

  /**
   * Sends a command to a table. Resolved means durable: it survives the death of any process.
   * @param {string} tableId
   * @param {import('./protocol').Command} command one field of it, such as
   *   `{ready: {ready: true}}`
   * @returns {Promise<any>}
   */
  act(tableId, command) {
    return this.request({ table: { tableId, command } });
  }

  // -- The connection -----------------------------------------------------------------------------

  async connect() {
    this.attempt += 1;
    const { attempt } = this;
    clearTimeout(this.nextAttempt);
    this.change('connecting');
    let session;
    try {
      session = await this.session.fresh();
    } catch (error) {
      // Stopped, or started again, while the answer was on its way.
      if (attempt !== this.attempt) return;
      const isRefusal = error instanceof ParlorError && !error.retryable;
      if (isRefusal) this.refuse(error);
      else this.retry();
      return;
    }
    if (attempt !== this.attempt) return;
    // Another player's tables are none of this one's.
    if (this.playerId !== session.playerId) this.positions.clear();
    this.playerId = session.playerId;
    const { accessToken } = session;
    const socket = new WebSocket(`${this.url.replace(/^http/, 'ws')}/v1/session`, SUBPROTOCOL);
    this.socket = socket;
    this.attemptLimit = setTimeout(() => this.lose(), CONNECT_TIMEOUT_MS);
    // What a connection says that has been given up is not heard.
    const heard = (/** @type {() => void} */ react) => {
      if (this.socket === socket) react();
    };
    socket.onopen = () => heard(() => this.send({ hello: this.hello(accessToken) }));
    socket.onmessage = ({ data }) => heard(() => this.receive(JSON.parse(data)));
    socket.onclose = ({ code }) => heard(() => {
      if (FAREWELLS[code]) this.leave(FAREWELLS[code]);
      else this.lose();
    });
  }

  /** Forgets the connection. The closing handshake of a dead one may take long: nobody waits. */
  drop() {
    this.attempt += 1;
    clearTimeout(this.nextAttempt);
    clearTimeout(this.attemptLimit);
    clearTimeout(this.doubt);
    clearInterval(this.heartbeat);
    const { socket } = this;
    this.socket = null;
    socket?.close(1000);
  }

  /** Ends the connection and stays away. @param {ClientState} state */
  leave(state) {
    this.stopped = true;
    this.drop();
    this.change(state);
  }

  /** The connection is lost, or the attempt has failed: there will be another. */
  lose() {
    // Only a connection that lasted begins a new row of pauses: nobody is to be hammered.
    const lasted = this.state === 'online'
      && performance.now() - this.welcomedAt > RECONNECT_MAX_MS;
    if (lasted) this.pause = RECONNECT_FIRST_MS;
    this.drop();
    this.retry();
  }

  /** Connects again after a pause, spread so that a gateway is not met by everybody at once. */
  retry() {
    const pause = this.pause * (0.5 + Math.random() / 2);
    this.pause = Math.min(this.pause * 2, RECONNECT_MAX_MS);
    this.nextAttempt = setTimeout(() => this.connect(), pause);
    this.change('offline');
  }

  /** The server lets the player have no session. @param {ParlorError} error */
  refuse(error) {
    this.refusal = error;
    this.leave('refused');
  }

  /** @param {string} accessToken @returns {import('./protocol').Hello} */
  hello(accessToken) {
    return {
      accessToken,
      client: this.clientName,
      withViews: this.withViews,
      clientSeed: btoa(String.fromCharCode(...this.clientSeed)),
      resume: [...this.positions].map(([tableId, seq]) => ({ tableId, seq: String(seq) })),
    };
  }

  /** Pings, and gives a connection up on which nothing is heard. */
  beat() {
    if (performance.now() - this.heardAt > this.heartbeatMs * SILENT_HEARTBEATS) this.lose();
    else this.ping();
  }

  ping() {
    this.pings += 1;
    this.pingedAt = performance.now();
    this.send({ ping: { nonce: String(this.pings) } });
  }

  // -- Frames -------------------------------------------------------------------------------------

  /** @param {ClientFrame} frame */
  send(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** @param {ServerFrame} frame */
  receive(frame) {
    this.heardAt = performance.now();
    if (frame.welcome) this.welcomed(frame.welcome);
    else if (frame.response) this.answered(frame.response);
    else if (frame.update) this.updated(frame.update);
    else if (frame.resync) this.resynced(frame.resync);
    else if (frame.tableLeft) this.left(frame.tableLeft);
    else if (frame.ticket) this.emit('ticket', frame.ticket);
    else if (frame.party) this.emit('party', frame.party);
    else if (frame.pong) this.ponged(frame.pong);
    else if (frame.goAway) this.goAway(frame.goAway);
    else if (frame.error) this.failed(frame.error);
  }

  /** @param {import('./protocol').Welcome} welcome */
  welcomed(welcome) {
    clearTimeout(this.attemptLimit);
    this.welcomedAt = this.heardAt;
    this.refusal = null;
    this.clockOffsetMs = Number(welcome.timeMs) - Date.now();
    this.heartbeatMs = welcome.heartbeatMs ?? this.heartbeatMs;
    this.heartbeat = setInterval(() => this.beat(), this.heartbeatMs / 2);
    // A table whose resync was lost with the connection is resumed behind the last good update.
    this.lost.clear();
    this.change('online');
    for (const { frame } of this.waiting.values()) this.send(frame);
    this.emit('welcome', welcome);
  }

  /** Measures the server's clock. @param {import('./protocol').Pong} pong */
  ponged({ nonce, timeMs }) {
    if (nonce !== String(this.pings)) return;
    const way = (this.heardAt - this.pingedAt) / 2;
    this.clockOffsetMs = Number(timeMs) + way - Date.now();
  }

  /** @param {import('./protocol').Response} response */
  answered(response) {
    const { id = '', error, ...result } = response;
    const waiting = this.waiting.get(id);
    if (!waiting || (error && this.repeat(id, waiting, error))) return;
    this.waiting.delete(id);
    clearTimeout(waiting.timer);
    if (error) waiting.reject(new ParlorError(error));
    else waiting.resolve(Object.values(result)[0]);
  }

  /**
   * Sends a request once more that was refused for the moment, with the same id.
   * @param {string} id @param {Waiting} waiting @param {Failure} failure
   */
  repeat(id, waiting, failure) {
    if (!failure.retryable || waiting.repeats >= REPEATS_MAX) return false;
    const named = Number(failure.metadata?.retry_after_ms ?? 0);
    const pause = named || REPEAT_FIRST_MS * 2 ** waiting.repeats;
    if (performance.now() + pause >= waiting.deadline) return false;
    waiting.repeats += 1;
    setTimeout(() => {
      // Without a connection it is sent with the next Welcome.
      if (this.state === 'online' && this.waiting.has(id)) this.send(waiting.frame);
    }, pause);
    return true;
  }

  /** @param {import('./protocol').TableUpdate} update */
  updated({ tableId = '', seq = '0', view, events = [] }) {
    if (this.lost.has(tableId)) return;
    const last = this.positions.get(tableId);
    if (last !== undefined && Number(seq) !== last + 1) {
      // Cannot happen; should it happen all the same, the table starts afresh with a resync.
      this.lost.add(tableId);
      this.request({ watch: { tableId } }).catch((error) => {
        this.lost.delete(tableId);
        this.emit('error', error);
      });
      return;
    }
    this.positions.set(tableId, Number(seq));
    this.emit('table', { tableId, view, events, resync: false });
  }

  /** @param {import('./protocol').TableResync} resync */
  resynced({ tableId = '', seq = '0', view }) {
    this.lost.delete(tableId);
    this.positions.set(tableId, Number(seq));
    this.emit('table', { tableId, view, events: [], resync: true });
  }

  /** @param {import('./protocol').TableLeft} left */
  left(left) {
    this.lost.delete(left.tableId ?? '');
    this.positions.delete(left.tableId ?? '');
    this.emit('table-left', left);
  }

  /** @param {import('./protocol').GoAway} goAway */
  goAway({ reason, reconnectAfterMs = 0 }) {
    // Two clients that replace each other without an end would help nobody, nor does one that comes
    // back by itself where it was sent away.
    if (reason === 'replaced' || reason === 'kicked') {
      this.leave(reason);
      return;
    }
    // The session is served until then; the next gateway, or the next process, is met at once.
    const { socket } = this;
    setTimeout(() => {
      if (!socket || this.socket !== socket) return;
      this.drop();
      this.connect();
    }, reconnectAfterMs);
  }

  /** An Error frame: but for a few malformed frames the last one. @param {Failure} failure */
  failed(failure) {
    const error = new ParlorError(failure);
    if (error.code === 'permission_denied') {
      this.refuse(error);
      return;
    }
    // The next connection brings another token.
    if (error.code === 'unauthenticated') this.session.refuse();
    else this.emit('error', error);
  }

  /** @param {ClientState} state */
  change(state) {
    if (this.state === state) return;
    this.state = state;
    this.emit('state', { state });
  }

  /** @param {string} type @param {any} detail */
  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** @param {number} bytes */
function randomHex(bytes) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
