// A person plays the roguelike: a blind, its score step by step, the shop, a pack.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guest, guestsOf } from './guest.mjs';
import { House } from './house.mjs';

const house = new House();
const open = guestsOf(house);

/** Most cards of a play or a discard. */
const SELECTED = 5;

/** @param {Guest} guest */
function held(guest) {
  return guest.region('Your hand').getByRole('button', { name: / of (spades|hearts|clubs|diam)/ });
}

/** Groups of places with the same word in the names of the cards, the largest first. */
function groups(names, word) {
  const found = new Map();
  names.forEach((name, place) => {
    const key = word(name);
    found.set(key, [...(found.get(key) ?? []), place]);
  });
  return [...found.values()].sort((a, b) => b.length - a.length);
}

/** Which cards to play, or to discard for a flush. @param {string[]} names @param {boolean} may */
function choose(names, may) {
  const suits = groups(names, (name) => name.split(' of ')[1].split(',')[0]);
  if (suits[0].length >= SELECTED) return { move: 'play', places: suits[0].slice(0, SELECTED) };
  if (may) {
    return { move: 'discard', places: suits.slice(1).flat().reverse().slice(0, SELECTED) };
  }
  const ranks = groups(names, (name) => name.split(' of ')[0]);
  return { move: 'play', places: ranks.flat().slice(0, SELECTED) };
}

/** Plays or discards. @param {Guest} guest @param {Set<string>} seen what was looked at already */
async function move(guest, seen) {
  const names = await Guest.names(held(guest));
  const may = await guest.button(/^Discard \([1-9]/).isVisible();
  const { move: made, places } = choose(names, may);
  for (const place of places) await held(guest).nth(place).click({ timeout: 2_000 });
  if (!seen.has(made)) {
    seen.add(made);
    await guest.inspect(`balatro-${made}`);
  }
  await guest.button(made === 'play' ? /^Play \(/ : /^Discard \(/).click({ timeout: 2_000 });
  if (made !== 'play' || seen.has('score')) return;
  // The first one is watched to its end.
  seen.add('score');
  await guest.region('Last play').waitFor();
  await guest.inspect('balatro-score');
  await guest.page.getByText(/^How it scored/).or(guest.button(/^Cash out/)).first().waitFor();
}

/** Collects what the last play says while it is shown. @param {Guest} guest */
function watchScore(guest) {
  return guest.page.evaluate(() => {
    window.steps = [];
    const note = () => {
      const stage = document.querySelector('[aria-label="Last play"]');
      const step = stage?.querySelector('.bal-step')?.textContent;
      const product = stage?.querySelector('.bal-product')?.textContent ?? '';
      const isNew = /\w/.test(step ?? '') && window.steps.at(-1)?.step !== step;
      if (isNew) window.steps.push({ step, product });
    };
    new MutationObserver(note).observe(document.body, {
      subtree: true, childList: true, characterData: true });
  });
}

/** Plays rounds, run after run, until a blind is beaten. @param {Guest} guest */
async function beatBlind(guest, seen) {
  await guest.playUntil(guest.button(/^Cash out/), [
    [guest.button('Skip')], [guest.button('On to the next run')], [guest.button('Play this blind')],
    [guest.button(/^Play \(/), () => move(guest, seen)],
  ]);
}

/** Buys the first thing that one can afford. Tells whether there was one. @param {Guest} guest */
async function buy(guest, counter) {
  const offers = guest.page.getByRole('group', { name: counter }).getByRole('button');
  for (let place = 0; place < await offers.count(); place += 1) {
    await offers.nth(place).click();
    const deed = guest.button(/^Buy \$/);
    if (await deed.isEnabled()) {
      const before = await offers.count();
      await deed.click();
      await guest.page.locator('[aria-busy]').waitFor({ state: 'detached' });
      return { before };
    }
    await guest.region('About this').getByRole('button', { name: 'Close' }).click();
  }
  return null;
}

test('a blind, its score step by step, the shop and a pack', async () => {
  const guest = await open();
  await guest.play(/^Play now: Poker roguelike, Alone/);
  await guest.button('Play this blind').waitFor();
  await guest.inspect('balatro-blinds');
  await watchScore(guest);
  const seen = new Set();
  await beatBlind(guest, seen);
  const steps = await guest.page.evaluate(() => window.steps);
  assert.ok(steps.length >= 2, `${steps.length} steps were shown`);
  assert.match(steps[0].step, /^base · /);
  assert.ok(new Set(steps.map(({ product }) => product)).size > 1, 'the values change');
  await guest.inspect('balatro-round-won');

  let [isBought, isOpened] = [false, false];
  while (!isBought || !isOpened) {
    await beatBlind(guest, seen);
    await guest.press(/^Cash out/);
    await guest.button('Next round').waitFor();
    if (!seen.has('shop')) await guest.inspect('balatro-shop');
    seen.add('shop');
    if (!isOpened && await buy(guest, 'Packs')) {
      isOpened = true;
      await takeFromPack(guest);
    }
    isBought ||= Boolean(await buy(guest, 'For sale'));
    await guest.press('Next round');
  }
  await guest.press('Hand levels');
  await guest.page.getByRole('dialog', { name: 'Hand levels' }).waitFor();
  await guest.inspect('balatro-levels');
  await guest.page.keyboard.press('Escape');
  await guest.page.getByRole('dialog').waitFor({ state: 'detached' });
  await giveUp(guest);
  await guest.inspect('balatro-over');
  await replay(guest);
  await guest.leave();
});

/** Takes the first card of the open pack that can be taken, or none. @param {Guest} guest */
async function takeFromPack(guest) {
  const choices = guest.page.getByRole('group', { name: 'Cards of the pack' }).getByRole('button');
  await choices.first().waitFor();
  await choices.first().click();
  await guest.inspect('balatro-pack');
  const take = guest.button('Take').or(guest.button('Use now'));
  if (await take.isEnabled()) await take.click();
  await guest.playUntil(guest.button('Next round'), [[guest.button('Skip the pack')]]);
}

/** @param {Guest} guest */
async function giveUp(guest) {
  await guest.press('Run');
  await guest.press('Give up the run');
  await guest.press('Really give up?');
  await guest.page.getByText('You gave up').waitFor();
}

/** @param {Guest} guest */
async function replay(guest) {
  await guest.go('History');
  await guest.button(/^Replay: Poker roguelike/).first().click();
  await guest.press('Next step');
  await guest.press('Last step');
  await guest.press('Verify');
  await guest.page.getByText('Verified: the cards follow from the seed').waitFor();
  await guest.inspect('replay-balatro');
}

test('whoever asks for less motion sees the score at once', async () => {
  const guest = await open({ reducedMotion: 'reduce' });
  await guest.play(/^Play now: Poker roguelike, Alone/);
  await guest.press('Play this blind');
  await held(guest).first().click();
  await guest.press(/^Play \(/);
  await guest.page.getByText(/^How it scored/).waitFor();
  assert.equal(await guest.button('Skip').count(), 0);
  await guest.leave();
});

/** A player's line on the board of the day, which is made a moment after the run. */
async function listed(guest, name) {
  const line = guest.region('Daily run').getByRole('listitem').filter({ hasText: name });
  for (let count = 0; count < 60 && !(await line.isVisible()); count += 1) {
    await guest.press('Refresh');
    await line.waitFor({ timeout: 1_000 }).catch(() => {});
  }
  return line.innerText();
}

test('the run of the day is the same for everybody, and counts for its board', async () => {
  const hands = [];
  for (const place of ['1.', '2.']) {
    const guest = await open();
    await guest.play(/^Play now: Daily run, The same cards/);
    await guest.press('Play this blind');
    await held(guest).first().waitFor();
    hands.push(await Guest.names(held(guest)));
    if (place === '1.') {
      await held(guest).first().click();
      await guest.press(/^Play \(/);
      await guest.page.getByText(/^How it scored/).waitFor();
    }
    await giveUp(guest);
    await guest.press('Leave');
    await guest.press('Leaders');
    const name = await guest.page.locator('.purse .name').innerText();
    assert.ok((await listed(guest, name)).startsWith(place), `${name} is ${place}`);
    if (place === '2.') await guest.inspect('boards');
    await guest.leave();
  }
  assert.deepEqual(hands[0], hands[1]);
});
