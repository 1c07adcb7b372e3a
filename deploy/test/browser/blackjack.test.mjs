// A person plays blackjack: a hand with bots, a crash in the middle of it, the replay afterwards.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { House, openBrowser, openPage } from './house.mjs';

const house = new House();
let browser;

before(async () => {
  await house.start();
  browser = await openBrowser();
});

after(async () => {
  await browser.close();
  await house.stop();
});

/** Bets the least and waits for the own turn; a round that is decided without it is followed by
 * the next. */
async function untilOwnTurn(page) {
  for (;;) {
    const next = page.locator('[data-bet], [data-move="STAND"], [data-move="DECLINE_INSURANCE"]');
    await next.first().waitFor();
    if (await page.locator('[data-move="STAND"]').count()) return;
    // What was there a moment ago may be gone: then the next look decides.
    await next.first().click({ timeout: 2_000 }).catch(() => {});
    await page.waitForTimeout(200);
  }
}

async function ownCards(page) {
  return page.locator('.player.mine .card').evaluateAll(
    (cards) => cards.map((card) => card.getAttribute('aria-label')));
}

test('a hand survives a crash of the process, and its shuffle can be verified', async () => {
  const { page, complaints } = await openPage(browser, house.url);
  await page.locator('[data-queue="blackjack-quick"]').click();
  await untilOwnTurn(page);
  const cards = await ownCards(page);
  assert.ok(cards.length >= 2, 'two cards at least');

  await house.kill();
  await page.locator('.overlay').waitFor();
  await house.start();
  await page.locator('.overlay').waitFor({ state: 'detached' });
  await page.locator('[data-move="STAND"]').waitFor();
  assert.deepEqual(await ownCards(page), cards, 'the same hand');

  await page.locator('[data-move="STAND"]').click();
  await page.locator('.settled').waitFor();
  await page.locator('nav [data-key]', { hasText: 'History' }).click();
  await page.locator('[data-key^="replay-"]').first().click();
  await page.locator('.fair button').click();
  const verdict = await page.locator('.verdict').innerText();
  assert.match(verdict, /^(Verified|The seed is the one)/);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('two friends meet in a private room', async () => {
  const host = await openPage(browser, house.url);
  await host.page.locator('nav [data-key]', { hasText: 'Rooms' }).click();
  await host.page.locator('[data-room-game="blackjack"]').click();
  await host.page.locator('[data-room="blackjack"]').click();
  const code = await host.page.locator('.code strong').innerText();
  assert.match(code, /^\d{6}$/);

  const guest = await openPage(browser, house.url);
  await guest.page.locator('nav [data-key]', { hasText: 'Rooms' }).click();
  await guest.page.locator('[data-key="room-code"]').fill(code);
  await guest.page.locator('.join button').click();
  await guest.page.locator('.seat.mine').waitFor();
  for (const { page } of [host, guest]) {
    await page.locator('.housekeeping button', { hasText: 'Ready' }).click();
  }
  // The host keeps the bank, so the guest bets.
  await guest.page.locator('[data-bet]').first().click();
  await untilSettled(guest.page);
  await host.page.locator('.settled').waitFor();
  assert.deepEqual([...host.complaints, ...guest.complaints], []);
});

async function untilSettled(page) {
  for (;;) {
    const next = page.locator('.settled, [data-move="STAND"], [data-move="DECLINE_INSURANCE"]');
    await next.first().waitFor();
    if (await page.locator('.settled').count()) return;
    await next.first().click({ timeout: 2_000 }).catch(() => {});
    await page.waitForTimeout(200);
  }
}

test('a stopped process says goodbye', async () => {
  assert.equal(await house.stop(), 0);
});
