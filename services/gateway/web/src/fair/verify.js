// @ts-check
/**
 * `parlor-fair-v1` in the browser: checks that a hand was dealt from the seed that
 * was committed to.
 *
 * commitment = SHA-256("parlor/commit/v1" || server seed)
 * key        = HMAC-SHA256(server seed, "parlor/hand/v1" || table id (16 bytes) || hand no (u64 BE)
 *              || for each seat: length (u8) || client seed)
 * stream     = ChaCha20 (RFC 8439, zero nonce, counter 0) as little-endian 32-bit words
 */

const text = new TextEncoder();

/** @param {string} base64 @returns {Uint8Array<ArrayBuffer>} */
export function bytesOf(base64 = '') {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {Uint8Array[]} parts @returns {Uint8Array<ArrayBuffer>} */
function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {Uint8Array} serverSeed */
export async function commitmentOf(serverSeed) {
  const data = concat(text.encode('parlor/commit/v1'), serverSeed);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', data));
}

/** @param {Uint8Array<ArrayBuffer>} key @param {Uint8Array<ArrayBuffer>} data */
async function hmac(key, data) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data));
}

/**
 * The key of a hand.
 * @param {Uint8Array<ArrayBuffer>} serverSeed
 * @param {Uint8Array} tableId 16 bytes
 * @param {bigint} handNo
 * @param {Uint8Array[]} clientSeeds by seat, empty where a seat gave none
 */
export async function handKey(serverSeed, tableId, handNo, clientSeeds) {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, handNo);
  const seeds = clientSeeds.flatMap((seed) => [Uint8Array.of(seed.length), seed]);
  return hmac(serverSeed, concat(text.encode('parlor/hand/v1'), tableId, number, ...seeds));
}

/** @param {Uint8Array<ArrayBuffer>} key @param {string} label */
export function labelledKey(key, label) {
  return hmac(key, text.encode(label));
}

/** A stream of ChaCha20 words. */
export class Stream {
  /** @param {Uint8Array} key 32 bytes */
  constructor(key) {
    const view = new DataView(key.buffer, key.byteOffset);
    this.state = new Uint32Array(16);
    this.state.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
    for (let word = 0; word < 8; word += 1) this.state[4 + word] = view.getUint32(word * 4, true);
    this.block = new Uint32Array(16);
    this.next = 16;
  }

  /** The next 32-bit word. */
  word() {
    if (this.next === 16) {
      this.refill();
      this.next = 0;
    }
    return this.block[this.next++];
  }

  refill() {
    const x = this.block;
    x.set(this.state);
    for (let round = 0; round < 10; round += 1) {
      quarter(x, 0, 4, 8, 12); quarter(x, 1, 5, 9, 13);
      quarter(x, 2, 6, 10, 14); quarter(x, 3, 7, 11, 15);
      quarter(x, 0, 5, 10, 15); quarter(x, 1, 6, 11, 12);
      quarter(x, 2, 7, 8, 13); quarter(x, 3, 4, 9, 14);
    }
    for (let word = 0; word < 16; word += 1) x[word] += this.state[word];
    this.state[12] += 1;
  }

  /** A uniform integer in 0..n-1, by rejection. @param {number} n */
  below(n) {
    const limit = Math.floor(2 ** 32 / n) * n;
    for (;;) {
      const word = this.word();
      if (word < limit) return word % n;
    }
  }

  /** Fisher–Yates from the last position down, in place. @template T @param {T[]} items */
  shuffle(items) {
    for (let last = items.length - 1; last >= 1; last -= 1) {
      const other = this.below(last + 1);
      [items[last], items[other]] = [items[other], items[last]];
    }
    return items;
  }
}

/**
 * @param {Uint32Array} x
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} d
 */
function quarter(x, a, b, c, d) {
  x[a] += x[b]; x[d] = rotate(x[d] ^ x[a], 16);
  x[c] += x[d]; x[b] = rotate(x[b] ^ x[c], 12);
  x[a] += x[b]; x[d] = rotate(x[d] ^ x[a], 8);
  x[c] += x[d]; x[b] = rotate(x[b] ^ x[c], 7);
}

/** @param {number} value @param {number} by */
function rotate(value, by) {
  return (value << by) | (value >>> (32 - by));
}

/**
 * Checks the seeds of a finished hand.
 * @param {{commitment?: string, serverSeed?: string, clientSeeds?: string[],
 *   tableId?: string}} fair
 *   `parlor.settlement.v1.HandFairness` in proto3 JSON
 * @param {string|number} handNo
 * @returns {Promise<{revealed: boolean, committed: boolean, stream: Stream|null,
 *   labelled: (label: string) => Promise<Stream>}>} the stream, or the labelled ones, deal the hand
 *   again
 */
export async function verifySeeds(fair, handNo) {
  const seed = bytesOf(fair.serverSeed);
  const none = () => Promise.reject(new Error('the seed is secret'));
  if (seed.length !== 32) {
    return { revealed: false, committed: false, stream: null, labelled: none };
  }
  const committed = hexOf(await commitmentOf(seed)) === hexOf(bytesOf(fair.commitment));
  const clients = (fair.clientSeeds ?? []).map((client) => bytesOf(client));
  const table = bytesOf(fair.tableId);
  // Every table of a day's challenge deals alike: as the first hand of no table.
  const isDaily = table.every((byte) => byte === 0);
  const key = await handKey(seed, table, isDaily ? 1n : BigInt(handNo), clients);
  const labelled = async (/** @type {string} */ label) => new Stream(await labelledKey(key, label));
  return { revealed: true, committed, stream: new Stream(key), labelled };
}
