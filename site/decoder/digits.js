/** Digits without addresses: hex in any spelling, decimal numbers, and base64. */
'use strict';

/** Text that says no bytes; the message says where and what to do. */
class InputError extends Error {}

const BETWEEN = /0[xX]|\\x|[\s,:;_%'"[\]{}()-]/g;
const HEX_ONLY = /^[0-9a-fA-F]*$/;
const DECIMAL = /^[+-]?(?:0|[1-9][0-9]{0,3})$/;
const BITS = /^(?:0b)?[01]{8}$/;
const LARGE = /^[+-]?(?:0|[1-9][0-9]{0,19})$/; // of a list whose numbers have any number of digits
const OCTAL_WORD = /^[01][0-7]{5}$/;
const OCTAL = /^[0-3][0-7]{2}$/;
const LOOSE = /(?<![0-9a-fA-F])[-_]|[-_](?![0-9a-fA-F])/; // signs of base64, not between digits
const SHORT_HEX = /^[0-9a-fA-F]{1,2}$/;
const BASE64_ONLY = /^[A-Za-z0-9+/_-]+={0,2}$/;
const ARMOUR = /^-----[^\n]*-----$|^data:[^,\n]*;base64,/gm;
const WORD_GROUPS = /^\s*(?:[0-9a-fA-F]{4}\s+)+[0-9a-fA-F]{4}\s*$/;
const EDGES = /^[[\](){}<> \t\r\n]+|[[\](){}<> \t\r\n]+$/g;
const FORMS = 'Hex digits, dumps with addresses, arrays of programs and base64 are read.';

const GROUPS =
  'Groups of four digits are read as they stand; `od -An -x` changes the places of the bytes in each.';
const HEX = 'hex digits';
const NUMBERS = 'a list of decimal numbers';
const BASE64 = 'base64';

// What the letters of hex say, by their codes.
const NIBBLES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 0 : value;
});

/**
 * Returns what was read from a text: its bytes, how it says them, notes (empty ones go), and the
 * bytes if its words have them in the other order.
 */
function pasted(data, way, notes = [], other = null) {
  return { data, way, notes: notes.filter(Boolean), other };
}

/** Returns the bytes of hex digits and nothing else. */
function octetsOfHex(plain) {
  const made = new Uint8Array(plain.length >> 1);
  for (let at = 0; at < made.length; at += 1)
    made[at] = (NIBBLES[plain.charCodeAt(2 * at)] << 4) | NIBBLES[plain.charCodeAt(2 * at + 1)];
  return made;
}

/** Reads hex digits, whatever stands between them: blanks, commas, colons, 0x, \x, %. */
function readHex(text) {
  const plain = text.replace(BETWEEN, '');
  if (!plain || plain.length % 2 || !HEX_ONLY.test(plain) || LOOSE.test(text)) return null;
  if (hasOddWords(text)) return null;
  const notes = [mayBeBase64(text.trim()), mayBeWords(text)];
  return pasted(octetsOfHex(plain), HEX, notes, inTheOtherOrder(wordsOf(text)));
}

function wordsOf(text) {
  return text.split(/\s+/).filter(Boolean);
}

/** Tells whether a word inside a line has an odd number of digits: it says no whole bytes. */
function hasOddWords(text) {
  const inner = text.split(/\r\n|[\n\r]/).flatMap((line) => wordsOf(line).slice(1, -1));
  return inner.some((word) => word.length % 2 && HEX_ONLY.test(word));
}

/**
 * Returns the bytes of words as `od -An` writes them on most machines: in hex, or 2 in octal; null
 * if it writes no such words.
 */
function inTheOtherOrder(words) {
  const size = words[0]?.length;
  if (words.length < 2 || words.some((word) => word.length !== size)) return null;
  if ([4, 8, 16].includes(size) && words.every((word) => HEX_ONLY.test(word)))
    return Uint8Array.from(words.flatMap((word) => [...octetsOfHex(word)].reverse()));
  if (!words.every((word) => OCTAL_WORD.test(word))) return null;
  const numbers = words.map((word) => parseInt(word, 8));
  return Uint8Array.from(numbers.flatMap((number) => [number & 0xff, number >> 8]));
}

/** Says so if hex digits are base64 as well: none is decimal, or base64's own signs part them. */
function mayBeBase64(text) {
  const letters = /^(?:[A-Fa-f]+|[0-9A-Fa-f]+[-_][0-9A-Fa-f_-]+)$/;
  if (text.length % 4 || !letters.test(text)) return '';
  for (let at = 2; at < text.length; at += 3) if (text[at] === '-') return '';
  return 'It is read as hex digits; the same letters are base64, too.';
}

/** Says so of groups of four digits without addresses, in which od -x swaps bytes. */
function mayBeWords(text) {
  if (!WORD_GROUPS.test(text) || !text.trim().includes('\n')) return '';
  return GROUPS;
}

/** Reads decimal numbers, signed as Java prints them or not, or hex digits of no fixed width. */
function readNumbers(text) {
  const words = text
    .replace(EDGES, '')
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (words.length < 2 || words.every((word) => word.length === 2)) return null;
  const all = (shape) => words.every((word) => shape.test(word));
  const isUneven = new Set(words.map(({ length }) => length)).size > 1;
  if (all(DECIMAL) || (isUneven && all(LARGE)))
    return pasted(Uint8Array.from(words, (word) => octet(Number(word), word.replace('+', ''))), NUMBERS);
  if (all(OCTAL))
    return pasted(Uint8Array.from(words, (word) => parseInt(word, 8)), NUMBERS, [
      'Numbers of three digits are octal.',
    ]);
  if (all(SHORT_HEX))
    return pasted(Uint8Array.from(words, (word) => parseInt(word, 16)), HEX, [
      'Numbers of one digit or two, some with letters, are read as hex.',
    ]);
  return null;
}

/** Reads groups of eight bits. */
function readBits(text) {
  const words = text.replace(EDGES, '').split(/[\s,;]+/).filter(Boolean);
  if (words.length < 2 || !words.every((word) => BITS.test(word))) return null;
  const isSaid = words.every((word) => word[1] === 'b');
  return pasted(Uint8Array.from(words, (word) => parseInt(word.slice(-8), 2)), 'a list of bits', [
    !isSaid && 'Groups of eight digits, all 0 or 1, are read as bits; they can be hex, too.',
  ]);
}

/** Returns a number of a list as a byte. */
function octet(number, word = number) {
  if (!(number >= -128 && number <= 255))
    throw new InputError(
      `${word} is no byte: in a list of numbers each is from -128 to 255. ` +
        'Words of several bytes do not say how many; `od -An -tx1` prints bytes.',
    );
  return number & 0xff;
}

/** Reads base64, of the usual alphabet or of that for links, with or without what pads it. */
function readBase64(given) {
  const text = given.replace(ARMOUR, '').trim();
  if (/\S[ \t]+\S/.test(text)) return null; // words, and base64 has no blanks
  const plain = text.replace(/\s/g, '');
  if (!BASE64_ONLY.test(plain) || HEX_ONLY.test(plain)) return null;
  if (/^[0-9a-z]*$/.test(plain)) return null; // a digit of hex that is none, rather
  const isDoubtful = !/[a-z+/=_-]/.test(plain);
  const usual = plain.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  if (usual.length % 4 === 1) return null;
  return pasted(
    Uint8Array.from(atob(usual), (letter) => letter.charCodeAt(0)),
    BASE64,
    [isDoubtful && 'It is read as base64; as hex, it has letters that are no digits.'],
  );
}

/** Returns why a text is neither hex nor base64. */
function complaint(text) {
  const plain = text.replace(BETWEEN, '');
  if (plain && plain.length % 2 === 0 && HEX_ONLY.test(plain))
    return new InputError(
      'Words with an odd number of digits say no whole bytes. `od -An -tx1` prints bytes.',
    );
  if (plain && HEX_ONLY.test(plain))
    return new InputError(
      `There is an odd number of hex digits: ${plain.length}. Two digits make a byte.`,
    );
  const at = text.search(/[^0-9a-fA-F\s,:;_%'"[\]{}()\\x-]/);
  if (at < 0) return new InputError(`This is neither hex nor base64. ${FORMS}`);
  return new InputError(
    `'${text[at]}' at position ${at} is not a hex digit, and the rest no base64. ${FORMS}`,
  );
}

module.exports = {
  GROUPS,
  HEX,
  InputError,
  complaint,
  octet,
  octetsOfHex,
  pasted,
  readBase64,
  readBits,
  readHex,
  readNumbers,
};
