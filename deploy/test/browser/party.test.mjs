// Friends who form a party and sit down at one table, one with the page in English and one in
// Chinese.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAIR, guestsOf } from './guest.mjs';
import { House } from './house.mjs';

const house = new House();
const open = guestsOf(house);

/** Waits until so many members are shown.
 * @param {import('./guest.mjs').Guest} guest @param {string} name */
function members(guest, name) {
  return guest.page.getByRole('list', { name, exact: true }).waitFor();
}

/** Plays until the round is settled, and gives the result.
 * @param {import('./guest.mjs').Guest} guest @param {string} words
 * @param {(string|RegExp)[]} moves */
async function playRound(guest, words, moves) {
  const result = guest.page.getByText(words);
  await guest.playUntil(result, moves.map((move) => [guest.button(move)]));
  return Number((await result.innerText()).replace(words, ''));
}

test('two friends form a party by its code, queue, and sit at one table', async () => {
  const leader = await open();
  const friend = await open({ locale: 'zh-CN' });
  await leader.press('Start a party');
  await members(leader, 'Members: 1 of 4');
  const code = await leader.region('Party').locator('.code').innerText();
  assert.match(code, /^[2-9A-Z]{8}$/);

  const typed = friend.page.getByLabel('队伍口令');
  await typed.fill('ABCDEFGH');
  await friend.press('加入队伍');
  await friend.page.getByText('没有这个队伍').waitFor();
  await typed.fill(code.toLowerCase());
  await friend.press('加入队伍');
  await members(friend, '队员：2/4');
  await members(leader, 'Members: 2 of 4');
  await leader.inspect('party-leader');
  await friend.inspect('party-member');
  assert.ok(await friend.button(/^开始: 二十一点, .*2 人, 1 局$/).isDisabled(), 'the leader chooses');

  // Waiting shows itself to both, and each may end it.
  await leader.press(/^Play now: Sichuan mahjong, .*4 seats$/);
  await friend.press('取消');
  await leader.button('Cancel').waitFor({ state: 'detached' });
  await leader.press(PAIR);
  const results = await Promise.all([
    playRound(leader, 'You in this round:', [/^Bet \d/, 'No insurance', 'Stand']),
    playRound(friend, '本局你：', [/^下注 \d/, '不买保险', '停牌']),
  ]);
  assert.equal(results[0] + results[1], 0, `${results}: one keeps the bank, the other plays`);

  // The party goes on after the match, until somebody leaves.
  await friend.go('大厅');
  await leader.go('Play');
  await members(leader, 'Members: 2 of 4');
  await friend.press('离开队伍');
  await members(leader, 'Members: 1 of 4');
  await friend.button('创建队伍').waitFor();
  await leader.leave();
  await friend.leave();
});
