// A person at the page: opens it, presses what has a name, and complains about whatever goes wrong.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

/** Longest wait for anything that players wait for. */
export const PATIENCE_MS = 60_000;
/** A press that finds its button gone, because the table has moved on, is given up after this. */
const PRESS_MS = 2_000;
/** Most moves until something is over: a hand of mahjong has about a hundred presses. */
const MOVES = 1_000;
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 800 };
/** Blackjack for two, one round of it. */
export const PAIR = /^Play now: Blackjack, .*2 seats, 1 hand$/;
/** Where screenshots go, if anybody wants to look at them. */
const SHOTS = process.env.PARLOR_SCREENSHOTS;
/** What the browser itself says of a connection that breaks, whatever the page does. */
const BROKEN = /WebSocket connection|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INTERNET_DISCONNECTED/;

/** A browser without the network of its maker. */
function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/**
 * Starts a house and a browser before the tests of a file, and ends both after them.
 * @param {import('./house.mjs').House} house
 * @param {import('./house.mjs').Wire} [wire] the way on which guests come, by default straight
 * @returns {(options?: object, prepare?: (page: import('playwright-core').Page) => Promise<void>)
 *   => Promise<Guest>} opens the page as a new guest
 */
export function guestsOf(house, wire) {
  let browser;
  before(async () => {
    await house.start();
    await wire?.open();
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    wire?.close();
    await house.stop();
  });
  return async (options = {}, prepare = async () => {}) => {
    const context = await browser.newContext({ viewport: PHONE, locale: 'en', ...options });
    return Guest.enter(context, (wire ?? house).url, prepare);
  };
}

export class Guest {
  /** @param {import('playwright-core').Page} page @param {string} url */
  constructor(page, url) {
    this.page = page;
    this.origin = new URL(url).origin;
    this.complaints = [];
    /** Connections may break now. */
    this.isOutage = false;
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => this.complaints.push(String(error.stack)));
    page.on('console', (message) => {
      if (!['error', 'warning'].includes(message.type())) return;
      if (this.isOutage && BROKEN.test(message.text())) return;
      this.complaints.push(`console: ${message.text()}`);
    });
    const visit = (address) => {
      const { origin, protocol } = new URL(address.replace(/^ws/, 'http'));
      if (protocol !== 'data:' && origin !== this.origin) {
        this.complaints.push(`asks another host: ${address}`);
      }
    };
    page.on('request', (request) => visit(request.url()));
    page.on('websocket', (socket) => visit(socket.url()));
  }

  /** Opens the page in a context that is there already. */
  static async enter(context, url, prepare = async () => {}) {
    const guest = new Guest(await context.newPage(), url);
    await prepare(guest.page);
    await guest.page.goto(url);
    return guest;
  }

  /** Ends the visit; nothing may have gone wrong. */
  async leave() {
    assert.deepEqual(this.complaints, []);
    await this.page.context().close();
  }

  /** @param {string|RegExp} name */
  button(name) {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** @param {string|RegExp} name */
  region(name) {
    return this.page.getByRole('region', { name, exact: typeof name === 'string' });
  }

  /** @param {string|RegExp} name */
  async press(name) {
    await this.button(name).first().click();
  }

  /** Goes to a page of the bar at the top. @param {string} name */
  async go(name) {
    await this.page.getByRole('navigation').getByRole('button', { name }).click();
  }

  /** Takes part in a queue. @param {RegExp} game */
  async play(game) {
    await this.press(game);
    await this.region('Your part of the table').waitFor();
  }

  /** What covers the page when there is no connection. */
  get overlay() {
    return this.page.getByRole('alert').filter({ hasText: /onnect|window/ });
  }

  /**
   * Makes moves until `done` shows. Of the moves on offer the first is made; one that is gone in
   * the meantime is not missed.
   * @param {import('playwright-core').Locator} done
   * @param {[import('playwright-core').Locator, (() => Promise<void>)?][]} moves
   */
  async playUntil(done, moves) {
    const idle = this.page.locator('.dock:not([aria-busy])');
    for (let count = 0; count < MOVES; count += 1) {
      await idle.waitFor();
      await moves.reduce((all, [move]) => all.or(move), done).first().waitFor();
      if (await done.first().isVisible()) return;
      for (const [move, make] of moves) {
        if (!(await move.first().isVisible())) continue;
        const made = make ? make() : move.first().click({ timeout: PRESS_MS });
        await made.catch((error) => {
          if (error.name !== 'TimeoutError') throw error;
        });
        break;
      }
    }
    throw new Error(`not over after ${MOVES} moves`);
  }

  /** Names of the elements of a role in an order. @param {import('playwright-core').Locator} all */
  static names(all) {
    return all.evaluateAll((elements) => elements.map((one) => one.getAttribute('aria-label')));
  }

  /**
   * Looks at the page as it is: on a phone and on a desk, in English and Chinese. Nothing is cut
   * off or too small to touch, and axe finds no fault.
   * @param {string} name of the screenshots
   */
  async inspect(name) {
    for (const [size, viewport] of [['desk', DESK], ['phone', PHONE]]) {
      await this.page.setViewportSize(viewport);
      assert.deepEqual(await this.page.evaluate(faultsOfLayout), [], `${name} on a ${size}`);
      await this.shoot(`${name}-${size}-en`);
      if (!SHOTS) continue;
      const turn = () => this.page.locator('[data-key="language"]').evaluate((one) => one.click());
      await turn();
      await this.shoot(`${name}-${size}-zh`);
      await turn();
    }
    const faults = await this.page.evaluate(await axe());
    assert.deepEqual(faults, [], name);
  }

  /** @param {string} name */
  async shoot(name) {
    if (!SHOTS) return;
    mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: `${SHOTS}/${name}.png` });
  }
}

/** What does not fit on the page. Runs in the page. */
function faultsOfLayout() {
  const faults = [];
  if (document.documentElement.scrollWidth > innerWidth) {
    faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  }
  for (const element of document.querySelectorAll('button, select, input')) {
    const { width, height } = element.getBoundingClientRect();
    if (!element.checkVisibility() || element.closest('[inert]')) continue;
    const label = element.getAttribute('aria-label') ?? element.textContent ?? element.id;
    // WCAG 2.2, 2.5.8; half a pixel for rounding.
    if (width < 23.5 || height < 23.5) faults.push(`${label}: ${width} by ${height}`);
  }
  return faults;
}

let axeSource;

/** A script that checks the page with axe and gives the faults in short. */
async function axe() {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  axeSource ??= await readFile(path, 'utf8');
  return `${axeSource};
    axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(
      ({ id, nodes }) => id + ': ' + nodes.map(({ html, any }) => (
        html.slice(0, 160) + ' ' + (any[0]?.message ?? ''))).join(' | ')))`;
}
