// People who meet: in a private room, in a queue, as a spectator; and the form that opens a room.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guest, PAIR, guestsOf } from './guest.mjs';
import { House } from './house.mjs';

const house = new House();
const open = guestsOf(house);

/** Blackjack for two, once both have said that they are ready. */
const ASKED = /^Play now: Blackjack, .*, ready check$/;
const RESULT = 'You in this round:';

/** Plays blackjack until the round is settled. @param {Guest} guest */
async function playRound(guest) {
  await guest.playUntil(guest.page.getByText(RESULT), [
    [guest.button(/^Bet \d/)], [guest.button('No insurance')], [guest.button('Stand')],
  ]);
}

/** @param {Guest} guest */
async function result(guest) {
  return Number((await guest.page.getByText(RESULT).innerText()).replace(RESULT, ''));
}

test('two friends meet in a private room', async () => {
  const host = await open();
  await host.go('Rooms');
  await host.press('Blackjack');
  await host.page.getByLabel('Seats', { exact: true }).fill('3');
  await host.press('All options');
  await host.inspect('room-form-blackjack');
  await host.page.getByLabel('Surrender', { exact: true }).selectOption('not allowed');
  await host.page.getByLabel('Time for a hand').fill('60');
  await host.page.getByLabel('Most hands', { exact: true }).fill('1');
  await host.press('Open the room');
  const code = (await host.page.getByText(/^Room \d{6}$/).innerText()).replace('Room ', '');
  await host.press(/^Add a bot: Seat 3/);
  await host.button('Send Ada (bot) away').waitFor();
  await host.inspect('room-waiting');

  const friend = await open({ locale: 'zh-CN' });
  await friend.go('房间');
  await friend.page.getByLabel('房间号').fill(code);
  await friend.press('加入');
  await friend.press('准备');
  await host.press('Ready');
  // The host keeps the bank, so the friend bets.
  await friend.playUntil(friend.page.getByText('本局你：'), [
    [friend.button(/^下注 \d/)], [friend.button('不买保险')], [friend.button('停牌')],
  ]);
  await host.page.getByText(RESULT).waitFor();
  await host.leave();
  await friend.leave();
});

test('a queue brings two people to one table, and a third one looks on', async () => {
  const players = [await open(), await open()];
  for (const player of players) await player.press(PAIR);
  await Promise.all(players.map(playRound));
  const results = await Promise.all(players.map(result));
  assert.equal(results[0] + results[1], 0, `${results}: one keeps the bank, the other plays`);

  // The quick table shows itself to everybody, the pair's does not.
  const player = await open();
  await player.play(/^Play now: Blackjack, One/);
  const spectator = await open();
  await spectator.press('Refresh the list');
  assert.equal(await spectator.button('Watch: Blackjack').count(), 1);
  await spectator.press('Watch: Blackjack');
  await spectator.page.getByText('You are watching').waitFor();
  await spectator.page.getByText('Place your bets').waitFor();
  assert.equal(await spectator.button(/^Bet/).count(), 0);
  await spectator.inspect('spectator');
  // The table's next view counts those who watch.
  await player.press(/^Bet \d/);
  await player.page.getByText('1 watching').waitFor();
  await spectator.press('Stop watching');
  await spectator.page.getByRole('heading', { name: 'What would you like to play?' }).waitFor();
  for (const guest of [...players, player, spectator]) await guest.leave();
});

test('a queue asks whether both are ready, and who is not leaves it', async () => {
  const players = [await open(), await open()];
  const [patient, hasty] = players;
  const asked = (guest) => guest.page.getByText('A match was found. Are you ready?').waitFor();
  for (const player of players) await player.press(ASKED);
  await Promise.all(players.map(asked));
  await patient.inspect('ready-check');
  await patient.press('Ready');
  await hasty.page.getByText('1 of 2 are ready.').waitFor();
  await hasty.press('Not now');
  await hasty.page.getByText('You were not ready for the match').waitFor();
  await patient.button('Cancel').waitFor();

  await hasty.press(ASKED);
  await Promise.all(players.map(asked));
  for (const player of players) await player.press('Ready');
  await Promise.all(players.map(playRound));
  for (const player of players) await player.leave();
});

test('rooms of every game open with every option, and a mistake has a name', async () => {
  const guest = await open();
  await guest.go('Rooms');
  await guest.page.getByLabel('Room code').fill('000000');
  await guest.press('Join');
  await guest.page.getByText('There is no room with this code.').waitFor();
  await guest.press('All options');
  await guest.inspect('room-form-mahjong');
  for (const [game, opened] of [
    ['Sichuan mahjong', 'Tell your friends the room code'],
    ['Poker roguelike', 'Play this blind'],
  ]) {
    await guest.go('Rooms');
    await guest.press(game);
    await fillIn(guest);
    await guest.press('Open the room');
    await guest.page.getByText(opened).first().waitFor();
    await guest.press('Leave');
    await guest.page.getByRole('heading', { name: 'What would you like to play?' }).waitFor();
  }
  await guest.go('Rooms');
  await guest.inspect('room-form-balatro');
  assert.deepEqual(await toasts(guest, ['One', 'One', 'Other']), ['One', 'Other']);
  await guest.leave();
});

/** Shows messages, one after the other, and gives those of them that are on the page.
 * @param {Guest} guest @param {string[]} messages */
async function toasts(guest, messages) {
  return guest.page.evaluate(async (all) => {
    const { toast } = await import('/src/ui/toast.js');
    for (const message of all) toast(message);
    const shown = [...document.querySelectorAll('.toast')].map((one) => one.textContent);
    return shown.filter((words) => all.includes(words));
  }, messages);
}

/** Chooses the last of every list of the form. @param {Guest} guest */
async function fillIn(guest) {
  for (const list of await guest.page.getByRole('combobox').all()) {
    const id = await list.getAttribute('id');
    // These exclude others: three players have no exchange, the short rules no deck.
    if (['mahjong-players', 'balatro-profile'].includes(id)) continue;
    const values = await list.getByRole('option').evaluateAll(
      (options) => options.map((option) => option.value));
    await list.selectOption(values.at(-1));
  }
}
