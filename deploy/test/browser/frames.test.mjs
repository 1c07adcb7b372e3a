// What one process cannot show: tables that move between servers, told by a scripted gateway behind
// the real page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guest, PATIENCE_MS, guestsOf } from './guest.mjs';
import { House } from './house.mjs';

const house = new House();
const open = guestsOf(house);

const TABLE = '0192f0c2-0000-7000-8000-000000000001';

/** A blackjack table between two hands. @param {string} handNo @param {number} stack */
function view(handNo, stack) {
  return {
    tableId: TABLE, game: 'blackjack', phase: 'PHASE_WAITING', ownSeat: 0, handNo,
    stakeMode: 'STAKE_MODE_CHIPS', options: { blackjack: {} },
    seats: [
      { seat: 0, occupant: 'OCCUPANT_PLAYER', playerId: 'me', name: 'Me', stack: String(stack),
        connected: true },
      { seat: 1, occupant: 'OCCUPANT_BOT', name: 'Ada (bot)', stack: '2000', connected: true },
    ],
    view: { blackjack: { phase: 'BLACKJACK_PHASE_IDLE' } },
  };
}

/** Opens the page with a gateway that says what the test tells it to. */
async function openScripted() {
  /** Requests that came, and the last connection. */
  const script = { asked: [], hellos: [], balance: '98000', say: null, close: null, unreachable: 0,
    onAsked: () => {} };
  const answers = (request) => {
    if (request.listQueues) return { queues: {} };
    if (request.listTables) return { tables: {} };
    if (request.getProfile) return { profile: { balance: script.balance } };
    if (request.watch && script.unreachable > 0) {
      script.unreachable -= 1;
      return { error: { code: 'not_found', reason: 'TABLE_NOT_FOUND' } };
    }
    return { done: {} };
  };
  const connect = (socket) => {
    script.say = (frame) => socket.send(JSON.stringify(frame));
    script.close = (code) => socket.close({ code });
    socket.onMessage((message) => {
      const { hello, request } = JSON.parse(message);
      const timeMs = String(Date.now());
      if (hello) {
        script.hellos.push(hello);
        script.say({ welcome: { playerId: 'me', name: 'Me', timeMs, heartbeatMs: 15000,
          tableId: TABLE, balance: script.balance } });
        script.say({ resync: { tableId: TABLE, seq: '41', timeMs, view: view('6', 2000) } });
      }
      if (request) {
        script.asked.push(request);
        script.onAsked();
        script.say({ response: { id: request.id, ...answers(request) } });
      }
    });
  };
  const guest = await open({}, (page) => page.routeWebSocket(/\/v1\/session$/, connect));
  await guest.page.getByText('Hand 6').waitFor();
  return { guest, script };
}

/** Waits for a number of connections. @param {{hellos: object[]}} script @param {number} count */
async function greeted(script, count) {
  for (let waited = 0; script.hellos.length < count; waited += 20) {
    assert.ok(waited < PATIENCE_MS, `${script.hellos.length} connections`);
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
}

/** Stacks that are shown. @param {Guest} guest */
function ownStack(guest) {
  return guest.page.getByRole('listitem').filter({ hasText: 'You' }).locator('.stack').innerText();
}

test('a resync replaces everything that was known of a table', async () => {
  const { guest, script } = await openScripted();
  script.say({ update: { tableId: TABLE, seq: '42', events: [], view: view('7', 1900) } });
  await guest.page.getByText('Hand 7').waitFor();
  script.say({ resync: { tableId: TABLE, seq: '3', view: view('9', 1500) } });
  await guest.page.getByText('Hand 9').waitFor();
  assert.equal(await ownStack(guest), '1,500');
  script.say({ update: { tableId: TABLE, seq: '4', events: [], view: view('10', 1400) } });
  await guest.page.getByText('Hand 10').waitFor();
  await guest.leave();
});

test('a gap in the updates makes the page ask for the table afresh', async () => {
  const { guest, script } = await openScripted();
  script.say({ update: { tableId: TABLE, seq: '44', events: [], view: view('8', 1) } });
  script.say({ update: { tableId: TABLE, seq: '45', events: [], view: view('9', 1) } });
  script.say({ resync: { tableId: TABLE, seq: '50', view: view('11', 1300) } });
  await guest.page.getByText('Hand 11').waitFor();
  assert.deepEqual(script.asked.filter(({ watch }) => watch).map(({ watch }) => watch.tableId),
    [TABLE]);
  await guest.leave();
});

test('a table that nobody reaches is covered until it is there again', async () => {
  const { guest, script } = await openScripted();
  script.say({ tableLeft: { tableId: TABLE, reason: 'unavailable' } });
  await guest.page.getByRole('alert').filter({ hasText: 'moving to another server' }).waitFor();
  await guest.page.waitForFunction(() => !document.querySelector('.overlay'));
  assert.equal(script.asked.filter(({ watch }) => watch).length, 1);
  script.say({ resync: { tableId: TABLE, seq: '60', view: view('12', 1200) } });
  await guest.page.getByText('Hand 12').waitFor();
  // Gone for good: back to the lobby.
  script.unreachable = 1;
  script.say({ tableLeft: { tableId: TABLE, reason: 'unavailable' } });
  await guest.page.getByRole('heading', { name: 'What would you like to play?' }).waitFor();
  await guest.leave();
});

test('a hand that is booked is marked, and the wallet read again', async () => {
  const { guest, script } = await openScripted();
  // On a phone the wallet is on the other pages: at a table its place is dear.
  const wallet = (chips) => guest.page.locator(`[aria-label="Chips in your wallet: ${chips}"]`)
    .waitFor({ state: 'attached' });
  await wallet('98,000');
  script.balance = '98500';
  script.say({ update: { tableId: TABLE, seq: '42', events: [{ handPosted: { handNo: '6' } }],
    view: view('6', 2000) } });
  await guest.page.getByText('booked').waitFor();
  await wallet('98,500');
  await guest.leave();
});

test('a request that is refused for the moment is repeated with the same id', async () => {
  const { guest, script } = await openScripted();
  const before = script.asked.length;
  const say = script.say;
  let refusals = 2;
  script.say = (frame) => {
    const { id, done } = frame.response ?? {};
    const isLast = script.asked.at(-1)?.table && id === script.asked.at(-1).id;
    if (done && isLast && refusals > 0) {
      refusals -= 1;
      say({ response: { id, error: { code: 'unavailable', reason: 'LINK_UNAVAILABLE',
        retryable: true, metadata: { retry_after_ms: '20' } } } });
    } else say(frame);
  };
  const repeated = () => script.asked.slice(before).filter(({ table }) => table);
  const third = new Promise((resolve) => {
    script.onAsked = () => {
      if (repeated().length === 3) resolve();
    };
  });
  await guest.press('Ready');
  await third;
  assert.equal(new Set(repeated().map(({ id }) => id)).size, 1);
  await guest.leave();
});

test('a gateway that goes away is left in time, and the table resumed', async () => {
  const { guest, script } = await openScripted();
  script.say({ update: { tableId: TABLE, seq: '42', events: [], view: view('7', 1900) } });
  script.say({ goAway: { reason: 'draining', reconnectAfterMs: 20 } });
  await greeted(script, 2);
  assert.deepEqual(script.hellos.map(({ resume }) => resume),
    [[], [{ tableId: TABLE, seq: '42' }]]);
  await guest.leave();
});

test('whoever is replaced stays away, even when only the close code says so', async () => {
  const { guest, script } = await openScripted();
  script.close(4001);
  await guest.overlay.filter({ hasText: 'another window' }).waitFor();
  assert.equal(script.hellos.length, 1);
  await guest.press('Play here');
  await greeted(script, 2);
  await guest.overlay.waitFor({ state: 'detached' });
  await guest.leave();
});

test('a device clock that is years wrong costs nobody the session', async () => {
  const guest = await open();
  const name = () => guest.page.locator('.purse .name').innerText();
  await guest.button('Leaders').waitFor();
  await guest.page.getByLabel(/^Chips in your wallet: \d/).waitFor();
  const before = await name();
  for (const years of [10, -10]) {
    const later = await Guest.enter(guest.page.context(), house.url, (page) => (
      page.addInitScript((shift) => {
        const now = Date.now.bind(Date);
        Date.now = () => now() + shift;
      }, years * 365 * 24 * 3_600_000)));
    await later.page.getByLabel(/^Chips in your wallet: \d/).waitFor();
    assert.equal(await later.page.locator('.purse .name').innerText(), before, `${years} years`);
    assert.deepEqual(later.complaints, []);
  }
  await guest.leave();
});
