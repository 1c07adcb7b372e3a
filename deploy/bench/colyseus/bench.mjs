// Plays the echo table on Colyseus as `parlor bench` plays it on Parlor, and prints one JSON object
// with the same fields.
//
//   node bench.mjs TABLES SECONDS [RATE]
//
// With RATE each table's turn n is meant for a fixed time, RATE turns a second, and latency counts
// from then; without it a client says its word as soon as it may.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'colyseus.js';

const SEATS = 4;
const TEXT = 'x'.repeat(40);
const WARM_UP_MS = 2000;
const TICKS_PER_S = 100;
const MIB = 1024 * 1024;

const [tables, seconds, rate] = process.argv.slice(2).map(Number);

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  return port;
}

async function listens(port) {
  const socket = connect(port, '127.0.0.1');
  const connected = await once(socket, 'connect').catch(() => undefined);
  socket.destroy();
  return connected !== undefined;
}

function cpuMicros(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name: state is field 3, utime and stime are 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_S;
}

function rssMib(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) * 1024) / MIB;
}

/** One table: four clients, each with a connection of its own. */
class Table {
  constructor(account, startMs) {
    this.account = account;
    this.startMs = startMs;
    this.heard = [];
    this.meantMs = [];
  }

  async open(url) {
    const client = () => new Client(url);
    const first = await client().create('echo');
    this.rooms = [first];
    while (this.rooms.length < SEATS) {
      this.rooms.push(await client().joinById(first.roomId));
    }
    this.rooms.forEach((room, seat) => {
      this.heard[seat] = 0;
      room.onMessage('refused', () => (this.account.errors += 1));
      room.onMessage('said', ({ turn }) => this.hear(seat, turn));
    });
  }

  plan(turn) {
    const meantMs = rate ? this.startMs + (turn * 1000) / rate : performance.now();
    const waitMs = meantMs - performance.now();
    if (waitMs > 0) setTimeout(() => this.say(turn, meantMs), waitMs);
    else this.say(turn, meantMs);
  }

  say(turn, meantMs) {
    if (this.account.over) return;
    // Node's timers may be early: such a wait counts from when it ended.
    this.meantMs[turn % SEATS] = Math.min(meantMs, performance.now());
    this.rooms[turn % SEATS].send('say', { turn, text: TEXT });
  }

  hear(seat, turn) {
    if (turn !== this.heard[seat]) this.account.errors += 1;
    this.heard[seat] = turn + 1;
    if (turn % SEATS === seat) this.account.note(performance.now() - this.meantMs[seat]);
    if ((turn + 1) % SEATS === seat) this.plan(turn + 1);
  }
}

class Account {
  errors = 0;
  latencies = [];
  measuring = false;
  over = false;

  note(latencyMs) {
    if (this.measuring) this.latencies.push(latencyMs);
  }

  quantile(share) {
    const place = Math.floor(this.latencies.length * share);
    return this.latencies[Math.min(this.latencies.length - 1, place)];
  }
}

const port = await freePort();
const server = spawn(process.execPath, [new URL('server.mjs', import.meta.url).pathname, port], {
  env: { ...process.env, NODE_ENV: 'production' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
while (!(await listens(port))) await sleep(50);
const emptyMib = rssMib(server.pid);
const account = new Account();
const opened = [];
for (let number = 0; number < tables; number += 1) {
  const spreadMs = rate ? (number * 1000) / rate / tables : 0;
  const table = new Table(account, spreadMs);
  await table.open(`ws://127.0.0.1:${port}`);
  opened.push(table);
}
const fullMib = rssMib(server.pid);
for (const table of opened) {
  table.startMs += performance.now();
  table.plan(0);
}
await sleep(WARM_UP_MS);
const [serverBefore, clientsBefore] = [cpuMicros(server.pid), cpuMicros(process.pid)];
account.measuring = true;
const begin = performance.now();
await sleep(seconds * 1000);
account.measuring = false;
const elapsedS = (performance.now() - begin) / 1000;
const actions = account.latencies.length;
account.latencies.sort((a, b) => a - b);
console.log(
  JSON.stringify({
    tables,
    actions_per_s: actions / elapsedS,
    p50_ms: account.quantile(0.5),
    p99_ms: account.quantile(0.99),
    p999_ms: account.quantile(0.999),
    cpu_us_per_action: {
      server: (cpuMicros(server.pid) - serverBefore) / actions,
      clients: (cpuMicros(process.pid) - clientsBefore) / actions,
    },
    rss_mb: { server: rssMib(server.pid), clients: rssMib(process.pid) },
    mb_per_table: (fullMib - emptyMib) / tables,
    errors: account.errors,
  }),
);
account.over = true;
server.kill();
process.exit(0);
