// What people at a table show and say to each other, and those who may not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guest, PAIR, guestsOf } from './guest.mjs';
import { House } from './house.mjs';

const house = new House();
const open = guestsOf(house);

/** Brings two people to one table. @param {Guest[]} players */
async function meet(players) {
  for (const player of players) await player.press(PAIR);
  await Promise.all(players.map((player) => player.button('Say').waitFor()));
}

/** Says something as soon as one may. @param {Guest} guest @param {string} what */
async function say(guest, what) {
  await guest.press('Say');
  await guest.page.getByRole('dialog', { name: 'Say something' }).waitFor();
  await guest.press(what);
  await guest.page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** The last line that a screen reader reads out. @param {Guest} guest @param {string} words */
function readOut(guest, words) {
  return guest.page.getByRole('log').getByText(words).last();
}

test('a picture and a sentence show at the seat and are read out', async () => {
  const [one, other] = [await open(), await open({ reducedMotion: 'reduce' })];
  const name = await one.page.locator('.purse .name').innerText();
  await meet([one, other]);
  await one.press('Say');
  await one.inspect('talk-sheet');
  await one.press('Thumbs up');
  await other.page.locator('.bubble .emote').waitFor();
  await other.shoot('talk-picture');
  await readOut(other, `${name}: Thumbs up`).waitFor({ state: 'attached' });
  await say(one, 'Good luck!');
  const bubble = other.page.locator('.bubble').filter({ hasText: 'Good luck!' });
  await bubble.waitFor();
  await other.shoot('talk-sentence');
  assert.equal(await bubble.evaluate((it) => getComputedStyle(it).animationName), 'none');
  await readOut(one, 'You: Good luck!').waitFor({ state: 'attached' });
  await bubble.waitFor({ state: 'detached' });

  await other.press('Say');
  await other.page.getByLabel('Hide what others say').check();
  await other.page.keyboard.press('Escape');
  await say(one, 'Thank you!');
  await readOut(one, 'You: Thank you!').waitFor({ state: 'attached' });
  await other.press(/^Bet \d|^Leave/);
  assert.equal(await other.page.locator('.bubble').count(), 0);
  for (const guest of [one, other]) await guest.leave();
});

test('whoever is muted is told so, why and for how long', async () => {
  const [muted, other] = [await open(), await open()];
  await meet([muted, other]);
  const player = await muted.page.evaluate(
    () => JSON.parse(localStorage.getItem('parlor.session')).playerId);
  await house.admin('player', 'mute', player, '--hours', '1', '--reason', 'shouting');
  await say(muted, 'Hello, everyone!');
  const told = muted.page.getByText(/^A moderator has muted you until .+\. Reason: shouting$/);
  await told.first().waitFor();
  await muted.press('Say');
  await muted.page.getByRole('dialog').getByText(/Reason: shouting/).waitFor();
  await muted.inspect('talk-muted');
  assert.equal(await other.page.locator('.bubble').count(), 0);

  await muted.page.keyboard.press('Escape');
  await house.admin('player', 'ban', player, '--hours', '1', '--reason', 'shouting');
  const alert = muted.page.getByRole('alert').filter({ hasText: /shut you out until .+ shouting/ });
  await alert.waitFor();
  await muted.page.reload();
  await alert.waitFor();
  await muted.inspect('banned');
  for (const guest of [muted, other]) await guest.leave();
});
