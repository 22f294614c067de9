/** Digits without addresses: hex in any spelling, decimal numbers, and base64. */
'use strict';

/** Text that says no bytes; the message says where and what to do. */
class InputError extends Error {}

const BETWEEN = /0[xX]|\\x|[\s,:;_%'"[\]{}()-]/g;
const HEX_ONLY = /^[0-9a-fA-F]*$/;
const DECIMAL = /^[+-]?(?:0|[1-9][0-9]{0,3})$/;
const BITS = /^(?:0b)?[01]{8}$/;
const OCTAL = /^[0-3][0-7]{2}$/;
const LOOSE = /(?<![0-9a-fA-F])[-_]|[-_](?![0-9a-fA-F])/; // signs of base64, not between digits
const SHORT_HEX = /^[0-9a-fA-F]{1,2}$/;
const BASE64_ONLY = /^[A-Za-z0-9+/_-]+={0,2}$/;
const ARMOUR = /^-----[^\n]*-----$|^data:[^,\n]*;base64,/gm;
const WORD_GROUPS = /^\s*(?:[0-9a-fA-F]{4}\s+)+[0-9a-fA-F]{4}\s*$/;
const EDGES = /^[[\](){}<> \t\r\n]+|[[\](){}<> \t\r\n]+$/g;
const FORMS = 'Hex digits, dumps with addresses, arrays of programs and base64 are read.';

const HEX = 'hex digits';
const NUMBERS = 'a list of decimal numbers';
const BASE64 = 'base64';

// What the letters of hex say, by their codes.
const NIBBLES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 0 : value;
});

/** Returns what was read from a text: its bytes, how it says them, and notes; empty ones go. */
function pasted(data, way, notes = []) {
  return { data, way, notes: notes.filter(Boolean) };
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
  return pasted(octetsOfHex(plain), HEX, [mayBeBase64(text.trim()), mayBeWords(text)]);
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
  return 'Groups of four digits are read as they stand; `od -An -x` changes the places of the bytes in each.';
}

/** Reads decimal numbers, signed as Java prints them or not, or hex digits of no fixed width. */
function readNumbers(text) {
  const words = text
    .replace(EDGES, '')
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (words.length < 2 || words.every((word) => word.length === 2)) return null;
  const all = (shape) => words.every((word) => shape.test(word));
  if (all(DECIMAL)) return pasted(Uint8Array.from(words, (word) => octet(Number(word))), NUMBERS);
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
function octet(number) {
  if (!(number >= -128 && number <= 255))
    throw new InputError(`${number} is no byte: in a list of numbers each is from -128 to 255.`);
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
