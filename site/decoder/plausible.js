/**
 * How likely the values of a response are: what nobody writes, and what bytes of others seldom
 * have. Any short bytes read as some response.
 */
'use strict';

const { text } = require('./numbers.js');

const LEAST = -2; // numbers below it are no ids, counts, offsets or times
const LARGEST = { 4: 2n ** 28n, 8: 2n ** 53n }; // numbers from which on one is seldom what it says
const ANY = /(?:session_id|authorized_operations)$/; // fields that have numbers of all sizes
const RESERVED = 2 ** 31 - 16; // from here on Java numbers what it sends before it is authenticated
const WORSE = 4; // what a negative correlation id weighs: no client counts like this
const NAMES = ['name', 'topic', 'topic_name']; // texts that are not empty
const MAGIC_AT = 16;
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;
const LOOKED_AT = 1024;

/**
 * Returns what the values of a response say: `odd`, how many nobody writes; `texts` of two letters
 * or more, -1 if one has what nobody can print; `signs`, these texts, and records, random ids, times
 * and names in blocks of bytes. `cut` is what there is of the one at its end.
 */
function plausible(spans, cut = null) {
  const all = spans.filter(({ field, value }) => isText(field) && value instanceof Uint8Array);
  const texts = all.map(({ value }) => text(value));
  const found = { odd: 0, texts: texts.filter((one) => [...one].length > 1).length, signs: 0 };
  for (const span of spans) {
    found.odd += odd(span) + Number(isEmptyName(span));
    found.signs += Number(!isText(span.field) && isSign(span));
  }
  const start = cut && isText(cut.field) && cut.value instanceof Uint8Array ? text(cut.value).replace(/\ufffd$/, '') : '';
  if (cut && !isText(cut.field)) found.signs += Number(isSign(cut));
  found.texts += Number(start.length >= 4);
  const isPrintable = ![...texts, start].some((one) => UNPRINTABLE.test(one));
  if (!isPrintable) return { ...found, texts: -1 };
  return { ...found, signs: found.signs + found.texts };
}

const isText = ({ type }) => type.kind === 'form' && ['text', 'utf8'].includes(type.content);

const isEmptyName = ({ path, field, value }) =>
  path.at(-1) === 'length' && Number(value) === 0 && NAMES.includes(field.name) && isText(field);

function odd({ field, value, path }) {
  if (path.at(-3) === 'unknown_tagged_fields' && path.at(-1) === 'content') return 1;
  const { kind, size, signed } = field.type;
  if (kind !== 'integer' || !signed || !(size in LARGEST) || path.at(-1) === 'count') return 0;
  const number = BigInt(value);
  if (field.name === 'correlation_id') {
    if (number < 0n) return WORSE;
    return Number(number >= LARGEST[4] && number < RESERVED);
  }
  return Number((number < LEAST || number >= LARGEST[size]) && !ANY.test(field.name));
}

/** Tells whether a value is a random id, a time, the start of records, or a block with a name. */
function isSign({ field, value, path }) {
  const { kind, size } = field.type;
  if (kind === 'integer' && size === 8 && field.name.includes('time') && !(value instanceof Uint8Array)) {
    const time = Number(value);
    return time >= 946684800000 && time < 4102444800000;
  }
  const raw = rawOf(value);
  if (kind === 'fixed' && raw?.length === 16) return raw[6] >> 4 === 4 && raw[8] >> 6 === 2;
  if (kind !== 'form' || !raw || ['length', 'count'].includes(path.at(-1))) return false;
  if (field.holds === 'records') return raw.length > MAGIC_AT && raw[MAGIC_AT] <= 2 && !raw[0] && !raw[8];
  return /[\x20-\x7e]{4}/.test(String.fromCharCode(...raw.subarray(0, LOOKED_AT)));
}

const rawOf = (value) => (value instanceof Uint8Array ? value : null);

module.exports = { isText, plausible };
