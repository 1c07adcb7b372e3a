// What the checks need of a client: a WebSocket by hand, since some checks do what a library would
// not; requests and their responses; following a table.

import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

export const BASE = new URL(process.argv[2] ?? 'http://127.0.0.1:8080/');
/** Longest wait for anything. */
const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 30_000);
/** Longest wait for a table's next step: a bot may think, a person's clock may run out. */
export const STEP_MS = 4 * PATIENCE_MS;

export function assert(holds, what) {
  if (!holds) throw new Error(what);
}

export function equal(actual, expected, what) {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  assert(left === right, `${what}: ${left} instead of ${right}`);
}

function within(promise, what, limit = PATIENCE_MS) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not in time: ${what}`)), limit);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export class Socket {
  /** Opens a WebSocket; an object with `status` and `body` when that is refused. */
  static open(protocol) {
    const { request } = BASE.protocol === 'https:' ? https : http;
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    };
    if (protocol) headers['sec-websocket-protocol'] = protocol;
    const opened = new Promise((resolve, reject) => {
      const asked = request(new URL('/v1/session', BASE), { headers });
      asked.on('upgrade', (answer, stream, head) => {
        resolve(new Socket(stream, head, answer.headers['sec-websocket-protocol']));
      });
      asked.on('response', (answer) => {
        let body = '';
        answer.on('data', (part) => (body += part));
        answer.on('end', () => resolve({ status: answer.statusCode, body }));
      });
      asked.on('error', reject);
      asked.end();
    });
    return within(opened, 'a WebSocket');
  }

  constructor(stream, head, protocol) {
    Object.assign(this, { stream, protocol, bytes: head, events: [], waiting: [], pongs: 0 });
    stream.setNoDelay(true);
    stream.on('data', (data) => {
      this.bytes = Buffer.concat([this.bytes, data]);
      this.parse();
    });
    for (const end of ['close', 'error']) stream.on(end, () => this.put({ closed: null }));
    this.parse();
  }

  put(event) {
    const waiter = this.waiting.shift();
    if (waiter) waiter(event);
    else this.events.push(event);
  }

  parse() {
    for (;;) {
      const { bytes } = this;
      if (bytes.length < 2) return;
      let [length, at] = [bytes[1] & 0x7f, 2];
      if (length === 126) {
        if (bytes.length < 4) return;
        [length, at] = [bytes.readUInt16BE(2), 4];
      } else if (length === 127) {
        if (bytes.length < 10) return;
        [length, at] = [Number(bytes.readBigUInt64BE(2)), 10];
      }
      if (bytes.length < at + length) return;
      const body = bytes.subarray(at, at + length);
      this.bytes = bytes.subarray(at + length);
      this.receive(bytes[0] & 0x0f, body);
    }
  }

  receive(kind, body) {
    if (kind === 1) this.put({ text: body.toString('utf8') });
    else if (kind === 2) this.put({ binary: body });
    else if (kind === 8) this.put({ closed: body.length >= 2 ? body.readUInt16BE(0) : null });
    else if (kind === 9) this.send(10, body);
    else if (kind === 10) this.put({ pong: body });
  }

  /** Sends one frame: kind 1 is text, 2 binary, 8 close, 9 ping, 10 pong. */
  send(kind, body) {
    const data = Buffer.from(body);
    const mask = randomBytes(4);
    let head;
    if (data.length < 126) head = Buffer.from([0x80 | kind, 0x80 | data.length]);
    else if (data.length < 65_536) {
      head = Buffer.from([0x80 | kind, 0x80 | 126, data.length >> 8, data.length & 255]);
    } else {
      head = Buffer.alloc(10);
      head[0] = 0x80 | kind;
      head[1] = 0x80 | 127;
      head.writeBigUInt64BE(BigInt(data.length), 2);
    }
    for (let index = 0; index < data.length; index += 1) data[index] ^= mask[index & 3];
    if (!this.stream.destroyed) this.stream.write(Buffer.concat([head, mask, data]));
  }

  next(limit = PATIENCE_MS) {
    if (this.events.length) return Promise.resolve(this.events.shift());
    return within(new Promise((resolve) => this.waiting.push(resolve)), 'a frame', limit);
  }

  /** Breaks the connection without a goodbye. */
  break() {
    this.stream.destroy();
  }
}

/** A client that speaks JSON. */
export class Client {
  static async open(token, hello = {}) {
    const client = new Client(await Socket.open('parlor.v1.json'));
    client.say({ hello: { accessToken: token, client: 'conformance/1', ...hello } });
    const frame = await client.frame();
    assert(frame.welcome, `a welcome, not ${JSON.stringify(frame)}`);
    client.welcome = frame.welcome;
    return client;
  }

  constructor(socket) {
    assert(socket instanceof Socket, `the WebSocket is refused: ${socket.status} ${socket.body}`);
    Object.assign(this, { socket, prefix: randomBytes(6).toString('hex'), count: 0, aside: [] });
  }

  say(frame) {
    this.socket.send(1, typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** The next frame, whatever it is. */
  async frame(limit) {
    const event = await this.socket.next(limit);
    assert('text' in event, `a text message, not ${JSON.stringify(event)}`);
    return JSON.parse(event.text);
  }

  /** The next frame that `wanted` takes; others are kept for `aside`. */
  async until(wanted, limit) {
    for (;;) {
      const frame = await this.frame(limit);
      const found = wanted(frame);
      if (found !== undefined && found !== false) return found;
      this.aside.push(frame);
    }
  }

  id() {
    this.count += 1;
    return `${this.prefix}-${this.count}`;
  }

  async ask(command, body = {}, id = this.id()) {
    this.say({ request: { id, [command]: body } });
    return this.until((frame) => frame.response?.id === id && frame.response);
  }

  /** Reads to the end; gives the close code. */
  async closed() {
    for (;;) {
      const event = await this.socket.next();
      if ('closed' in event) return event.closed;
    }
  }
}

export async function post(path, body) {
  const answer = await within(
    fetch(new URL(path, BASE), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
    path,
  );
  return { status: answer.status, json: await answer.json() };
}

export async function guest(name = 'Conformance') {
  const { status, json } = await post('/v1/auth/guest', { name });
  equal(status, 200, `signing in (${json.reason})`);
  return json;
}

export async function session(hello) {
  const player = await guest();
  const client = await Client.open(player.accessToken, hello);
  return { player, client };
}

/** Follows the frames of one table and checks their order. */
export class Follower {
  constructor(tableId, seq) {
    Object.assign(this, { tableId, seq, updates: 0, resyncs: 0, emotes: [] });
  }

  take(frame) {
    const { update, resync } = frame;
    if (resync?.tableId === this.tableId) {
      this.seq = BigInt(resync.seq ?? 0);
      this.view = resync.view;
      this.resyncs += 1;
    }
    if (update?.tableId === this.tableId) {
      assert(this.seq !== undefined, 'a resync comes before the first update');
      equal(update.seq, String(this.seq + 1n), 'the number of an update');
      this.seq += 1n;
      this.updates += 1;
      for (const { emote } of update.events ?? []) if (emote) this.emotes.push(emote);
    }
  }
}

/** Reads until the follower says that it is enough. */
export async function follow(client, follower, enough) {
  while (client.aside.length) follower.take(client.aside.shift());
  while (!enough(follower)) follower.take(await client.frame(STEP_MS));
}
