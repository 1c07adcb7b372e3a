// The whole system in one process, and a browser to play in.

import { spawn } from 'node:child_process';
import { mkdtempSync, openSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

/** Longest wait for anything that players wait for. */
export const PATIENCE_MS = 60_000;

export class House {
  /** A folder of its own and a port that stays the same over restarts. */
  constructor() {
    this.folder = mkdtempSync(join(process.env.PARLOR_SCRATCH ?? '/tmp', 'house-'));
    this.port = 0;
  }

  /** Starts `parlor run all` and waits for the address that it prints. */
  async start() {
    const log = openSync(join(this.folder, 'parlor.log'), 'a');
    this.process = spawn(process.env.PARLOR_BIN, [
      'run', 'all', '--data-dir', join(this.folder, 'data'),
      '--gateway-listen', `127.0.0.1:${this.port}`, '--table-start-delay-ms', '300',
    ], { stdio: ['ignore', 'pipe', log] });
    const lines = createInterface({ input: this.process.stdout });
    for await (const line of lines) {
      const found = line.match(/^http:\/\/127\.0\.0\.1:(\d+)\/?$/);
      if (!found) continue;
      this.port = Number(found[1]);
      return;
    }
    throw new Error('parlor ended before it was ready');
  }

  get url() {
    return `http://127.0.0.1:${this.port}/`;
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

/** A browser without the network of its maker. */
export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** A phone with the page open; `complaints` collects what the console says. */
export async function openPage(browser, url) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A connection that breaks is reported by the browser itself, whatever the page does.
    const broken = /WebSocket|ERR_CONNECTION|Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !broken) complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints };
}
