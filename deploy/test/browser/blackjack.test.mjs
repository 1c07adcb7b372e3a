// A person plays blackjack with bots; the process dies in the middle of a hand; the replay.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guest, guestsOf } from './guest.mjs';
import { House } from './house.mjs';

const house = new House();
const open = guestsOf(house);

/** The labels of the own cards. @param {Guest} guest */
function ownCards(guest) {
  return Guest.names(guest.region('Your part of the table').getByRole('img'));
}

/** What one presses to come to one's own turn. @param {Guest} guest */
function waysToTheTurn(guest) {
  return [[guest.button(/^Bet \d/)], [guest.button('No insurance')]];
}

test('every game of the lobby is explained', async () => {
  const guest = await open();
  for (const game of ['Blackjack', 'Sichuan mahjong', 'Poker roguelike']) {
    const name = `How to play ${game}`;
    await guest.press(name);
    await guest.page.getByRole('dialog', { name }).waitFor();
    await guest.inspect(`rules-${game.toLowerCase().replace(' ', '-')}`);
    await guest.page.keyboard.press('Escape');
    await guest.page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await guest.leave();
});

test('a hand survives a crash of the process, and its shuffle can be verified', async () => {
  const guest = await open();
  await guest.button(/^Play now: Blackjack, One/).waitFor();
  await guest.inspect('lobby');
  await guest.play(/^Play now: Blackjack, One/);
  await guest.button(/^Bet \d/).waitFor();
  await guest.inspect('blackjack-bet');
  await guest.press('Bet more');
  await guest.playUntil(guest.button('Stand'), waysToTheTurn(guest));
  await guest.inspect('blackjack-turn');
  const cards = await ownCards(guest);
  assert.ok(cards.length >= 2, 'two cards at least');

  guest.isOutage = true;
  await house.kill();
  await guest.overlay.waitFor();
  await guest.shoot('overlay');
  await house.start();
  await guest.overlay.waitFor({ state: 'detached' });
  guest.isOutage = false;
  assert.deepEqual(await ownCards(guest), cards, 'the same hand');

  const result = guest.page.getByText('You in this round:');
  await guest.playUntil(result, [[guest.button('Stand')]]);
  const won = (await result.innerText()).replace('You in this round:', '').trim();
  await guest.inspect('blackjack-result');
  await guest.go('History');
  const row = guest.page.getByRole('listitem').filter({ hasText: 'Blackjack' }).first();
  await row.waitFor();
  await guest.inspect('history');
  // The next hands may be over already: the one that was played is the oldest with its result.
  await guest.page.getByRole('listitem').filter({ hasText: won }).last()
    .getByRole('button', { name: /^Replay/ }).click();
  await guest.press('Last step');
  await guest.press('Verify');
  await guest.page.getByText('Verified: the cards follow from the seed').waitFor();
  await guest.inspect('replay-blackjack');
  await guest.leave();
});

test('the page keeps nothing but the session, and may load nothing from elsewhere', async () => {
  const guest = await open();
  await guest.button(/^Play now: Blackjack, One/).waitFor();
  const kept = await guest.page.evaluate(async () => ({
    local: Object.keys(localStorage),
    session: Object.keys(JSON.parse(localStorage.getItem('parlor.session'))).sort(),
    other: sessionStorage.length + document.cookie.length + (await indexedDB.databases()).length,
  }));
  assert.deepEqual(kept, {
    local: ['parlor.session'],
    session: ['accessExpiresMs', 'accessToken', 'name', 'playerId', 'refreshExpiresMs',
      'refreshToken'],
    other: 0,
  });
  const { headers } = await fetch(house.url);
  const policy = new Map(headers.get('content-security-policy').split(';').map((part) => {
    const [name, ...sources] = part.trim().split(/\s+/);
    return [name, sources.join(' ')];
  }));
  assert.equal(policy.get('default-src'), "'none'");
  for (const [name, sources] of policy) {
    assert.match(sources, /^('none'|'self'( data:)?)$/, name);
  }
  for (const name of ['script-src', 'style-src', 'connect-src']) {
    assert.equal(policy.get(name), "'self'", name);
  }
  for (const name of ['base-uri', 'form-action', 'frame-ancestors']) {
    assert.equal(policy.get(name), "'none'", name);
  }
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  await guest.leave();
});

test('a stopped process says goodbye', async () => {
  assert.equal(await house.stop(), 0);
});
