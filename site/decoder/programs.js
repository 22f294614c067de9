/**
 * Bytes as programs have them: arrays of numbers, and strings with escapes, of C, Go, Java, Rust,
 * Python, JavaScript, Erlang and others.
 */
'use strict';

const { HEX, InputError, octet, octetsOfHex, pasted, readBase64, readHex } = require('./digits.js');

const QUOTE = /["']/g;
const QUOTED = { '"': /((?:[^"\\]|\\[\s\S])*)"/y, "'": /((?:[^'\\]|\\[\s\S])*)'/y };
const MOST_OPEN = 20; // quotes without an end that are passed over; each costs a look at the rest
const CAST = /\(\s*(?:unsigned |signed |const )?(?:[us]?byte|char|u?int8(?:_t)?|u8|i8)\s*\)/gi;
const TYPED = /(?<=[0-9a-fA-F])(?:_?[ui]8\b|\.toByte\(\)|\.toUByte\(\)| as u8\b|[uU]?[yY]\b)/g;
const LIST =
  /<<([^<>]*)>>|<Buffer([^<>]*)>|\{([^{}[\]()]*)\}|\[([^{}[\]()]*)\]|\(([^{}[\]()]*)\)/g;
const NUMBER = /^(?:[+-]?(?:0[xX]|16#)[0-9a-fA-F]{1,4}|0[bB][01]{1,8}|[+-]?[0-9]{1,4}|[0-9a-fA-F]{1,2})$/;
const BASED = /^(?:[+-]?(?:0[xX]|16#)|0[bB][01])/;
const KEYED = /"(\d{1,8})"\s*:\s*(-?\d{1,3})\b/g; // JSON of a Uint8Array
const PLACED = /^[ \t]*\[?(\d{1,8})\]?[ \t]*=>?\s*(?:int\()?(-?\d{1,3})\)?,?[ \t]*$/gm;
const AROUND = /^(?:[aA]rray)?(?:\(\d+\))?[({]?[)}]?;?$/; // what PHP has around numbers with their places
const KEY = /\s*:/y;
const DECIMAL = /\\(\d{3})/g; // what Lua and OCaml have behind a backslash
const DECIMALS = /^(?:[^\\]|\\\d{3}|\\[^\dxu])*$/;
const NAMES = ['hex', 'base64', 'base64url', 'H*']; // strings that say how another one is written
const LEFT_OUT = /\.\.\.(?:\s*(\d+) more (?:byte|item)s?)?/;
const ESCAPE =
  /\\x([0-9a-fA-F]{2})|\\u00([0-9a-fA-F]{2})|\\([0-7]{1,3})|\\(\r?\n)|\\([\s\S])|([^\\]+)/g;
const CONTROL = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 };
const BYTEA = /^\\x((?:[0-9a-fA-F]{2}){2,})$/;

const ARRAY = 'an array of numbers';
const STRING = 'a string with escapes';

/** Yields the strings in a text: where each is with its quotes, and what is between them. */
function* strings(text) {
  let [position, open] = [0, 0];
  while (open < MOST_OPEN) {
    QUOTE.lastIndex = position;
    const quote = QUOTE.exec(text);
    if (quote === null) return;
    const shape = QUOTED[quote[0]];
    shape.lastIndex = quote.index + 1;
    const closed = shape.exec(text);
    position = closed ? shape.lastIndex : quote.index + 1;
    if (closed) yield { start: quote.index, end: position, content: closed[1] };
    else open += 1;
  }
}

/** Returns a program without what stands between slashes with stars, or behind two slashes. */
function withoutComments(text) {
  const kept = [];
  let position = 0;
  for (let start = text.indexOf('/'); start >= 0; start = text.indexOf('/', position)) {
    kept.push(text.slice(position, start));
    const mark = text.slice(start, start + 2);
    const closing = { '/*': '*/', '//': '\n' }[mark];
    const end = closing ? text.indexOf(closing, start + 2) : start;
    if (end < 0) return kept.join('');
    kept.push(closing ? ' ' : '/');
    position = end + ({ '/*': 2, '//': 0 }[mark] ?? 1);
  }
  return kept.join('') + text.slice(position);
}

/** Reads the longest list of numbers in brackets. */
function readArray(text) {
  const keyed = readKeyed(text);
  if (keyed) return keyed;
  const plain = withoutComments(text).replace(CAST, '').replace(TYPED, '');
  const found = [...plain.matchAll(LIST)].map(partsOf).filter((parts) => parts?.length);
  if (!found.length) return null;
  const parts = found.reduce((best, one) => (one.length > best.length ? one : best));
  const arrays = found.filter((one) => one.length > 1).length;
  const cut = LEFT_OUT.exec(plain);
  const read = octets(parts);
  return pasted(read.data, ARRAY, [
    ...read.notes,
    arrays > 1 && parts.length > 1 && `${arrays} arrays are there; the longest is read.`,
    cut && `What was pasted leaves ${cut[1] ?? 'some'} of the bytes out.`,
  ]);
}

/** Reads numbers by their places: JSON of a Uint8Array, PHP, lines `0 = 12` of a debugger. */
function readKeyed(text) {
  const keyed = [...text.matchAll(KEYED)];
  const placed = [...text.matchAll(PLACED)];
  const isAll = keyed.length
    ? !/[^ \t\r\n,{};]/.test(text.replace(KEYED, ''))
    : placed.length > 1 && AROUND.test(text.replace(PLACED, '').replace(/\s/g, ''));
  const found = keyed.length ? keyed : placed;
  const first = found.length ? Number(found[0][1]) : 0;
  if (!isAll || first > 1 || found.some(([, key], index) => Number(key) !== index + first)) return null;
  return octets(found.map(([, , number]) => number));
}

/** Returns the numbers and strings of a list; null if it holds something else. */
function partsOf(found) {
  const content = found.slice(1).find((group) => group !== undefined);
  const parts = [...wordsOf(content.replace(LEFT_OUT, ' '))];
  const isErlang = found[1] !== undefined;
  const isPart = (word) => (isErlang && /^["']/.test(word)) || NUMBER.test(word);
  if (!parts.every(isPart)) return null;
  return found[2] === undefined ? parts : parts.map((part) => `0x${part}`);
}

function* wordsOf(content) {
  const split = (text) => text.split(/[\s,]+/).filter(Boolean);
  let position = 0;
  for (const { start, end } of strings(content)) {
    yield* split(content.slice(position, start));
    yield content.slice(start, end);
    position = end;
  }
  yield* split(content.slice(position));
}

/** Returns what numbers and strings say; those of two digits are hex where one begins with 0. */
function octets(parts) {
  const isText = (part) => /^["']/.test(part);
  const areTwo =
    parts.length > 0 &&
    parts.every((part) => part.length === 2 && !isText(part) && !BASED.test(part) && !/^[+-]/.test(part));
  const areDecimal = parts.every((part) => /^\d+$/.test(part));
  const isHex = areTwo && (!areDecimal || parts.some((part) => part[0] === '0'));
  const isShort = parts.length > 0 && parts.every((part) => part.length <= 2 && !/^[+"'-]/.test(part));
  const isShortHex = !isHex && isShort && !areDecimal;
  const note =
    (isShortHex && 'Numbers of one digit or two, some with letters, are read as hex.') ||
    areTwo &&
    areDecimal &&
    `Numbers of two digits are read as ${isHex ? 'hex' : 'decimal'}; they can be the other, too.`;
  const made = [];
  for (const part of parts)
    if (isText(part)) made.push(...unescaped(part.slice(1, -1)));
    else made.push(number(part, isHex || isShortHex));
  return pasted(Uint8Array.from(made), ARRAY, [note]);
}

function number(part, isHex) {
  const word = part.toLowerCase().replace('16#', '0x');
  const digits = word.replace(/^[+-]?(?:0x|0b(?=[01]))?/, '');
  const base = isHex || word.includes('0x') ? 16 : /^0b[01]/.test(word) ? 2 : 10;
  if (base === 10 && !/^\d+$/.test(digits))
    throw new InputError(
      `'${part}' is no number among decimal numbers. Write all of them in one way.`,
    );
  const value = parseInt(isHex ? word : digits, base) * (word[0] === '-' ? -1 : 1);
  if (value < -128 || value > 255)
    throw new InputError(`${part} is no byte: in a list of numbers each is from -128 to 255.`);
  return octet(value);
}

/**
 * Reads the strings of a program, or text with escapes by itself. Strings without escapes are hex or
 * base64.
 */
function readString(text) {
  const bytea = BYTEA.exec(text.trim());
  if (bytea)
    return pasted(octetsOfHex(bytea[1]), HEX, [
      'It is read as hex digits after one \\x; a string would have text after its first byte.',
    ]);
  const all = [...strings(text)].filter(({ end }) => {
    KEY.lastIndex = end;
    return !KEY.test(text);
  });
  let found = all.map((one) => one.content);
  if (!found.length) {
    const plain = text.trim();
    const isEscaped = plain.startsWith('\\') && plain.slice(1).includes('\\');
    return isEscaped
      ? pasted(Uint8Array.from(unescaped(text.split('\n').join('').trim())), STRING)
      : null;
  }
  if (found.every((one) => DECIMALS.test(one)) && found.some(isAboveOctal))
    found = found.map((one) =>
      one.replace(DECIMAL, (_, digits) => `\\x${Number(digits).toString(16).padStart(2, '0')}`),
    );
  if (found.some((one) => one.includes('\\'))) {
    const isCut = text.startsWith('...', all.at(-1).end);
    const note = isCut && 'What was pasted ends in `...`: bytes are left out.';
    return pasted(Uint8Array.from(found.flatMap((one) => [...unescaped(one)])), STRING, [note]);
  }
  if (found.every((one) => /^0[xX][0-9a-fA-F]{1,2}$/.test(one))) return octets(found);
  const joined = found.filter((one) => !NAMES.includes(one)).join('');
  if (/base64|b64|atob/i.test(text)) return readBase64(joined);
  return readHex(joined) ?? readBase64(joined);
}

/** Tells whether a number of three digits behind a backslash is decimal, as in Lua and OCaml. */
function isAboveOctal(content) {
  const numbers = [...content.matchAll(DECIMAL)].map(([, digits]) => digits);
  return numbers.every((one) => Number(one) < 256) && numbers.some((one) => /[89]/.test(one));
}

/** Yields what the text of a string says, its escapes as in C, Python, Java, Go and JavaScript. */
function* unescaped(text) {
  for (const [, short, unicode, octal, line, letter, plain] of text.matchAll(ESCAPE)) {
    if (short ?? unicode) yield parseInt(short ?? unicode, 16);
    else if (octal) yield parseInt(octal, 8) & 0xff;
    else if (letter && letter in CONTROL) yield CONTROL[letter];
    else if (line === undefined) yield* new TextEncoder().encode(letter ?? plain);
  }
}

module.exports = { readArray, readString };
