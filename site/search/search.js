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
    const last = run.slice(run.lastIndexOf('.') + 1); // the field of a name with its structure
    if (both && last !== run && last.includes('_')) found.push(join(last));
  }
  return found;
}

const NAMED = /[\p{L}\p{N}][_.][\p{L}\p{N}]|[a-z][A-Z]{2}/u;

/** Returns a name of parts as one word, for those who write all of it, such as __consumer_offsets or KafkaJS. */
function join(run) {
  return NUMBER.test(run) ? run : run.replace(/[^\p{L}\p{N}]/gu, '');
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

/** Tells whether a question of several words has the library in it that a finding, `target/id`, is about. */
function isAbout(name, asked) {
  const library = words(name.split('/')[0]).map(stem);
  return asked.length > 1 && library.some((word) => word.length > 2 && !ROLES.has(word) && asked.includes(word));
}

const ROLES = new Set(['consumer', 'producer', 'broker', 'serde', 'log', 'kafka', 'client', 'python', 'java']);

/** Returns by how much a name counts more that is made of the question's words; most if it ends with them. */
function fit({ kind, name }, asked, question) {
  if (name.toLowerCase() === question || name.toLowerCase().endsWith(`.${question}`)) return 20;
  const own = words(name, false).map(stem);
  // names of findings and vectors are whatever somebody thought of
  if (kind === 'finding') return isAbout(name, asked) ? 6 : 1;
  if (kind === 'vector' || !asked.every((word) => own.includes(word))) return 1;
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
  const joined = { ...options, tokenize: (text) => text.split(/[^\p{L}\p{N}_.+-]+/u).filter(Boolean).map(join) };
  const named = NAMED.test(question) ? index.search(question, { ...joined, combineWith: 'AND' }) : [];
  const isInternal = named.length > 0 && question.trim().startsWith('__');
  const split = isInternal ? [] : index.search(question, { ...options, combineWith: 'AND' });
  const all = sum(split, named);
  return (all.length ? all : index.search(question, options)).slice(0, MOST);
}

/** Returns what either search found, by the sum of both scores. */
function sum(some, others) {
  const found = new Map(some.map((one) => [one.id, one]));
  for (const one of others) {
    const score = one.score + (found.get(one.id)?.score || 0);
    found.set(one.id, { ...one, score });
  }
  return [...found.values()].sort((one, other) => other.score - one.score);
}

module.exports = { words, stem, makeIndex, find };
