// The whole system in one process, and a wire to it that can be cut.

import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** Queues with quick bots and slow clocks: tests wait for nobody, and nobody times out. */
const QUEUES = new URL('queues.json', import.meta.url).pathname;

export class House {
  /** A folder of its own and a port that stays the same over restarts. @param {string[]} flags */
  constructor(...flags) {
    this.folder = mkdtempSync(join(process.env.PARLOR_SCRATCH ?? '/tmp', 'house-'));
    this.port = 0;
    this.flags = flags;
  }

  /** Starts `parlor run all` and waits for the address that it prints. */
  async start() {
    const log = openSync(join(this.folder, 'parlor.log'), 'a');
    this.process = spawn(process.env.PARLOR_BIN, [
      'run', 'all', '--data-dir', join(this.folder, 'data'),
      '--gateway-listen', `127.0.0.1:${this.port}`, '--table-start-delay-ms', '2500',
      '--matchmaking-queues-file', QUEUES, ...this.flags,
    ], { stdio: ['ignore', 'pipe', log] });
    const lines = createInterface({ input: this.process.stdout });
    for await (const line of lines) {
      const found = line.match(/^http:\/\/127\.0\.0\.1:(\d+)\/?$/);
      if (!found) continue;
      this.port = Number(found[1]);
      return;
    }
    throw new Error(`parlor ended before it was ready: ${this.folder}/parlor.log`);
  }

  get url() {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Does what an operator does: `parlor admin …`. @param {string[]} words */
  async admin(...words) {
    await promisify(execFile)(process.env.PARLOR_BIN,
      ['admin', ...words, '--data-dir', join(this.folder, 'data')]);
  }

  /** Ends the process at once, as a crash does. */
  async kill() {
    this.process.kill('SIGKILL');
    await once(this.process, 'exit');
  }

  /** Asks the process to end; gives its exit code. */
  async stop() {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return null;
    this.process.kill('SIGTERM');
    const [code] = await once(this.process, 'exit');
    return code;
  }
}

/** A way to the house that can be cut (connections break and none can be made) or stalled
 * (connections stay open and carry nothing), as networks do. */
export class Wire {
  /** @param {House} house */
  constructor(house) {
    this.house = house;
    this.isCut = false;
    this.isStalled = false;
    this.sockets = new Set();
    this.server = createServer((near) => this.carry(near));
  }

  async open() {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}/`;
  }

  carry(near) {
    if (this.isCut) {
      near.destroy();
      return;
    }
    const far = connect(this.house.port, '127.0.0.1');
    for (const [from, to] of [[near, far], [far, near]]) {
      this.sockets.add(from);
      from.on('data', (data) => {
        if (!this.isStalled) to.write(data);
      });
      from.on('error', () => {});
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }

  cut() {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  stall() {
    this.isStalled = true;
  }

  mend() {
    this.isCut = false;
    this.isStalled = false;
  }

  close() {
    this.cut();
    this.server.close();
  }
}
