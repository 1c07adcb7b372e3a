#!/usr/bin/env node
// Checks that a gateway keeps the client protocol (PROTOCOL.md): frames, ordering, resume, errors.
//
//   node conformance.mjs http://127.0.0.1:8080/
//
// Needs Node.js 18 or later and nothing else. It signs in about thirty guests, so it runs against a
// gateway that lets guests in, with the usual limits. Prints TAP; ends with code 1 when a check
// fails.

import {
  assert, BASE, Client, equal, follow, Follower, guest, post, session, Socket, STEP_MS,
} from './conformance/client.mjs';

const checks = [];
const check = (name, run) => checks.push({ name, run });

// --- Signing in

check('a guest gets an identity, an access token and a refresh token', async () => {
  const player = await guest('Ada');
  assert(/^[0-9a-f-]{36}$/.test(player.playerId), 'the player id is a UUID');
  equal(player.name, 'Ada', 'the name');
  const [access, refresh] = [Number(player.accessExpiresMs), Number(player.refreshExpiresMs)];
  assert(access > Date.now() && refresh > access, 'both expire later, refresh last');
});

check('a refresh token gives new tokens of the same player, and is used up', async () => {
  const first = await guest();
  const refresh = (token) => post('/v1/auth/refresh', { refreshToken: token });
  const second = await refresh(first.refreshToken);
  equal([second.status, second.json.playerId], [200, first.playerId], 'the player');
  const again = await refresh(first.refreshToken);
  equal(again.status, 200, 'a lost answer may be asked for again');
  const third = await refresh(second.json.refreshToken);
  equal(third.status, 200, 'the next refresh');
  const reused = await refresh(first.refreshToken);
  equal([reused.status, reused.json.reason], [401, 'REFRESH_TOKEN_REUSED'], 'an older token');
});

check('a bad body and a bad token over HTTP are errors with a reason', async () => {
  const body = await post('/v1/auth/guest', '{');
  equal([body.status, body.json.reason], [400, 'BAD_REQUEST_BODY'], 'the body');
  const token = await post('/v1/auth/refresh', { refreshToken: 'a.b.c' });
  equal([token.status, token.json.reason], [401, 'BAD_TOKEN'], 'the token');
  for (const field of ['code', 'reason', 'message', 'retryable']) {
    assert(field in token.json, `the error has ${field}`);
  }
});

check('gRPC-Web signs a guest in on the same port', async () => {
  const answer = await fetch(new URL('/parlor.gateway.v1.AuthService/SignInGuest', BASE), {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1' },
    // An empty message behind its flag and length.
    body: Buffer.from([0, 0, 0, 0, 0]),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  equal([answer.status, bytes[0]], [200, 0], 'a message comes');
  const trailers = bytes.subarray(5 + bytes.readUInt32BE(1)).toString();
  assert(/grpc-status: ?0/.test(trailers), `status OK, not ${trailers}`);
});

// --- Opening a session

check('a WebSocket without a subprotocol of ours is refused', async () => {
  const refused = await Socket.open('soap');
  equal(refused.status, 400, 'the status');
  equal(JSON.parse(refused.body).reason, 'SUBPROTOCOL_REQUIRED', 'the reason');
});

check('the welcome says who the player is and what the limits are', async () => {
  const { player, client } = await session();
  const { welcome } = client;
  equal([welcome.playerId, welcome.name], [player.playerId, player.name], 'who');
  assert(BigInt(welcome.sessionEpoch) > 0n, 'an epoch');
  assert(Number(welcome.timeMs) > 1.6e12, 'the time in milliseconds');
  assert(welcome.heartbeatMs > 0 && welcome.maxFrameBytes >= 1024, 'limits');
});

check('the first frame must be Hello', async () => {
  const client = new Client(await Socket.open('parlor.v1.json'));
  client.say({ ping: {} });
  equal((await client.frame()).error?.reason, 'HELLO_EXPECTED', 'the reason');
  equal(await client.closed(), 1008, 'the close code');
});

check('a bad token ends the connection with its reason', async () => {
  const { refreshToken } = await guest();
  for (const accessToken of ['', 'nonsense', refreshToken]) {
    const client = new Client(await Socket.open('parlor.v1.json'));
    client.say({ hello: { accessToken } });
    const { error } = await client.frame();
    equal([error?.code, error?.reason], ['unauthenticated', 'BAD_TOKEN'], 'the error');
    equal(await client.closed(), 1008, 'the close code');
  }
});

check('Hello comes once', async () => {
  const { player, client } = await session();
  client.say({ hello: { accessToken: player.accessToken } });
  equal((await client.frame()).error?.reason, 'SECOND_HELLO', 'the reason');
  equal(await client.closed(), 1008, 'the close code');
});

check('a seed of more than 32 bytes is refused', async () => {
  const { accessToken } = await guest();
  const client = new Client(await Socket.open('parlor.v1.json'));
  client.say({ hello: { accessToken, clientSeed: Buffer.alloc(33, 1).toString('base64') } });
  equal((await client.frame()).error?.reason, 'BAD_CLIENT_SEED', 'the reason');
});

check('a newer connection replaces the older one', async () => {
  const { player, client: old } = await session();
  const newer = await Client.open(player.accessToken);
  const [before, after] = [old.welcome.sessionEpoch, newer.welcome.sessionEpoch];
  assert(BigInt(after) > BigInt(before), 'the epoch grows');
  const goAway = await old.until((frame) => frame.goAway);
  equal(goAway.reason, 'replaced', 'the reason');
  equal(await old.closed(), 4001, 'the close code');
  assert((await newer.ask('getProfile')).profile, 'the newer one is served');
});

// --- Frames

check('a ping is answered with its nonce and the time', async () => {
  const { client } = await session();
  client.say({ ping: { nonce: '18446744073709551615' } });
  const pong = await client.until((frame) => frame.pong);
  equal(pong.nonce, '18446744073709551615', 'the whole range of the nonce');
  assert(Number(pong.timeMs) >= Number(client.welcome.timeMs), 'time goes on');
});

check("the WebSocket's own ping is answered", async () => {
  const { client } = await session();
  client.socket.send(9, 'are you there');
  const { pong } = await client.socket.next();
  equal(pong?.toString(), 'are you there', 'the pong');
});

check('seven malformed frames are told, the eighth closes the connection', async () => {
  const { client } = await session();
  for (const text of ['', '{', '[1]', '{"ping":{},"pong":{}}', '{}', '"x"', 'nonsense', '[[']) {
    client.say(text);
    equal((await client.frame()).error?.reason, 'MALFORMED_FRAME', text);
  }
  equal(await client.closed(), 1008, 'the close code');
});

check('a malformed request is answered under its id, and nothing unknown passes', async () => {
  const { client } = await session();
  const response = await client.ask('enqueue', { queue: 'a typo' });
  equal(response.error?.reason, 'MALFORMED_FRAME', 'the reason');
  equal(response.error?.code, 'invalid_argument', 'the code');
});

check('both spellings of a field are understood', async () => {
  const { client } = await session();
  const tableId = '0192f0c2-0000-7000-8000-00000000dead';
  for (const body of [{ tableId }, { table_id: tableId }]) {
    equal((await client.ask('watch', body)).error?.code, 'not_found', 'a table that is not there');
  }
});

check('a message of the wrong kind is malformed', async () => {
  const { client } = await session();
  client.socket.send(2, Buffer.from([1, 2, 3]));
  equal((await client.frame()).error?.reason, 'MALFORMED_FRAME', 'binary where JSON is spoken');
});

check('a frame above the limit closes the connection', async () => {
  const { client } = await session();
  client.say(JSON.stringify({ ping: {} }).padEnd(client.welcome.maxFrameBytes + 1));
  equal((await client.frame()).error?.reason, 'MESSAGE_TOO_LARGE', 'the reason');
  equal(await client.closed(), 1009, 'the close code');
});

check('the binary subprotocol speaks the same frames', async () => {
  const { accessToken, playerId } = await guest();
  const socket = await Socket.open('parlor.v1.proto');
  assert(socket instanceof Socket && socket.protocol === 'parlor.v1.proto', 'it is chosen');
  // ClientFrame.hello = 1 { access_token = 1 }; lengths as varints.
  const field = (number, body) => {
    const length = [];
    for (let rest = body.length; ; rest >>>= 7) {
      if (rest < 128) {
        length.push(rest);
        break;
      }
      length.push((rest & 127) | 128);
    }
    return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), body]);
  };
  socket.send(2, field(1, field(1, Buffer.from(accessToken))));
  const { binary } = await socket.next();
  equal(binary?.[0], (1 << 3) | 2, 'ServerFrame.welcome');
  assert(binary.includes(playerId), 'with the player');
  // ClientFrame.ping = 3 { nonce = 1: 7 } is answered by ServerFrame.pong = 6 { nonce = 1: 7 … }.
  socket.send(2, Buffer.from([(3 << 3) | 2, 2, 1 << 3, 7]));
  const pong = (await socket.next()).binary;
  equal([pong?.[0], pong?.[2], pong?.[3]], [(6 << 3) | 2, 1 << 3, 7], 'ServerFrame.pong');
  socket.break();
});

// --- Requests

check('every request gets exactly one response with its id', async () => {
  const { client } = await session();
  const ids = Array.from({ length: 12 }, () => client.id());
  for (const id of ids) client.say({ request: { id, getProfile: {} } });
  client.say({ ping: { nonce: '1' } });
  const answered = [];
  while (answered.length < ids.length) {
    answered.push(await client.until((frame) => frame.response?.id));
  }
  equal([...answered].sort(), [...ids].sort(), 'the ids');
  client.say({ ping: { nonce: '2' } });
  await client.until((frame) => {
    assert(!frame.response, 'no response comes twice');
    return frame.pong?.nonce === '2';
  });
});

check('a request id has 1 to 64 visible ASCII characters', async () => {
  const { client } = await session();
  for (const id of ['', 'x'.repeat(65), 'two words', 'é']) {
    client.say({ request: { id, getProfile: {} } });
    const response = await client.until((frame) => frame.response);
    equal(response.error?.reason, 'BAD_REQUEST_ID', JSON.stringify(id));
  }
  assert((await client.ask('getProfile', {}, '~'.repeat(64))).profile, 'the longest id');
});

check('a request without a command is answered', async () => {
  const { client } = await session();
  client.say({ request: { id: 'empty' } });
  const response = await client.until((frame) => frame.response);
  equal([response.id, response.error?.reason], ['empty', 'EMPTY_REQUEST'], 'the response');
});

check('the profile is that of the token', async () => {
  const { player, client } = await session();
  const { profile } = await client.ask('getProfile');
  equal([profile.playerId, profile.name], [player.playerId, player.name], 'who');
});

check('a flood is refused with the time to wait', async () => {
  const { client } = await session();
  const ids = Array.from({ length: 150 }, () => client.id());
  for (const id of ids) client.say({ request: { id, getProfile: {} } });
  const reasons = new Set();
  for (let count = 0; count < ids.length; count += 1) {
    const { error } = await client.until((frame) => frame.response);
    if (!error) continue;
    reasons.add(error.reason);
    assert(error.retryable, 'it may be repeated');
    if (error.reason === 'RATE_LIMITED') assert(error.metadata.retry_after_ms > 0, 'when');
  }
  for (const reason of reasons) {
    assert(['RATE_LIMITED', 'TOO_MANY_REQUESTS'].includes(reason), `refused for ${reason}`);
  }
  assert(reasons.size > 0, 'some of 150 at once are refused');
});

// --- Tables

/** A seat with bots, as quickly as this gateway offers one. */
async function seat() {
  const { player, client } = await session();
  const { queues } = await client.ask('listQueues');
  const withBots = queues.queues.filter((queue) => queue.botFillAfterMs > 0);
  const queue = withBots.find((queue) => queue.game === 'blackjack') ?? withBots[0];
  assert(queue, 'a queue that bots fill');
  const enqueued = await client.ask('enqueue', { queueId: queue.queueId });
  assert(enqueued.enqueued?.ticketId, `a ticket, not ${JSON.stringify(enqueued)}`);
  const seen = client.aside.find((frame) => frame.ticket?.matched)?.ticket;
  const { matched } =
    seen ?? (await client.until((frame) => frame.ticket?.matched && frame.ticket, STEP_MS));
  const follower = new Follower(matched.tableId);
  await follow(client, follower, (it) => it.resyncs > 0 && it.view.ownSeat === (matched.seat ?? 0));
  return { player, client, follower, tableId: matched.tableId };
}

/** Shows an emote, as soon as the table lets the seat show another one. */
async function show(client, tableId, emote) {
  for (let tries = 0; tries < 50; tries += 1) {
    const response = await client.ask('table', { tableId, command: { emote: { emote } } });
    if (response.done) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`emote ${emote} is never shown`);
}

let played;

check('a ticket leads to a table, and its updates are numbered without gap or double', async () => {
  played = await seat();
  const { client, follower, tableId } = played;
  equal(follower.view.tableId, tableId, 'the view is that of the table');
  await follow(client, follower, (it) => it.updates >= 5);
});

check('a command that is sent again is carried out once', async () => {
  const { client, follower, tableId } = played;
  const id = client.id();
  const shown = { tableId, command: { emote: { emote: 7 } } };
  for (let times = 0; times < 3; times += 1) {
    assert((await client.ask('table', shown, id)).done, 'each time it is answered');
  }
  await show(client, tableId, 8);
  await follow(client, follower, (it) => it.emotes.some(({ emote }) => emote === 8));
  equal(follower.emotes.filter(({ emote }) => emote === 7).length, 1, 'times that it was shown');
});

check('after a break exactly the missing updates follow, or a resync', async () => {
  const { player, client, tableId } = played;
  while (client.aside.length) played.follower.take(client.aside.shift());
  const { seq } = played.follower;
  client.socket.break();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const resume = [{ tableId, seq: String(seq) }];
  const back = await Client.open(player.accessToken, { resume });
  equal(back.welcome.tableId, tableId, 'the seat is still there');
  const follower = new Follower(tableId, seq);
  await show(back, tableId, 9);
  await follow(back, follower, (it) => it.emotes.some(({ emote }) => emote === 9) || it.resyncs);
  Object.assign(played, { client: back, follower });
});

check('a client that claims to be ahead gets a resync', async () => {
  const { player, client, tableId } = played;
  client.socket.break();
  const resume = [{ tableId, seq: '9007199254740991' }];
  const back = await Client.open(player.accessToken, { resume });
  const follower = new Follower(tableId);
  await follow(back, follower, (it) => it.resyncs > 0);
  Object.assign(played, { client: back, follower });
});

check('watching again starts afresh', async () => {
  const { client, follower, tableId } = played;
  const before = follower.resyncs;
  assert((await client.ask('watch', { tableId })).done, 'it is accepted');
  await follow(client, follower, (it) => it.resyncs > before);
});

check("somebody else's seat is not ours to play", async () => {
  const { client } = await session();
  const command = { emote: { emote: 1 } };
  const response = await client.ask('table', { tableId: played.tableId, command });
  assert(response.error?.reason, 'it is refused with a reason');
});

check('a table that is not watched any more is silent', async () => {
  const { client, tableId } = played;
  assert((await client.ask('unwatch', { tableId })).done, 'it is accepted');
  const isLeft = (frame) => frame.tableLeft?.tableId === tableId && frame.tableLeft;
  const left = client.aside.map(isLeft).find(Boolean) ?? (await client.until(isLeft));
  equal(left.reason, 'left', 'the reason');
  client.aside.length = 0;
  client.say({ ping: { nonce: '3' } });
  await client.until((frame) => frame.pong?.nonce === '3');
  assert(!client.aside.some((frame) => frame.update || frame.resync), 'nothing more comes of it');
});

// --- Running them

let failed = 0;
console.log(`TAP version 13\n1..${checks.length}`);
for (const [index, { name, run }] of checks.entries()) {
  try {
    await run();
    console.log(`ok ${index + 1} - ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`not ok ${index + 1} - ${name}\n  # ${error.message}`);
  }
}
console.log(`conformance: ${checks.length - failed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
