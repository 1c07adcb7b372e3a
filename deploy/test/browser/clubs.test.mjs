// Friends found a club, come in, get roles, and open a room that costs cards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guest, guestsOf } from './guest.mjs';
import { House } from './house.mjs';

const house = new House('--matchmaking-card-prices', '4=2,8=3,0=10',
  '--matchmaking-club-rooms-interval-ms', '200');
const open = guestsOf(house);

/** Founds a club and stays on its page. @param {Guest} guest @param {string} name */
async function found(guest, name) {
  await guest.go('Clubs');
  await guest.page.getByLabel('Name of the club').fill(name);
  await guest.press('Found');
  await guest.page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** @param {Guest} guest @param {string} code an invite code or a club's id */
async function join(guest, code) {
  await guest.go('Clubs');
  await guest.page.getByLabel('Invite code or club id').fill(code);
  await guest.press('Join');
}

/** A player's line among the members. @param {Guest} guest @param {string} name */
function member(guest, name) {
  return guest.region(/^Members/).getByRole('listitem').filter({ hasText: name });
}

/** How the player is called. @param {Guest} guest */
function nameOf(guest) {
  return guest.page.locator('.purse .name').innerText();
}

/** Meets a member's sheet, and presses there. @param {Guest} guest @param {string[]} deeds */
async function change(guest, name, ...deeds) {
  await guest.press(`Change: ${name}`);
  for (const deed of deeds) {
    await guest.page.getByRole('dialog').getByRole('button', { name: deed, exact: true }).click();
  }
  await guest.page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('friends come in by code or by asking, and get roles', async () => {
  const [owner, friend, stranger] = [await open(), await open(), await open()];
  await owner.go('Clubs');
  await owner.page.getByText('You are in no club yet').waitFor();
  await owner.inspect('clubs-none');
  await found(owner, 'Night owls');
  const code = await owner.page.locator('.invite-code').innerText();

  await join(friend, code.toLowerCase());
  await friend.page.getByRole('heading', { name: 'Night owls', level: 1 }).waitFor();
  const clubId = await friend.page.locator('.club .id').innerText();
  assert.equal(await friend.button('New code').count(), 0, 'a member does not keep the door');

  await join(stranger, '23456789');
  await stranger.page.getByText('There is no club with this code.').waitFor();
  await join(stranger, clubId);
  await stranger.page.getByText('You have asked.').waitFor();
  const [friendName, strangerName] = [await nameOf(friend), await nameOf(stranger)];
  await owner.button(`Let in: ${strangerName}`).waitFor();
  await owner.inspect('club-asked');
  await change(owner, friendName, 'Make manager');
  await friend.press(`Let in: ${strangerName}`);
  await stranger.press('Open: Night owls');
  await member(stranger, friendName).getByText('Manager').waitFor();

  await friend.press('New code');
  await friend.page.getByRole('dialog').getByRole('button', { name: 'New code' }).click();
  await friend.page.waitForFunction((old) => (
    document.querySelector('.invite-code').textContent !== old), code);
  await change(friend, strangerName, 'Remove from the club', 'Remove from the club');
  await stranger.page.getByText('You are not in this club any more.').waitFor();

  assert.ok(await owner.button('Leave the club').isDisabled(), 'the owner has no heir yet');
  await change(owner, friendName, 'Make owner', 'Make owner');
  await member(owner, friendName).getByText('Owner').waitFor();
  await owner.press('Leave the club');
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Leave the club' }).click();
  await owner.page.getByText('You are in no club yet').waitFor();
  for (const guest of [owner, friend, stranger]) await guest.leave();
});

test('a club opens a room for its cards, and a member finds it there', async () => {
  const [owner, friend, stranger] = [await open(), await open(), await open()];
  await found(owner, 'Bamboo');
  const code = await owner.page.locator('.invite-code').innerText();
  const clubId = await idOf(owner);

  await owner.press('Open a room');
  await owner.page.getByText('Price in room cards: 3. The club has 0.').waitFor();
  assert.ok(await owner.button('Open the room').isDisabled());
  await house.admin('cards', clubId, '5', '--note', 'Welcome');
  await owner.page.getByText('Costs 3 of the club’s 5 room cards').waitFor();
  await owner.press('Blackjack');
  await owner.page.getByText('Price in room cards: 10. The club has 5.').waitFor();
  await owner.page.getByLabel('Seats', { exact: true }).fill('2');
  await owner.press('All options');
  await owner.page.getByLabel('Most hands', { exact: true }).fill('1');
  await owner.page.getByText('Costs 2 of the club’s 5 room cards').waitFor();
  await owner.inspect('club-room-form');
  await owner.press('Open the room');
  await owner.page.getByText(/^Room \d{6}$/).waitFor();

  await stranger.go('Rooms');
  const room = (await owner.page.getByText(/^Room \d{6}$/).innerText()).replace('Room ', '');
  await stranger.page.getByLabel('Room code').fill(room);
  await stranger.press('Join');
  await stranger.page.getByText('This room is for members of a club.').waitFor();

  await friend.page.goto(`${house.url}#club=${code}`);
  await friend.press('Join');
  await friend.page.getByText('waiting for players').waitFor();
  await friend.inspect('club-member');
  await friend.press(/^Join: Blackjack/);
  await friend.press('Ready');
  await owner.press('Ready');
  await Promise.any([owner, friend].map((guest) => guest.button(/^Bet \d/).waitFor()));

  await owner.go('Clubs');
  await owner.press('Open: Bamboo');
  await owner.page.getByText('playing').waitFor();
  await owner.press('Card book');
  await owner.page.getByText(/^Blackjack, by/).nth(1).waitFor();
  await owner.inspect('club-owner');
  const book = owner.region('Room cards').getByRole('listitem').filter({ hasText: 'left' });
  assert.deepEqual(await book.locator('strong').allInnerTexts(), ['-2', '+5']);
  for (const guest of [owner, friend, stranger]) await guest.leave();
});

/** A club's id, as its members share it. @param {Guest} guest */
async function idOf(guest) {
  await guest.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await guest.press('Share the club id');
  return guest.page.evaluate(() => navigator.clipboard.readText());
}
