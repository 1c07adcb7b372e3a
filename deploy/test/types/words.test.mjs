// Every word in both languages, and every option of the rules in the form that opens a room.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = process.cwd();
// A copy of the client of which node knows that its files are modules.
const client = process.env.PARLOR_WEB;
const { en } = await import(`${client}/locale/en.js`);
const { zh } = await import(`${client}/locale/zh.js`);
const { ROOM_GAMES } = await import(`${client}/src/games/options.js`);
const read = (path) => readFileSync(`${root}/${path}`, 'utf8');

/** Fields of a message of a .proto file, in proto3 JSON. */
function fields(path, message) {
  const [, body] = read(path).match(new RegExp(`^message ${message} \\{\\n([\\s\\S]*?)^\\}`, 'm'));
  return [...body.matchAll(/^ {2}(?:optional )?[\w.]+ (\w+) = \d+;/gm)].map(([, name]) => (
    name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())));
}

/** Values of an enum without its prefix, but for the unspecified one. */
function values(path, name, prefix) {
  const [, body] = read(path).match(new RegExp(`^enum ${name} \\{\\n([\\s\\S]*?)^\\}`, 'm'));
  return [...body.matchAll(/^ {2}(\w+) = [1-9]\d*;/gm)].map(
    ([, value]) => value.replace(`${prefix}_`, ''));
}

/** What stands in braces. */
function blanks(words) {
  return [...words.matchAll(/\{\w+\}/g)].map(([blank]) => blank).sort();
}

test('both languages have the same words with the same blanks', () => {
  assert.deepEqual(Object.keys(zh).sort(), Object.keys(en).sort());
  for (const [key, words] of Object.entries(en)) {
    assert.ok(words && zh[key], key);
    assert.deepEqual(blanks(zh[key]), blanks(words), key);
  }
});

test('both languages name the same things of the roguelike', () => {
  const folder = 'services/gateway/web/locale';
  const names = (language) => JSON.parse(read(`${folder}/balatro.${language}.json`));
  const [english, chinese] = [names('en'), names('zh')];
  for (const [kind, entries] of Object.entries(english)) {
    assert.deepEqual(Object.keys(chinese[kind]).sort(), Object.keys(entries).sort(), kind);
    for (const [id, { name, text }] of Object.entries(entries)) {
      assert.ok(name && text !== undefined && chinese[kind][id].name, `${kind} ${id}`);
    }
  }
});

const RULES = 'proto/parlor/rules/v1/';
for (const [game, file, message] of [
  ['mahjong', 'mahjong_options.proto', 'MahjongOptions'],
  ['blackjack', 'blackjack_options.proto', 'BlackjackOptions'],
  ['balatro', 'balatro.proto', 'BalatroOptions'],
]) {
  const { options } = ROOM_GAMES[game];

  test(`the form has every option of ${game}, each with its explanation`, () => {
    const shown = options.map(({ key }) => key);
    // The form asks for the seats of every table, not as an option of this game.
    const wanted = fields(RULES + file, message).filter((name) => name !== 'seats');
    assert.deepEqual([...shown].sort(), wanted.sort());
    for (const key of shown) {
      assert.ok(en[`opt.${game}.${key}`], key);
      assert.ok(en[`opt.${game}.${key}.about`], `${key} is not explained`);
    }
  });

  test(`the form has every choice of ${game}`, () => {
    for (const { key, prefix, choices } of options.filter(({ kind }) => kind === 'choice')) {
      const name = prefix.toLowerCase().replace(/(?:^|_)(\w)/g,
        (_, letter) => letter.toUpperCase());
      assert.deepEqual([...choices].sort(), values(RULES + file, name, prefix).sort(), key);
      for (const one of choices) assert.ok(en[`opt.${game}.${key}.${one}`], `${key} ${one}`);
    }
  });
}
