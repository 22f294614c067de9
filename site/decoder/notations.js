/** How the rows of a dump write bytes: in hex, octal or decimal, one by one or in words. */
'use strict';

const { octetsOfHex } = require('./digits.js');

const SWAPPED =
  'It has words of several bytes; they are read as a little-endian machine writes them.';
const CELL = 4; // letters for a byte in the rows of od -c
const ESCAPES = { '\\0': 0, '\\a': 7, '\\b': 8, '\\t': 9, '\\n': 10, '\\v': 11, '\\f': 12, '\\r': 13 };
const RADIXES = [16, 8, 10];

/** Returns a function that yields the bytes of a row word by word, up to the first that is none. */
function ofWords(shape, octets) {
  return function* words(rest) {
    for (const found of rest.matchAll(/\S+/g)) {
      const made = shape.test(found[0]) ? octets(found[0]) : null;
      if (made === null) return;
      yield { octets: made, end: found.index + found[0].length };
    }
  };
}

const PREFIXES = { 16: '0x', 10: '', 8: '0o' };

/** Returns a function that gives the bytes of a number, the lowest first. */
function little(radix, size) {
  const end = 1n << BigInt(8 * size);
  return (word) => {
    const isNegative = word.startsWith('-');
    const number = BigInt(PREFIXES[radix] + word.replace(/^(?:0x|-)/, ''));
    if (number >= end || (isNegative && 2n * number > end)) return null;
    let left = isNegative ? (end - number) % end : number;
    const made = [];
    for (let at = 0; at < size; at += 1, left >>= 8n) made.push(Number(left & 0xffn));
    return made;
  };
}

function decimal(word) {
  const number = Number(word);
  return number >= -128 && number <= 255 ? [number & 0xff] : null;
}

/** Yields what od -c shows: a letter, an escape or three octal digits in each four columns. */
function* cells(rest) {
  for (let start = 0; start < rest.length; start += CELL) {
    const whole = rest.slice(start, start + CELL);
    const cell = whole.trim() || (whole.length === CELL ? ' ' : '');
    const end = Math.min(start + CELL, rest.length);
    if (cell in ESCAPES) yield { octets: [ESCAPES[cell]], end };
    else if (/^[0-3][0-7]{2}$/.test(cell)) yield { octets: [parseInt(cell, 8)], end };
    else if (cell.length === 1) yield { octets: [...new TextEncoder().encode(cell)], end };
    else return;
  }
}

function notation(words, how = {}) {
  return { words, note: '', isSwapped: false, radixes: RADIXES, isPadded: false, turned: null, ...how };
}

const SWAP = { note: SWAPPED, isSwapped: true };

/** Returns the notation of words of several bytes, in the order of a little-endian machine. */
function inWords(shape, radix, size, radixes = RADIXES) {
  const octets = little(radix, size);
  const turned = notation(ofWords(shape, (word) => octets(word)?.reverse() ?? null), {
    radixes,
    isPadded: true,
  });
  return notation(ofWords(shape, octets), { ...SWAP, radixes, isPadded: true, turned });
}

const asWritten = (word) => [...octetsOfHex(word.replace(/^0x/, ''))];
const AS_WRITTEN = notation(ofWords(/^(?:(?:[0-9a-f]{2}){1,16}|0x[0-9a-f]{2})$/i, asWritten));
const BITS = notation(ofWords(/^[01]{8}$/, (word) => [parseInt(word, 2)]));
const SINGLE = notation(ofWords(/^[0-9a-f]{2}$/i, asWritten));
const WORDS = [2, 4, 8].map((size) =>
  inWords(new RegExp(`^(?:0x)?[0-9a-f]{${2 * size}}$`, 'i'), 16, size),
);

/** Words of which the last one has as many digits as bytes are left: xxd -e. */
const SHORTENED = [2, 4, 8].map((size) =>
  notation(
    ofWords(new RegExp(`^(?:[0-9a-f]{2}){1,${size}}$`, 'i'), (word) => asWritten(word).reverse()),
    SWAP,
  ),
);

const CELLS = notation(cells);

/** Notations of rows with a mark behind their address: xxd, tcpdump, gdb, Netty. */
const MARKED = [BITS, AS_WRITTEN, ...SHORTENED, ...WORDS];

/** Notations of rows without a mark: hexdump, od, Wireshark. */
const UNMARKED = [
  SINGLE,
  ...WORDS,
  notation(ofWords(/^[0-3][0-7]{2}$/, (word) => [parseInt(word, 8)])),
  inWords(/^[0-7]{6}$/, 8, 2, [8, 16, 10]),
  inWords(/^[0-7]{11}$/, 8, 4, [8, 16, 10]),
  inWords(/^[0-7]{22}$/, 8, 8, [8, 16, 10]),
  inWords(/^[0-9]{5}$/, 10, 2),
  notation(ofWords(/^-?[0-9]{1,3}$/, decimal)),
  inWords(/^-?[0-9]{1,5}$/, 10, 2),
  inWords(/^-?[0-9]{1,10}$/, 10, 4),
  inWords(/^-?[0-9]{1,20}$/, 10, 8),
  CELLS,
  AS_WRITTEN,
];

module.exports = { CELLS, MARKED, SWAPPED, UNMARKED };
