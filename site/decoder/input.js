/**
 * What people paste: hex in any spelling, a hex dump, or base64; and the links that carry bytes.
 */
'use strict';

const { hex } = require('./numbers.js');

/** The most bytes that are taken at once: what a page can show in a second or two. */
const MOST = 4 << 20;

/** The most bytes that a link carries, as browsers and mail programs cut longer ones. */
const MOST_IN_LINK = 8 << 10;

/** What the letters of hex say, by their codes. */
const NIBBLES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(value) ? 0 : value;
});

/** Text that says no bytes; the message says where and what to do. */
class InputError extends Error {}

// A line of xxd, hexdump -C, od -tx1, tcpdump or Wireshark: a place, bytes, and perhaps the bytes as
// text.
const DUMP =
  /^\s*(?:0x)?([0-9a-f]{4,16})(?::|\s)\s*((?:[0-9a-f]{2}){1,2}(?:\s{1,2}(?:[0-9a-f]{2}){1,2})*)(?:\s{2,}.*|\s*\|.*)?$/i;
const PLACE_ONLY = /^\s*[0-9a-f]{4,16}:?\s*$/i; // the last line of hexdump and od
const REPEATED = /^\s*\*\s*$/; // lines that are left out, being like the one before
const WORDS = /^[0-9a-f]{7}(?: {1,4}[0-9a-f]{4})+\s*$/i; // hexdump and od -x without options
const BETWEEN = /0x|\\x|[\s,:;_'"[\]{}()-]/gi;
const LONGEST_LINE = 1000; // of a dump; regular expressions have no room for lines of megabytes
const LITERAL = /^\s*b?(["'])([\s\S]*)\1\s*$/; // bytes as Python prints them, or a string of C or Go
const ESCAPE = /\\x([0-9a-f]{2})|\\([^x])|([^\\])/gi; // what a literal is made of
const CONTROL = { 0: 0, a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }; // letters after a backslash
const IN_BRACES = /\{([^{}]*)\}/; // an array in a program: xxd -i, Wireshark
const DECIMALS = /^[[\](){}\s\d,-]*\d\s*,[[\](){}\s\d,-]*$/; // Arrays.toString of Java
const LETTERS_A_BYTE = 8; // that any spelling takes, and more

/** Returns the bytes that a text says. */
function parse(text) {
  if (text.length > LETTERS_A_BYTE * MOST)
    throw new InputError(`${text.length} letters are too many; paste up to ${MOST} bytes.`);
  const bytes =
    fromDump(text) ??
    fromDecimals(text) ??
    fromLiteral(text) ??
    fromHex(text) ??
    fromProgram(text) ??
    fromBase64(text);
  if (bytes === null) throw new InputError(complaint(text));
  if (bytes.length > MOST)
    throw new InputError(`${bytes.length} bytes are too many to show; paste up to ${MOST}.`);
  return bytes;
}

function fromDump(text) {
  const lines = text.split('\n').filter((line) => line.trim());
  const rows = lines.filter((line) => !PLACE_ONLY.test(line) && !REPEATED.test(line));
  if (rows.some((line) => line.length > LONGEST_LINE)) return null;
  const dumped = rows.map((line) => DUMP.exec(line));
  if (!dumped.length || dumped.includes(null) || (lines.length < 2 && !/[:|]/.test(text)))
    return null;
  if (lines.length > 1 && rows.every((line) => WORDS.test(line)) && /^\w{7} /.test(rows[0])) {
    throw new InputError(
      'This is a dump of 16-bit words, in which the bytes of each pair have changed places. ' +
        'Use hexdump -C, xxd or od -tx1.',
    );
  }
  if (lines.some((line) => REPEATED.test(line))) return unfolded(lines);
  return digits(dumped.map((found) => found[2]).join(''));
}

/** Returns the bytes of a dump that has a star for lines like the one before. */
function unfolded(lines) {
  const parts = [];
  let [row, at, isFolded] = ['', null, false];
  for (const line of lines) {
    if (REPEATED.test(line)) {
      isFolded = true;
      continue;
    }
    const place = parseInt(line.trim().replace(/^0x/i, ''), 16);
    if (place > MOST) throw new InputError(`The dump has more than ${MOST} bytes.`);
    for (; isFolded && row && at < place; at += row.length / 2) parts.push(row);
    if (at !== null && at !== place)
      throw new InputError(`Lines are left out before ${line.trim().split(/\s/)[0]}: use -v.`);
    row = DUMP.exec(line)?.[2].replace(/\s/g, '') ?? '';
    parts.push(row);
    [at, isFolded] = [place + row.length / 2, false];
  }
  return digits(parts.join(''));
}

/** Returns bytes that are decimal numbers, signed as in Java or not; those of two digits are hex. */
function fromDecimals(text) {
  if (!DECIMALS.test(text)) return null;
  const tokens = text.match(/-?\d+/g);
  if (tokens.every((one) => one.length === 2) || tokens.some((one) => one.length > 4)) return null;
  const numbers = tokens.map(Number);
  const wrong = numbers.find((one) => one < -128 || one > 255);
  if (wrong !== undefined)
    throw new InputError(`${wrong} is no byte: in a list of numbers each is from -128 to 255.`);
  return Uint8Array.from(numbers, (one) => one & 0xff);
}

/** Returns the bytes of a literal such as Python's b'\\x00key', in which text stands for itself. */
function fromLiteral(text) {
  const content = LITERAL.exec(text)?.[2];
  if (!content?.includes('\\')) return null;
  const parts = [...content.matchAll(ESCAPE)];
  const codes = parts.map(([, digitsOf, letter, plain]) => {
    if (digitsOf !== undefined) return parseInt(digitsOf, 16);
    return plain?.charCodeAt(0) ?? CONTROL[letter] ?? letter.charCodeAt(0);
  });
  const isWhole = parts.reduce((sum, [part]) => sum + part.length, 0) === content.length;
  return isWhole && codes.every((code) => code < 256) ? Uint8Array.from(codes) : null;
}

function fromHex(text) {
  const plain = text.replace(BETWEEN, '');
  return /^[0-9a-f]*$/i.test(plain) && plain.length % 2 === 0 ? digits(plain) : null;
}

/** Returns the bytes of an array in a program: xxd -i, or Wireshark's C array. */
function fromProgram(text) {
  const found = IN_BRACES.exec(text.replace(/\/\*[^*]*\*\//g, '').replace(/\/\/.*$/gm, ''));
  const bytes = found?.[1].match(/\b0x[0-9a-f]{1,2}\b/gi) ?? [];
  return bytes.length ? Uint8Array.from(bytes, Number) : null;
}

function digits(text) {
  const plain = text.replace(/\s/g, '');
  const made = new Uint8Array(plain.length >> 1);
  for (let at = 0; at < made.length; at += 1)
    made[at] = (NIBBLES[plain.charCodeAt(2 * at)] << 4) | NIBBLES[plain.charCodeAt(2 * at + 1)];
  return made;
}

function fromBase64(text) {
  if (/\S[ \t]+\S/.test(text)) return null; // words, and base64 has no spaces
  const plain = text
    .replace(/\s/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/=+$/, '');
  if (!/^[A-Za-z0-9+/]+$/.test(plain) || plain.length % 4 === 1 || /^[0-9a-f]*$/i.test(plain))
    return null;
  return Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0));
}

function complaint(text) {
  const plain = text.replace(BETWEEN, '');
  if (/^[0-9a-f]+$/i.test(plain))
    return `This has ${plain.length} hex digits, and a byte has two: one is missing.`;
  const at = text.search(/[^0-9a-f\s,:;_'"[\]{}()\\x-]/i);
  const sign =
    at < 0 ? '' : ` The first sign that is no hex digit is “${text[at]}” in place ${at + 1}.`;
  return `This is neither hex nor base64.${sign}`;
}

/**
 * Returns the fragment of a link that carries bytes and what they are read as; null if they are too
 * many.
 */
function toFragment(data, how) {
  if (data.length > MOST_IN_LINK) return null;
  const kept = Object.entries(how).filter(([, value]) => value !== null && value !== '');
  return `#${new URLSearchParams([['hex', hex(data)], ...kept])}`;
}

/** Returns what a fragment carries: `text`, and what to read it as; null if it carries nothing. */
function fromFragment(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const text = given.get('hex') ?? given.get('base64');
  if (text === null) return null;
  const number = (name) => (/^\d+$/.test(given.get(name) ?? '') ? Number(given.get(name)) : null);
  const [as, topic, layout] = ['as', 'topic', 'layout'].map((name) => given.get(name));
  return {
    text: text.replaceAll(' ', '+'),
    as,
    topic,
    layout,
    api: number('api'),
    version: number('version'),
  };
}

module.exports = { InputError, MOST, fromFragment, parse, toFragment };
