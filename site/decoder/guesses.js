/**
 * What a response can be. Only the client that asked knows; without it, what reads to the end is a
 * guess.
 */
'use strict';

const { API_VERSIONS, isFallback, layoutOf, partsOf } = require('./apis.js');
const { Spans } = require('./reader.js');
const { VersionReader } = require('./version_reader.js');
const { CutVersionReader, cutOf } = require('./cut.js');
const { faultOf } = require('./fault.js');
const { names } = require('./spec.js');
const { isText, plausible } = require('./plausible.js');
const { integer, utf8Fault } = require('./numbers.js');

const MOST = 10000; // fields that are looked at for numbers without a name
// Bytes of the correlation id, which is all of the header of an ApiVersions response.
const CORRELATION = 4;
const MANY_NAMES = 3; // numbers with names, each greater than the one before: ApiVersions
const MOST_CUT = 1000; // bytes that may be promised for each one that is there

/**
 * Returns what a response can be, the most likely first: what has few numbers without a name, few
 * values that nobody writes and no text that nobody can print, then what bears it out, then many
 * fields, then a high version. `api` and `version` are given
 * where they are known.
 */
function guesses(data, start, api = null, version = null) {
  return sorted(data, start, guess, api, version);
}

/**
 * Returns what a response can be of which bytes are missing: it reads to its last byte, and that is
 * not inside one string or block that would take it whole.
 */
function cutGuesses(data, start, api = null, version = null) {
  return sorted(data, start, cutGuess, api, version);
}

function sorted(data, start, make, api, version) {
  const apis = api === null ? Object.keys(names('api')).map(Number) : [api];
  const found = apis.flatMap((number) =>
    layoutOf(number, 'response')
      .versions.filter((one) => version === null || one === version)
      .map((one) => make(data, start, number, one))
      .filter((one) => one !== null),
  );
  const isLikely = isFallback(API_VERSIONS, data, start + CORRELATION);
  const rank = (one) => [
    Number(!(isLikely && one.api === API_VERSIONS && one.version === 0)),
    one.unnamed + one.odd + Number(one.texts < 0),
    -one.signs,
    -one.fields,
    -one.version,
    one.api,
  ];
  return found.sort((one, other) => compare(rank(one), rank(other)));
}

function compare(one, other) {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at < 0 ? 0 : one[at] - other[at];
}

function guess(data, start, api, version) {
  const spans = new Spans(MOST);
  const reader = new VersionReader(data, { spans });
  reader.at = start;
  const fault = faultOf(() => {
    for (const [, layout] of partsOf(api, version, 'response'))
      reader.read(layout, reader.at, data.length);
  });
  if (fault || reader.at !== data.length) return null;
  return facts(api, version, spans.all, spans.left);
}

function cutGuess(data, start, api, version) {
  const spans = new Spans(MOST);
  const reader = new CutVersionReader(data, { spans });
  const end = start ? start + integer(data, 0, { size: 4, signed: true }) : MOST_CUT * data.length;
  reader.at = start;
  let cut = null;
  const fault = faultOf(() => {
    cut = cutOf(() => {
      for (const [, layout] of partsOf(api, version, 'response')) reader.read(layout, reader.at, end);
    });
  });
  if (fault || cut === null || cut.path.at(-1) === 'content') return null;
  const last = spans.all.at(-1);
  if (!last || (isText(last.field) && !isCutText(last.raw))) return null;
  const isSwallowed = last.raw.length * 2 > data.length - start && last.field.holds !== 'records';
  return isSwallowed ? null : facts(api, version, spans.all.slice(0, -1), 0, last);
}

/** Tells whether bytes are UTF-8, but for a character that is cut at their end. */
function isCutText(raw) {
  const fault = utf8Fault(raw);
  return fault < 0 || (raw.length - fault < 4 && raw[fault] >= 0xc2);
}

function facts(api, version, spans, left, cut = null) {
  const numbers = spans.filter(({ field }) => field.names);
  const known = numbers.filter(({ field, value }) => value in field.names.values);
  const keys = known.map(({ value }) => Number(value)).filter((one) => one);
  const { odd, texts, signs } = plausible(spans, cut);
  const isRising = keys.length >= MANY_NAMES && keys.every((one, at) => !at || keys[at - 1] < one);
  const found = { odd, texts, signs: signs + Number(isRising), unnamed: numbers.length - known.length };
  return {
    ...found,
    api,
    version,
    fields: spans.length + left,
    isClean: !found.unnamed && texts >= 0 && odd <= 2 * found.signs,
    isTold: found.signs > 0,
  };
}

module.exports = { cutGuesses, guesses };
