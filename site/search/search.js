/**
 * The search of the site: an index of MiniSearch over what `kafka_site.search` wrote down, and how its results rank.
 *
 * A name of parts, such as LogAppendTime, log_append_time or v2.crc, is found by each part and by all of it in one
 * word. Everything that was asked for must be there; only if nothing has all of it, one word is enough.
 */
'use strict';

const MOST = 40;
const WEIGHT = { name: 6, words: 5, title: 3, text: 1 };

const NUMBER = /^v?\d+(\.\d+)+$/; // a release

/** Splits a text into words; `both` adds names of parts as one word. */
function words(text, both = true) {
  const found = [];
  for (const run of text.split(/[^\p{L}\p{N}_.+-]+/u)) {
    if (NUMBER.test(run)) {
      found.push(run);
      continue;
    }
    const parts = run.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^\p{L}\p{N}]+| /u).filter(Boolean);
    found.push(...parts);
    if (both && parts.length > 1) found.push(parts.join(''));
  }
  return found;
}

/** Makes one form of singular and plural, of capitals and small letters. */
function stem(word) {
  const low = word.toLowerCase();
  if (low.length > 4 && low.endsWith('ies')) return `${low.slice(0, -3)}y`;
  if (low.length > 3 && low.endsWith('s') && !low.endsWith('ss') && !low.endsWith('us')) return low.slice(0, -1);
  return low;
}

/** Returns an index of entries, each with url, kind, name, title, text, words and boost. */
function makeIndex(MiniSearch, entries) {
  const index = new MiniSearch({
    idField: 'id',
    fields: Object.keys(WEIGHT),
    storeFields: ['url', 'kind', 'name', 'title', 'boost'],
    tokenize: (text) => words(text),
    processTerm: stem,
  });
  index.addAll(entries.map((entry, id) => ({ id, words: '', text: '', boost: 1, ...entry })));
  return index;
}

const BY_HAND = new Set(['vector', 'finding']); // their names are whatever somebody thought of

/** Returns by how much a name counts more that is made of the question's words; most if it ends with them. */
function fit({ kind, name }, asked, question) {
  if (name.toLowerCase() === question || name.toLowerCase().endsWith(`.${question}`)) return 20;
  const own = words(name, false).map(stem);
  if (BY_HAND.has(kind) || !asked.every((word) => own.includes(word))) return 1;
  const end = own.slice(-asked.length);
  return (asked.every((word) => end.includes(word)) ? 4 : 1) * (1 + (asked.length / own.length) ** 2);
}

/** Returns the results of a question, the best first. */
function find(index, question) {
  const asked = words(question, false).map(stem);
  const options = {
    tokenize: (text) => words(text, false),
    prefix: (word) => word.length > 2,
    fuzzy: (word) => (word.length > 6 && !/\d/.test(word) ? 0.15 : false),
    boost: WEIGHT,
    boostDocument: (id, word, stored) => stored.boost * fit(stored, asked, question.trim().toLowerCase()),
    weights: { prefix: 0.6, fuzzy: 0.2 },
  };
  const all = index.search(question, { ...options, combineWith: 'AND' });
  return (all.length ? all : index.search(question, options)).slice(0, MOST);
}

module.exports = { words, stem, makeIndex, find };
