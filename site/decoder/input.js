/**
 * What people paste, read as the bytes that it stands for; and the links that carry bytes.
 */
'use strict';

const { InputError, complaint, readBase64, readBits, readHex, readNumbers } = require('./digits.js');
const { readCells, readDump, refuseWhatIsLost } = require('./dumps.js');
const { hex, text, utf8Fault } = require('./numbers.js');
const { readArray, readString } = require('./programs.js');
const { tidied } = require('./tidying.js');

/** The most bytes that are taken at once: what a page can show in a second or two. */
const MOST = 4 << 20;

/** The most bytes that a link carries, as browsers and mail programs cut longer ones. */
const MOST_IN_LINK = 8 << 10;

const LETTERS_A_BYTE = 8; // that any spelling takes, and more

const WAYS = [
  readDump,
  readCells,
  readArray,
  refuseWhatIsLost,
  readBits,
  readNumbers,
  readString,
  readHex,
  readBase64,
];

/** Returns the bytes that a text stands for as `data`, how it says them as `way`, and `notes`. */
function parse(given) {
  if (given.length > LETTERS_A_BYTE * MOST)
    throw new InputError(`${given.length} letters are too many; paste up to ${MOST} bytes.`);
  const text = given.replace(/^\ufeff/, '');
  const made = plainHex(text) ?? firstOf(text);
  if (made === null) throw complaint(text);
  if (made.data.length > MOST)
    throw new InputError(`${made.data.length} bytes are too many to show; paste up to ${MOST}.`);
  return made;
}

function plainHex(text) {
  return /^[0-9a-zA-Z]*$/.test(text) ? readHex(text) : null;
}

function firstOf(given) {
  const text = tidied(given);
  for (const way of WAYS) {
    const made = way(text);
    if (made !== null) return made;
  }
  return null;
}

/** Returns the text in a file that stands for bytes; null if it is no text, or stands for none. */
function textIn(data) {
  if (!data.length || data.includes(0) || utf8Fault(data) >= 0) return null;
  const said = text(data);
  try {
    parse(said);
    return said;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return null;
  }
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

module.exports = { InputError, MOST, fromFragment, parse, textIn, toFragment };
