// A page in a browser that speaks gRPC-Web: signs in, listens on Connect, and calls beside it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guestsOf } from './guest.mjs';
import { House } from './house.mjs';

const house = new House();
const open = guestsOf(house);

/** Runs in the page: gRPC-Web over fetch, with just enough protobuf. */
async function session() {
  const text = new TextEncoder();
  const varint = (number) => {
    const bytes = [];
    for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
    return [...bytes, number];
  };
  const field = (number, body) => [(number << 3) | 2, ...varint(body.length), ...body];
  const framed = (message) => {
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, message.length);
    return new Uint8Array([0, ...new Uint8Array(length.buffer), ...message]);
  };
  const call = (method, message, headers = {}) =>
    fetch(`/parlor.gateway.v1.${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1', ...headers },
      body: framed(message),
    });
  /** Messages and, last, the trailers. */
  async function* frames(answer) {
    const reader = answer.body.getReader();
    let bytes = [];
    for (;;) {
      while (bytes.length < 5 || bytes.length < 5 + length(bytes)) {
        const { done, value } = await reader.read();
        if (done) return;
        bytes = [...bytes, ...value];
      }
      yield { trailers: bytes[0] === 128, body: bytes.slice(5, 5 + length(bytes)) };
      bytes = bytes.slice(5 + length(bytes));
    }
  }
  const length = (bytes) => bytes.slice(1, 5).reduce((sum, byte) => sum * 256 + byte, 0);
  /** The fields of a message that have a length, as `{number: bytes}`. */
  const fields = (bytes) => {
    const found = {};
    let at = 0;
    const number = () => {
      let [value, scale] = [0, 1];
      for (;;) {
        const byte = bytes[at++];
        value += (byte & 127) * scale;
        if (byte < 128) return value;
        scale *= 128;
      }
    };
    while (at < bytes.length) {
      const key = number();
      if ((key & 7) !== 2) number();
      else {
        const size = number();
        found[key >> 3] = bytes.slice(at, at + size);
        at += size;
      }
    }
    return found;
  };
  const string = (bytes) => new TextDecoder().decode(new Uint8Array(bytes ?? []));

  const signIn = frames(await call('AuthService/SignInGuest', field(1, [...text.encode('Ada')])));
  const guest = fields((await signIn.next()).value.body);
  const [playerId, token] = [string(guest[1]), string(guest[3])];
  const trailers = string((await signIn.next()).value.body);

  const hello = field(1, field(1, [...text.encode(token)]));
  const stream = frames(await call('SessionService/Connect', hello));
  const welcome = fields((await stream.next()).value.body)[1];

  // Request { id = 1, get_profile = 10 {} }, beside the stream.
  const request = [...field(1, [...text.encode('r1')]), ...field(10, [])];
  const headers = { authorization: `Bearer ${token}` };
  const answer = frames(await call('SessionService/Call', request, headers));
  const response = fields((await answer.next()).value.body);
  const profile = fields(response[7] ?? []);

  const wrong = await call('SessionService/Call', request, { authorization: 'Bearer nobody' });
  const refused = wrong.headers.get('grpc-status') ?? '';
  return {
    playerId,
    trailers,
    welcomed: string(fields(welcome)[1]),
    answered: string(response[1]),
    profileOf: string(profile[1]),
    refused,
  };
}

test('a page signs in, listens and calls over gRPC-Web', async () => {
  const guest = await open();
  const told = await guest.page.evaluate(session);
  assert.match(told.playerId, /^[0-9a-f-]{36}$/);
  assert.match(told.trailers, /grpc-status: ?0/);
  assert.equal(told.welcomed, told.playerId);
  assert.equal(told.answered, 'r1');
  assert.equal(told.profileOf, told.playerId);
  assert.equal(told.refused, '16', 'UNAUTHENTICATED');
  await guest.leave();
});
