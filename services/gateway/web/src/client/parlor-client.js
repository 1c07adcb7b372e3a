// @ts-check
/**
 * A client of the Parlor gateway: one WebSocket, proto3 JSON frames (subprotocol `parlor.v1.json`).
 *
 * It signs in as a guest, keeps the connection alive, connects again after a loss and resumes every
 * watched table at the last update it has, repeats requests that were in flight with the same id
 * (the server carries each out once), and answers each request with a promise.
 *
 *     const client = new ParlorClient({ storage: localStorage });
 *     client.addEventListener('table', ({ detail }) => draw(detail.view, detail.events));
 *     await client.start();
 *     await client.request({ enqueue: { queueId: 'blackjack-quick' } });
 *
 * Events (`detail` in brackets): `state` ({state: 'connecting'|'online'|'offline'|'replaced'}),
 * `welcome` (Welcome), `table` ({tableId, view, events, resync}), `table-left` ({tableId, reason}),
 * `ticket` (TicketUpdate), `error` (Error that no request asked for).
 *
 * 64-bit numbers are decimal strings in proto3 JSON, and fields with default values are absent.
 */

/** First pause before connecting again, in milliseconds; doubled each time. */
const RECONNECT_FIRST_MS = 250;
/** Longest pause before connecting again. */
const RECONNECT_MAX_MS = 8000;
/** A request without an answer fails after so long, connected or not. */
const REQUEST_TIMEOUT_MS = 30000;
/** Renew the access token so long before it expires. */
const RENEW_BEFORE_MS = 60000;
const STORAGE_KEY = 'parlor.session';

/** A failure with the server's stable reason. */
export class ParlorError extends Error {
  /** @param {{code?: string, reason?: string, message?: string, retryable?: boolean,
   *   metadata?: Record<string, string>}} error */
  constructor(error) {
    super(error.message ?? error.reason ?? 'failed');
    this.name = 'ParlorError';
    this.code = error.code ?? 'internal';
    this.reason = error.reason ?? 'INTERNAL';
    this.retryable = error.retryable ?? false;
    this.metadata = error.metadata ?? {};
  }
}

/** @typedef {{playerId: string, name: string, accessToken: string, accessExpiresMs: string,
 *   refreshToken: string, refreshExpiresMs: string}} Session */
/** @typedef {{getItem(key: string): string|null, setItem(key: string, value: string): void,
 *   removeItem(key: string): void}} SessionStorage */
/** @typedef {{frame: object, resolve: (result: any) => void,
 *   reject: (error: ParlorError) => void, timer: ReturnType<typeof setTimeout>}} Waiting */

export class ParlorClient extends EventTarget {
  /**
   * @param {{url?: string, storage: SessionStorage, name?: string}} options `url` is the gateway's
   *   HTTP origin, by default the page's own.
   */
  constructor({ url = location.origin, storage, name = '' }) {
    super();
    this.url = url.replace(/\/$/, '');
    this.storage = storage;
    this.guestName = name;
    /** @type {Session|null} */
    this.session = JSON.parse(storage.getItem(STORAGE_KEY) ?? 'null');
    /** @type {WebSocket|null} */
    this.socket = null;
    this.state = 'offline';
    /** Last update by table: what Hello resumes from. @type {Map<string, number>} */
    this.positions = new Map();
    /** @type {Map<string, Waiting>} */
    this.waiting = new Map();
    this.sequence = 0;
    this.prefix = randomHex(8);
    /** Server time minus device time, in milliseconds. */
    this.clockOffsetMs = 0;
    this.heartbeatMs = 15000;
    this.pause = RECONNECT_FIRST_MS;
    this.stopped = false;
    this.clientSeed = crypto.getRandomValues(new Uint8Array(16));
  }

  /** Signs in (as a new guest if need be) and connects; resolves with the first Welcome. */
  async start() {
    this.stopped = false;
    const welcome = new Promise((resolve) => {
      this.addEventListener('welcome', (event) => {
        resolve(/** @type {CustomEvent} */ (event).detail);
      }, { once: true });
    });
    this.connect();
    return welcome;
  }

  /** Closes the connection and stays away. */
  stop() {
    this.stopped = true;
    this.socket?.close(1000);
  }

  /** Forgets the session: the next start makes a new guest. */
  signOut() {
    this.stop();
    this.session = null;
    this.storage.removeItem(STORAGE_KEY);
    this.positions.clear();
  }

  /** The server's clock now, in milliseconds since the Unix epoch. */
  now() {
    return Date.now() + this.clockOffsetMs;
  }

  /**
   * Sends a request; resolves with the one field that its response carries, such as `queues`.
   * @param {object} command one field of `Request`, such as `{listQueues: {}}`
   * @returns {Promise<any>} rejects with a ParlorError
   */
  request(command) {
    const id = `${this.prefix}-${++this.sequence}`;
    const frame = { request: { id, ...command } };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new ParlorError({ reason: 'TIMEOUT', message: 'no answer', retryable: true }));
      }, REQUEST_TIMEOUT_MS);
      this.waiting.set(id, { frame, resolve, reject, timer });
      if (this.state === 'online') this.send(frame);
    });
  }

  /**
   * Sends a command to a table.
   * @param {string} tableId
   * @param {object} command one field of `parlor.table.v1.Command`, such as
   *   `{ready: {ready: true}}`
   */
  act(tableId, command) {
    return this.request({ table: { tableId, command } });
  }

  async connect() {
    if (this.stopped) return;
    this.change('connecting');
    try {
      await this.signIn();
    } catch (error) {
      this.retry();
      return;
    }
    const socket = new WebSocket(`${this.url.replace(/^http/, 'ws')}/v1/session`, 'parlor.v1.json');
    this.socket = socket;
    socket.onopen = () => this.send({ hello: this.hello() });
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      clearInterval(this.heartbeat);
      if (this.state === 'replaced' || this.stopped) {
        this.change(this.state === 'replaced' ? 'replaced' : 'offline');
      } else {
        this.change('offline');
        this.retry();
      }
    };
  }

  hello() {
    const resume = [...this.positions].map(([tableId, seq]) => ({ tableId, seq: String(seq) }));
    return {
      accessToken: this.session?.accessToken,
      client: 'parlor-web/1',
      withViews: true,
      clientSeed: btoa(String.fromCharCode(...this.clientSeed)),
      resume,
    };
  }

  retry() {
    if (this.stopped) return;
    // Spread out, so that a restarted gateway is not met by everybody at once.
    const pause = this.pause * (0.5 + Math.random() / 2);
    this.pause = Math.min(this.pause * 2, RECONNECT_MAX_MS);
    setTimeout(() => this.connect(), pause);
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
    });
  }

  /** @param {Session} session */
  keep(session) {
    this.session = session;
    this.storage.setItem(STORAGE_KEY, JSON.stringify(session));
  }

  /** @param {object} frame */
  send(frame) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  /** @param {any} frame */
  receive(frame) {
    this.heardAt = Date.now();
    if (frame.welcome) this.welcomed(frame.welcome);
    else if (frame.response) this.answered(frame.response);
    else if (frame.update) this.updated(frame.update);
    else if (frame.resync) this.resynced(frame.resync);
    else if (frame.tableLeft) this.left(frame.tableLeft);
    else if (frame.ticket) this.emit('ticket', frame.ticket);
    else if (frame.goAway) this.goAway(frame.goAway);
    else if (frame.error) this.failed(frame.error);
  }

  /** @param {any} welcome */
  welcomed(welcome) {
    this.pause = RECONNECT_FIRST_MS;
    this.clockOffsetMs = Number(welcome.timeMs) - Date.now();
    this.heartbeatMs = welcome.heartbeatMs ?? this.heartbeatMs;
    clearInterval(this.heartbeat);
    this.heartbeat = setInterval(() => this.beat(), this.heartbeatMs / 2);
    this.change('online');
    for (const { frame } of this.waiting.values()) this.send(frame);
    this.emit('welcome', welcome);
  }

  /** Pings, and gives a connection up on which nothing is heard: phones lose them silently. */
  beat() {
    if (Date.now() - (this.heardAt ?? 0) > this.heartbeatMs * 2) this.socket?.close(4000);
    else this.send({ ping: { nonce: '1' } });
  }

  /** @param {any} response */
  answered(response) {
    const waiting = this.waiting.get(response.id);
    if (!waiting) return;
    this.waiting.delete(response.id);
    clearTimeout(waiting.timer);
    const { id, error, ...result } = response;
    if (error) waiting.reject(new ParlorError(error));
    else waiting.resolve(Object.values(result)[0]);
  }

  /** @param {any} update */
  updated(update) {
    this.positions.set(update.tableId, Number(update.seq));
    const { tableId, view, events = [] } = update;
    this.emit('table', { tableId, view, events, resync: false });
  }

  /** @param {any} resync */
  resynced(resync) {
    this.positions.set(resync.tableId, Number(resync.seq ?? 0));
    this.emit('table', { tableId: resync.tableId, view: resync.view, events: [], resync: true });
  }

  /** @param {any} left */
  left(left) {
    this.positions.delete(left.tableId);
    this.emit('table-left', left);
  }

  /** @param {any} goAway */
  goAway(goAway) {
    if (goAway.reason === 'replaced') this.state = 'replaced';
    else this.pause = Math.max(goAway.reconnectAfterMs ?? 0, RECONNECT_FIRST_MS);
  }

  /** @param {any} error */
  failed(error) {
    // A token that is refused is not tried again.
    if (error.code === 'unauthenticated' && this.session) this.session.accessExpiresMs = '0';
    this.emit('error', new ParlorError(error));
  }

  /** @param {string} state */
  change(state) {
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
