// Writes the TypeScript declarations of the client protocol from its .proto files, as proto3 JSON
// has them: every field may be absent, 64-bit numbers and bytes are strings, enums are their names.
//
//   node protocol.mjs PROTO_FOLDER > protocol.d.ts

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file of the frames; what it imports follows. */
const ENTRY = 'parlor/gateway/v1/session.proto';
/** HTTP sign-in. */
const SIGN_IN = 'parlor/gateway/v1/auth.proto';

const NUMBERS = new Set(['uint32', 'int32', 'sint32', 'double', 'float']);
const STRINGS = new Set(['string', 'bytes', 'uint64', 'int64', 'sint64']);
const WIDTH = 96;
/** What would be taken for something else under its own name. */
const NAMES = new Map([
  ['parlor.gateway.v1.Error', 'Failure'],
  ['parlor.matchmaking.v1.Party', 'PartyView'],
  ['parlor.rules.v1.Command', 'GameCommand'],
  ['parlor.rules.v1.Event', 'GameEvent'],
  ['parlor.rules.v1.Options', 'GameOptions'],
  ['parlor.rules.v1.View', 'GameView'],
]);

const folder = process.argv[2];
/** Declarations by full name. @type {Map<string, {file: string, text: string, uses: string[]}>} */
const found = new Map();
const read = new Set();

/** @param {string} path */
function readFile(path) {
  if (read.has(path)) return;
  read.add(path);
  const text = readFileSync(join(folder, path), 'utf8');
  const scope = text.match(/^package ([\w.]+);/m)[1];
  for (const [, imported] of text.matchAll(/^import "([^"]+)";/gm)) readFile(imported);
  const declarations = /((?:^\/\/[^\n]*\n)*)^(message|enum) (\w+) \{(?:\}|\n([\s\S]*?)^\})/gm;
  for (const [, about, kind, name, body = ''] of text.matchAll(declarations)) {
    const write = kind === 'enum' ? enumOf : messageOf;
    const full = `${scope}.${name}`;
    found.set(full, { file: path, ...write(shortOf(full), comment(about), body, scope) });
  }
}

/** The text of `//` lines. @param {string} lines */
function comment(lines) {
  const text = lines.split('\n').map((line) => line.trim().replace(/^\/\/ ?/, '')).join(' ').trim();
  return /^-+/.test(text) ? '' : text;
}

/** A JSDoc comment. @param {string} text @param {string} indent */
function doc(text, indent) {
  if (!text) return '';
  if (text.length + indent.length < WIDTH - 8) return `${indent}/** ${text} */\n`;
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length + indent.length > WIDTH - 4) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** @param {string} name @param {string} about @param {string} body */
function enumOf(name, about, body) {
  const values = [...body.matchAll(/^ {2}(\w+) = \d+;/gm)].map(([, value]) => value);
  const union = values.map((value) => `\n  | '${value}'`).join('');
  return { text: `${doc(about, '')}export type ${name} =${union};\n`, uses: [] };
}

/** @param {string} name @param {string} about @param {string} body @param {string} scope */
function messageOf(name, about, body, scope) {
  const uses = [];
  const fields = [];
  let pending = '';
  for (const line of body.split('\n').map((one) => one.trim())) {
    if (line.startsWith('//')) {
      pending += `${line}\n`;
      continue;
    }
    const field = line.match(/^(optional |repeated )?(map<string, \w+>|[\w.]+) (\w+) = \d+;$/);
    if (field) {
      const [, label, type, key] = field;
      const typed = typeOf(type, scope, uses) + (label === 'repeated ' ? '[]' : '');
      fields.push(`${doc(comment(pending), '  ')}  ${camel(key)}?: ${typed};\n`);
    }
    pending = '';
  }
  const text = fields.length
    ? `${doc(about, '')}export interface ${name} {\n${fields.join('')}}\n`
    : `${doc(about, '')}export type ${name} = Record<string, never>;\n`;
  return { text, uses };
}

/** @param {string} type @param {string} scope @param {string[]} uses */
function typeOf(type, scope, uses) {
  const map = type.match(/^map<string, (\w+)>$/);
  if (map) return `Record<string, ${typeOf(map[1], scope, uses)}>`;
  if (type === 'bool') return 'boolean';
  if (NUMBERS.has(type)) return 'number';
  if (STRINGS.has(type)) return 'string';
  const full = type.includes('.') ? type : `${scope}.${type}`;
  uses.push(full);
  return shortOf(full);
}

/** @param {string} full */
function shortOf(full) {
  return NAMES.get(full) ?? full.split('.').pop();
}

/** @param {string} name */
function camel(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}

/** Everything that is reachable from some names. @param {string[]} names */
function reachable(names) {
  const wanted = new Set();
  const visit = (/** @type {string} */ name) => {
    if (wanted.has(name)) return;
    if (!found.has(name)) throw new Error(`${name} is not declared`);
    wanted.add(name);
    found.get(name).uses.forEach(visit);
  };
  names.forEach(visit);
  return wanted;
}

readFile(SIGN_IN);
readFile(ENTRY);
const names = ['ClientFrame', 'ServerFrame', 'SignInResponse'];
const wanted = reachable(names.map((name) => `parlor.gateway.v1.${name}`));
const short = [...wanted].map(shortOf);
const twice = short.filter((name, at) => short.indexOf(name) !== at);
if (twice.length) throw new Error(`declared twice: ${twice.join(', ')}`);

let text = `/**
 * The client protocol in proto3 JSON, written by deploy/test/types/protocol.mjs from proto/. Do not
 * edit: \`deploy/test.sh types\` compares it with the .proto files.
 *
 * Every field may be absent; an absent field has its default value (0, "", false, an empty list).
 * 64-bit numbers are decimal strings, bytes are base64. A client ignores fields, events and enum
 * values that it does not know.
 */
`;
let file = '';
for (const [name, declaration] of [...found].filter(([name]) => wanted.has(name))) {
  if (declaration.file !== file) {
    file = declaration.file;
    text += `\n// ${file}\n`;
  }
  text += `\n${declaration.text}`;
}
process.stdout.write(text);
