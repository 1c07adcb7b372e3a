// A person plays a whole match of mahjong with bots, by the names of things alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guest, guestsOf } from './guest.mjs';
import { House } from './house.mjs';

const house = new House();
const open = guestsOf(house);

/** The own tiles, as buttons. @param {Guest} guest */
function tiles(guest) {
  return guest.page.getByLabel('Your tiles').getByRole('button');
}

/** Chooses three tiles of the suit of which there are fewest, but three. @param {Guest} guest */
async function exchange(guest) {
  const names = await Guest.names(tiles(guest));
  const suits = ['characters', 'dots', 'bamboos'].map((suit) => (
    names.flatMap((name, place) => (name.includes(suit) ? [place] : []))));
  const few = suits.filter((places) => places.length >= 3).sort((a, b) => a.length - b.length)[0];
  for (const place of few.slice(0, 3)) await tiles(guest).nth(place).click();
  await guest.inspect('mahjong-exchange');
  await guest.press('Exchange (3/3)');
}

/** Chooses a tile of the void suit, or else the last one, and discards it. @param {Guest} guest */
async function discard(guest, suit) {
  const names = await Guest.names(tiles(guest));
  const unwanted = names.findIndex((name) => name.includes(suit));
  const place = unwanted < 0 ? names.length - 1 : unwanted;
  await tiles(guest).nth(place).click({ timeout: 2_000 });
  await guest.button(/^Discard \d/).click({ timeout: 2_000 });
}

/** The numbers of a row of the score sheet. @param {Guest} guest @param {string|RegExp} name */
async function sheetRow(guest, name) {
  const row = guest.page.getByRole('row').filter({
    has: guest.page.getByRole('rowheader', { name, exact: true }) });
  return (await row.getByRole('cell').allInnerTexts()).map(Number);
}

test('a whole match with bots, from the exchange to the score sheet', async () => {
  const guest = await open();
  await guest.play(/^Play now: Sichuan mahjong/);
  await guest.page.getByText('Give three tiles of one suit away').waitFor();
  assert.equal(await tiles(guest).count(), 13 + Number(await isDealer(guest)));
  await exchange(guest);
  await guest.page.getByText('Which suit do you give up?').waitFor();
  await guest.inspect('mahjong-void');
  const suggested = guest.button(/\(suggested\)$/);
  const suit = (await suggested.innerText()).replace(' (suggested)', '');
  await suggested.click();

  const seen = new Set();
  const once = async (what) => {
    if (seen.has(what)) return;
    seen.add(what);
    await guest.inspect(`mahjong-${what}`);
  };
  const turn = guest.button('Choose a tile to discard').or(guest.button(/^Discard \d/));
  const claim = (name) => [guest.button(name), async () => {
    await once('claim');
    await guest.button(name).first().click({ timeout: 2_000 });
  }];
  await guest.playUntil(guest.page.getByRole('heading', { name: 'Final score sheet' }), [
    claim('Win'), claim(/^Kong/), claim('Pung'), [guest.button('Pass')],
    [turn, async () => {
      await once('turn');
      if (await guest.page.getByText('Waiting for').isVisible()) await once('ready');
      await discard(guest, suit);
    }],
  ]);
  assert.ok(seen.has('turn'), 'the player had a turn');

  await guest.inspect('mahjong-result');
  const hand = await sheetRow(guest, 'Hand 1');
  assert.equal(hand.length, 4);
  assert.equal(hand.reduce((sum, one) => sum + one), 0, `${hand}`);
  assert.deepEqual(await sheetRow(guest, 'Total'), hand);
  const own = Number((await guest.page.getByText('You in this hand:').innerText()).split(':')[1]);
  assert.equal(own, hand[await ownColumn(guest)]);

  await guest.go('History');
  await guest.button(/^Replay: Sichuan mahjong/).click();
  await stepThrough(guest);
  await guest.press('Verify');
  await guest.page.getByText('Verified: the cards follow from the seed').waitFor();
  await guest.inspect('replay-mahjong');
  await guest.leave();
});

/** @param {Guest} guest */
async function isDealer(guest) {
  return guest.page.getByRole('region', { name: 'You', exact: true }).getByText('Dealer')
    .isVisible();
}

/** Which column of the score sheet is the player's. @param {Guest} guest */
async function ownColumn(guest) {
  const heads = guest.page.getByRole('columnheader');
  return (await heads.allInnerTexts()).indexOf('You');
}

/** Goes through a replay with the keyboard, forth and back. @param {Guest} guest */
async function stepThrough(guest) {
  const step = guest.page.getByText(/^Step \d+ of \d+$/);
  const steps = Number((await step.innerText()).split(' ').pop());
  assert.ok(steps > 10, `${steps} steps`);
  const next = guest.button('Next step');
  await next.focus();
  for (let at = 2; at <= 6; at += 1) {
    await guest.page.keyboard.press('Enter');
    await guest.page.getByText(`Step ${at} of ${steps}`, { exact: true }).waitFor();
  }
  await guest.press('Previous step');
  await guest.page.getByText(`Step 5 of ${steps}`, { exact: true }).waitFor();
  await guest.press('Last step');
  await guest.page.getByText(`Step ${steps} of ${steps}`, { exact: true }).waitFor();
  assert.ok(await next.isDisabled());
}
