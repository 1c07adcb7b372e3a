// The network goes, falls silent, comes back; the player opens a second window.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guest, guestsOf } from './guest.mjs';
import { House, Wire } from './house.mjs';

// Silence is noticed soon.
const house = new House('--gateway-heartbeat-ms', '2000');
const wire = new Wire(house);
const open = guestsOf(house, wire);

/** Comes to one's own turn. @param {Guest} guest */
async function takeTurn(guest) {
  await guest.playUntil(guest.button('Stand'), [
    [guest.button(/^Bet \d/)], [guest.button('No insurance')]]);
}

/** @param {Guest} guest */
function ownCards(guest) {
  return Guest.names(guest.region('Your part of the table').getByRole('img'));
}

/** Loses the network and has it again. @param {Guest} guest @param {() => void} lose */
async function lose(guest, lose) {
  guest.isOutage = true;
  lose();
  await guest.overlay.waitFor();
  assert.match(await guest.overlay.innerText(), /^Connection lost/);
  assert.ok(await guest.page.locator('#page').evaluate((page) => page.inert));
  wire.mend();
  await guest.overlay.waitFor({ state: 'detached' });
  guest.isOutage = false;
}

test('a hand goes on where it was when the network is cut or falls silent', async () => {
  const guest = await open();
  await guest.play(/^Play now: Blackjack, One/);
  await takeTurn(guest);
  const cards = await ownCards(guest);
  await guest.button('Stand').focus();
  await lose(guest, () => wire.cut());
  assert.deepEqual(await ownCards(guest), cards, 'the same hand after a cut');
  const isFocused = await guest.button('Stand').evaluate((one) => one === document.activeElement);
  assert.ok(isFocused, 'the focus is where it was');
  await lose(guest, () => wire.stall());
  assert.deepEqual(await ownCards(guest), cards, 'the same hand after a silence');
  // What is pressed in the moment of the cut is carried out once, afterwards.
  const result = guest.page.getByText('You in this round:');
  guest.isOutage = true;
  wire.stall();
  await guest.press('Stand');
  await guest.overlay.waitFor();
  wire.cut();
  wire.mend();
  await guest.overlay.waitFor({ state: 'detached' });
  guest.isOutage = false;
  // Should the result have been shown and gone in the meantime, the next one will do.
  await guest.playUntil(result, [
    [guest.button('Stand')], [guest.button(/^Bet \d/)], [guest.button('No insurance')]]);
  await guest.leave();
});

test('a second window takes over, and the first one can take back', async () => {
  const first = await open();
  await first.play(/^Play now: Poker roguelike/);
  await first.button('Play this blind').waitFor();
  const second = await Guest.enter(first.page.context(), wire.url);
  await second.button('Play this blind').waitFor();
  await first.overlay.filter({ hasText: 'another window' }).waitFor();
  await first.inspect('replaced');
  await first.press('Play here');
  await first.overlay.waitFor({ state: 'detached' });
  await second.overlay.filter({ hasText: 'another window' }).waitFor();
  await first.press('Play this blind');
  await first.button(/^Play \(/).waitFor();
  assert.deepEqual(second.complaints, []);
  await first.leave();
});
