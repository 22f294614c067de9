/**
 * What people paste: hex in any spelling, a hex dump, or base64; and the links that carry bytes.
 */
'use strict';

const { hex } = require('./numbers.js');

/** The most bytes that are taken at once: what a page can show in a second or two. */
const MOST = 4 << 20;

/** The most bytes that a link carries, as browsers and mail programs cut longer ones. */
const MOST_IN_LINK = 8 << 10;

/** Text that says no bytes; the message says where and what to do. */
class InputError extends Error {}

// A line of xxd, hexdump -C, od -tx1 or Wireshark: a place, bytes, and perhaps the bytes as text.
const DUMP =
  /^\s*[0-9a-f]{4,16}[:\s]\s*((?:[0-9a-f]{2}){1,2}(?:\s{1,2}(?:[0-9a-f]{2}){1,2})*)(?:\s{2,}.*|\s*\|.*)?$/i;
const PLACE_ONLY = /^\s*[0-9a-f]{4,16}:?\s*$/i; // the last line of hexdump and od
const BETWEEN = /0x|\\x|[\s,:;_'"[\]{}()-]/gi;

/** Returns the bytes that a text says. */
function parse(text) {
  const bytes = fromDump(text) ?? fromHex(text) ?? fromBase64(text);
  if (bytes === null) throw new InputError(complaint(text));
  if (bytes.length > MOST)
    throw new InputError(`${bytes.length} bytes are too many to show; paste up to ${MOST}.`);
  return bytes;
}

function fromDump(text) {
  const lines = text.split('\n').filter((line) => line.trim());
  const dumped = lines.filter((line) => !PLACE_ONLY.test(line)).map((line) => DUMP.exec(line));
  if (!dumped.length || dumped.includes(null) || (lines.length < 2 && !/[:|]/.test(text)))
    return null;
  return digits(dumped.map((found) => found[1]).join(''));
}

function fromHex(text) {
  const plain = text.replace(BETWEEN, '');
  return /^[0-9a-f]*$/i.test(plain) && plain.length % 2 === 0 ? digits(plain) : null;
}

function digits(text) {
  return Uint8Array.from(text.replace(/\s/g, '').match(/../g) ?? [], (pair) => parseInt(pair, 16));
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
  const [as, topic] = [given.get('as'), given.get('topic')];
  return {
    text: text.replaceAll(' ', '+'),
    as,
    topic,
    api: number('api'),
    version: number('version'),
  };
}

module.exports = { InputError, MOST, fromFragment, parse, toFragment };
