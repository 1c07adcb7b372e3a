// @ts-check
/**
 * A client of the Parlor gateway: one WebSocket with proto3 JSON frames (`parlor.v1.json`), as
 * described in `proto/parlor/gateway/v1/PROTOCOL.md`. It needs nothing but a browser (or any
 * JavaScript with `fetch`, `WebSocket`, `EventTarget` and `crypto`), and its types are in
 * `protocol.d.ts`: copy the two files.
 *
 *     const client = new ParlorClient({ storage: localStorage });
 *     client.addEventListener('table', ({ detail }) => draw(detail.view, detail.events));
 *     await client.start();
 *     await client.request({ enqueue: { queueId: 'blackjack-quick' } });
 *     await client.act(tableId, { play: { blackjack: { bet: { amount: '100' } } } });
 *
 * What it takes care of:
 *
 * - **Who one is.** It signs in as a guest, keeps the session in `storage`, and renews the access
 *   token before it expires. Nothing else is stored.
 * - **Staying connected.** It pings, notices a dead connection, connects again with growing pauses,
 *   and resumes every watched table behind the last update that it has (`Hello.resume`): no update
 *   is missed and none comes twice.
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
 * | `error` | {@link ParlorError} | something failed that no request asked for |
 */

/** Base of the first pause before connecting again, in milliseconds; doubled each time. */
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
/** Renew the access token so long before it expires. */
const RENEW_BEFORE_MS = 60000;
/** Connections that fall silent for so many heartbeats are given up: phones lose them unnoticed. */
const SILENT_HEARTBEATS = 2;
const SUBPROTOCOL = 'parlor.v1.json';
const STORAGE_KEY = 'parlor.session';

/**
 * @typedef {import('./protocol').ClientFrame} ClientFrame
 * @typedef {import('./protocol').ServerFrame} ServerFrame
 * @typedef {import('./protocol').Failure} Failure
 * @typedef {import('./protocol').TableView} TableView
 * @typedef {import('./protocol').TableEvent} TableEvent
 */

/**
 * `connecting` until the Welcome, then `online`; `offline` between two attempts and after `stop`;
 * `replaced` when the player has connected elsewhere, `kicked` when a moderator has ended the
 * session: then only `start` connects again.
 * @typedef {'connecting'|'online'|'offline'|'replaced'|'kicked'} ClientState
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
 * What is kept between visits: `SignInResponse`, all of it present.
 * @typedef {Required<import('./protocol').SignInResponse>} Session
 */

/**
 * Where the session is kept; `localStorage` fits.
 * @typedef {{getItem(key: string): string|null, setItem(key: string, value: string): void,
 *   removeItem(key: string): void}} SessionStorage
 */

/**
 * A request on its way.
 * @typedef {{frame: ClientFrame, resolve: (result: any) => void, repeats: number,
 *   reject: (error: ParlorError) => void, deadline: number,
 *   timer: ReturnType<typeof setTimeout>}} Waiting
 */

/** A failure with the server's stable reason. */
export class ParlorError extends Error {
  /** @param {Failure} failure */
  constructor(failure) {
    super(failure.message ?? failure.reason ?? 'failed');
    this.name = 'ParlorError';
    /** Says what to do: one of nine. */
    this.code = failure.code ?? 'internal';
    /** Says what it is; stable, such as "BLACKJACK_NOT_YOUR_TURN". */
    this.reason = failure.reason ?? 'INTERNAL';
    /** The same request may succeed later. */
    this.retryable = failure.retryable ?? false;
    /** Numbers that help, such as `retry_after_ms`. */
    this.metadata = failure.metadata ?? {};
  }
}

export class ParlorClient extends EventTarget {
  /**
   * @param {object} options
   * @param {SessionStorage} options.storage where the session is kept
   * @param {string} [options.url] the gateway's HTTP origin, by default the page's own
   * @param {string} [options.name] what a new guest is called, by default the server's choice
   * @param {string} [options.client] name and version of the client, for the operator's telemetry
   * @param {boolean} [options.withViews] updates bring the whole view
   */
  constructor({ storage, url = location.origin, name = '', client = 'parlor-web/1',
    withViews = true }) {
    super();
    this.url = url.replace(/\/$/, '');
    this.storage = storage;
    this.guestName = name;
    this.clientName = client;
    this.withViews = withViews;
    /** @type {Session|null} */
    this.session = JSON.parse(storage.getItem(STORAGE_KEY) ?? 'null');
    /** @type {ClientState} */
    this.state = 'offline';
    /** Server time minus device time, in milliseconds. */
    this.clockOffsetMs = 0;
    /** 16 bytes of our own that enter every shuffle (`parlor-fair-v1`). */
    this.clientSeed = crypto.getRandomValues(new Uint8Array(16));
    /** @type {WebSocket|null} */
    this.socket = null;
    /** Number of the last update of each watched table. @type {Map<string, number>} */
    this.positions = new Map();
    /** Requests without an answer, by id. @type {Map<string, Waiting>} */
    this.waiting = new Map();
    // Ids are unique for ever: a random prefix of this client, then a count.
    this.prefix = randomHex(8);
    this.count = 0;
    this.heartbeatMs = 15000;
    this.heardAt = 0;
    this.pingedAt = 0;
    this.pause = RECONNECT_FIRST_MS;
    this.stopped = true;
    this.attempt = 0;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.nextAttempt = undefined;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.attemptLimit = undefined;
    /** @type {ReturnType<typeof setInterval>|undefined} */
    this.heartbeat = undefined;
  }

  /**
   * Signs in (as a new guest if need be) and connects; also after `replaced` and `kicked`.
   * @returns {Promise<import('./protocol').Welcome>} the next Welcome
   */
  start() {
    this.stopped = false;
    const welcome = new Promise((resolve) => {
      this.addEventListener('welcome', (event) => {
        resolve(/** @type {CustomEvent} */ (event).detail);
      }, { once: true });
    });
    if (!this.socket) this.connect();
    return welcome;
  }

  /** Closes the connection and stays away. */
  stop() {
    this.stopped = true;
    clearTimeout(this.nextAttempt);
    this.attempt += 1;
    if (this.socket) this.socket.close(1000);
    else this.change('offline');
  }

  /** Forgets the session. A guest cannot come back: the next start makes a new one. */
  signOut() {
    this.stop();
    this.session = null;
    this.storage.removeItem(STORAGE_KEY);
    this.positions.clear();
  }

  /** Tries to connect now rather than after the pause, as when the network has come back. */
  hurry() {
    if (this.stopped || this.socket || this.state !== 'offline') return;
    this.pause = RECONNECT_FIRST_MS;
    this.connect();
  }

  /** The server's clock now, in milliseconds since the Unix epoch. */
  now() {
    return Date.now() + this.clockOffsetMs;
  }

  /**
   * Sends a request.
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
      const deadline = Date.now() + REQUEST_TIMEOUT_MS;
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
    clearTimeout(this.nextAttempt);
    this.attempt += 1;
    const { attempt } = this;
    this.change('connecting');
    try {
      await this.signIn();
    } catch {
      if (attempt === this.attempt) this.retry();
      return;
    }
    // Stopped, or started again, while the answer was on its way.
    if (attempt !== this.attempt) return;
    const socket = new WebSocket(`${this.url.replace(/^http/, 'ws')}/v1/session`, SUBPROTOCOL);
    this.socket = socket;
    this.attemptLimit = setTimeout(() => this.giveUp(socket), CONNECT_TIMEOUT_MS);
    socket.onopen = () => this.send({ hello: this.hello() });
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = () => this.closed(socket);
  }

  /** The closing handshake of a dead connection may take long: no need to wait for it.
   * @param {WebSocket} socket */
  giveUp(socket) {
    socket.close(4000);
    this.closed(socket);
  }

  /** @param {WebSocket} socket */
  closed(socket) {
    if (this.socket !== socket) return;
    this.socket = null;
    clearTimeout(this.attemptLimit);
    clearInterval(this.heartbeat);
    if (this.stopped) this.change('offline');
    else this.retry();
  }

  /** Connects again after a pause, spread so that a gateway is not met by everybody at once. */
  retry() {
    this.change('offline');
    const pause = this.pause * (0.5 + Math.random() / 2);
    this.pause = Math.min(this.pause * 2, RECONNECT_MAX_MS);
    this.nextAttempt = setTimeout(() => this.connect(), pause);
  }

  /** @returns {import('./protocol').Hello} */
  hello() {
    return {
      accessToken: this.session?.accessToken,
      client: this.clientName,
      withViews: this.withViews,
      clientSeed: btoa(String.fromCharCode(...this.clientSeed)),
      resume: [...this.positions].map(([tableId, seq]) => ({ tableId, seq: String(seq) })),
    };
  }

  /** Makes sure of an access token that is good for a while. */
  async signIn() {
    const now = this.now();
    if (this.session && Number(this.session.accessExpiresMs) - RENEW_BEFORE_MS > now) return;
    if (this.session && Number(this.session.refreshExpiresMs) > now) {
      const refreshed = await this.post('refresh', { refreshToken: this.session.refreshToken });
      if (refreshed.ok) {
        this.keep(await refreshed.json());
        return;
      }
      // A refused token is used up; any other failure may pass.
      if (refreshed.status !== 401) throw new Error('refresh failed');
    }
    const signed = await this.post('guest', { name: this.session?.name ?? this.guestName });
    if (!signed.ok) throw new Error('sign-in failed');
    this.keep(await signed.json());
    this.positions.clear();
  }

  /** @param {string} path @param {object} body */
  post(path, body) {
    return fetch(`${this.url}/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS),
    });
  }

  /** @param {Session} session */
  keep(session) {
    this.session = session;
    this.storage.setItem(STORAGE_KEY, JSON.stringify(session));
  }

  /** Pings, and gives a connection up on which nothing is heard. */
  beat() {
    if (Date.now() - this.heardAt > this.heartbeatMs * SILENT_HEARTBEATS) {
      if (this.socket) this.giveUp(this.socket);
      return;
    }
    this.pingedAt = Date.now();
    this.send({ ping: { nonce: '1' } });
  }

  // -- Frames -------------------------------------------------------------------------------------

  /** @param {ClientFrame} frame */
  send(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** @param {ServerFrame} frame */
  receive(frame) {
    this.heardAt = Date.now();
    if (frame.welcome) this.welcomed(frame.welcome);
    else if (frame.response) this.answered(frame.response);
    else if (frame.update) this.updated(frame.update);
    else if (frame.resync) this.resynced(frame.resync);
    else if (frame.tableLeft) this.left(frame.tableLeft);
    else if (frame.ticket) this.emit('ticket', frame.ticket);
    else if (frame.pong) this.ponged(frame.pong);
    else if (frame.goAway) this.goAway(frame.goAway);
    else if (frame.error) this.failed(frame.error);
  }

  /** @param {import('./protocol').Welcome} welcome */
  welcomed(welcome) {
    clearTimeout(this.attemptLimit);
    this.pause = RECONNECT_FIRST_MS;
    this.clockOffsetMs = Number(welcome.timeMs) - Date.now();
    this.heartbeatMs = welcome.heartbeatMs ?? this.heartbeatMs;
    clearInterval(this.heartbeat);
    this.heartbeat = setInterval(() => this.beat(), this.heartbeatMs / 2);
    this.change('online');
    for (const { frame } of this.waiting.values()) this.send(frame);
    this.emit('welcome', welcome);
  }

  /** @param {import('./protocol').Pong} pong */
  ponged({ timeMs }) {
    const way = (this.heardAt - this.pingedAt) / 2;
    if (this.pingedAt && way >= 0) this.clockOffsetMs = Number(timeMs) + way - this.heardAt;
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
    if (Date.now() + pause >= waiting.deadline) return false;
    waiting.repeats += 1;
    setTimeout(() => {
      // Without a connection it is sent with the next Welcome.
      if (this.state === 'online' && this.waiting.has(id)) this.send(waiting.frame);
    }, pause);
    return true;
  }

  /** @param {import('./protocol').TableUpdate} update */
  updated({ tableId = '', seq = '0', view, events = [] }) {
    const last = this.positions.get(tableId);
    if (last !== undefined && Number(seq) !== last + 1) {
      // Cannot happen; should it happen all the same, the table starts afresh with a resync.
      this.request({ watch: { tableId } }).catch((error) => this.emit('error', error));
      return;
    }
    this.positions.set(tableId, Number(seq));
    this.changed({ tableId, view, events, resync: false });
  }

  /** @param {import('./protocol').TableResync} resync */
  resynced({ tableId = '', seq = '0', view }) {
    this.positions.set(tableId, Number(seq));
    this.changed({ tableId, view, events: [], resync: true });
  }

  /** @param {TableChange} change */
  changed(change) {
    this.emit('table', change);
  }

  /** @param {import('./protocol').TableLeft} left */
  left(left) {
    this.positions.delete(left.tableId ?? '');
    this.emit('table-left', left);
  }

  /** @param {import('./protocol').GoAway} goAway */
  goAway({ reason, reconnectAfterMs = 0 }) {
    const { socket } = this;
    if (reason === 'replaced' || reason === 'kicked') {
      // Two clients that replace each other without an end would help nobody, nor does one that
      // comes back by itself where it was sent away.
      this.stopped = true;
      this.socket = null;
      clearInterval(this.heartbeat);
      socket?.close(1000);
      this.change(reason);
      return;
    }
    // The session is served until then; the next gateway, or the next process, is met at once.
    setTimeout(() => {
      if (socket && this.socket === socket) socket.close(1000);
    }, reconnectAfterMs);
  }

  /** @param {Failure} failure */
  failed(failure) {
    // A token that is refused is not tried again.
    if (failure.code === 'unauthenticated' && this.session) this.session.accessExpiresMs = '0';
    this.emit('error', new ParlorError(failure));
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
