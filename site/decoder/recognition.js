/**
 * What bytes are: candidates with what speaks for and against them, the likeliest first, or why
 * nothing is known. The reference's room of this name has more kinds; what both know, they name
 * alike.
 */
'use strict';

const entries = require('./entries.js');
const lines = require('./lines.js');
const messages = require('./messages.js');
const { announced } = require('./apis.js');
const { STAGES, faultOf } = require('./fault.js');
const { guesses } = require('./guesses.js');
const { integer, text } = require('./numbers.js');
const { hasProtocol, names } = require('./spec.js');

const SURE = 90; // a score from which a candidate is no guess
const LEAST = 40; // a score below which nothing is recognised
const LARGEST = 100 << 20; // brokers take no larger request (socket.request.max.bytes)
const HIGHEST_OFFSET = 2n ** 48n;
const FEWEST_FIELDS = 5;
const SMALLEST = 8;
const INT32 = { size: 4, signed: true };
const INT64 = { size: 8, signed: true };
const LATEST = 4102444800000n; // the year 2100

/** Marks at the start of what is not Kafka's, or is read elsewhere. */
const MARKS = [
  [/^(?:a1b2c3d4|d4c3b2a1|a1b23c4d|4d3cb2a1|a1b2cd34|34cdb2a1|0a0d0d0a|736e6f6f)/, 'a capture of network traffic'],
  [/^1f8b08/, 'a stream of gzip'],
  [/^28b52ffd/, 'a stream of zstd'],
  [/^04224d18/, 'a stream of lz4'],
  [/^82534e41505059/, 'a stream of snappy, in the framing of xerial'],
  [/^fd377a585a/, 'a stream of xz'],
  [/^504b0304/, 'a zip or jar archive'],
  [/^4f626a01/, 'a container of Avro'],
  [/^1[4-7]030[0-4]/, 'encrypted with TLS'],
  [/^4f53494c/, 'a segment of a RabbitMQ stream'],
  [/^424b4c45/, 'a ledger of BookKeeper, as Pulsar’s'],
  [/^.{8}daa320a7/, 'a commit log of RocketMQ'],
];

/** Files of a data directory that are text, and other texts, by how they begin. */
const TEXTS = [
  [/^0\n\d+\n(?:\d+ \d+\n)*$/, 'leader-epoch-checkpoint, leader epochs and the offsets that they begin at'],
  [/^0\n\d+\n(?:\S+ \d+ \d+\n)*$/, 'a checkpoint of offsets of partitions'],
  [/^version: 0\ntopic_id: /, 'partition.metadata, the id of a topic'],
  [/^(?:#[^\n]*\n)*(?:[a-z.]+=[^\n]*\n)*(?:broker|node)\.id=/, 'meta.properties, the ids of a broker and its directory'],
  [/^(?:GET|POST|PUT|HEAD|DELETE|OPTIONS|PATCH) \S+ HTTP\/1|^HTTP\/1\.[01] \d{3} /, 'HTTP'],
  [/^\s*[{[]["\s\d{[\]}-]/, 'JSON'],
];

/** Returns the `candidates`, those that are good enough, and `why` there are none. */
function recognise(data) {
  let found = [...marked(data), ...runs(data), ...files(data)];
  if (!found.some(({ score }) => score >= SURE) && hasProtocol()) found = [...found, ...frames(data)];
  found.sort((one, other) => other.score - one.score);
  const candidates = found.filter(({ score }) => score >= LEAST);
  return { candidates, why: candidates.length ? '' : why(data, found) };
}

/** Tells whether the layouts of the protocol may still change what bytes are. */
function needsProtocol(data) {
  return !hasProtocol() && !recognise(data).candidates.some(({ score }) => score >= SURE);
}

function why(data, found) {
  if (data.length < SMALLEST) return `${data.length} byte${data.length === 1 ? '' : 's'} can be anything`;
  if (!found.length) return 'no entry, request, response or file begins so';
  return `nearest is ${found[0].title}, but ${found[0].against || 'little speaks for it'}`;
}

function candidate(kind, title, score, evidence, against = '') {
  return { kind, title, score, evidence, against };
}

function* marked(data) {
  const start = [...data.subarray(0, 8)].map((one) => one.toString(16).padStart(2, '0')).join('');
  for (const [mark, title] of MARKS)
    if (mark.test(start)) yield candidate(null, title, 92, 'the mark at its start');
  if (data.length > 1 << 20 || data.subarray(0, 64).some((one) => one === 0)) return;
  const said = text(data);
  for (const [shape, title] of TEXTS)
    if (shape.test(said)) {
      yield candidate(null, title, 92, 'its first lines');
      return;
    }
}

function* runs(data) {
  const { magicAt, overhead, sizeAt, smallest } = entries.frame();
  const v07 = looksLikeV07(data);
  if (v07) yield candidate('v07', 'a message set of Kafka 0.7', v07, 'the checksum of its first entry is right');
  if (data.length <= magicAt) return;
  const size = integer(data, sizeAt, INT32);
  const [end, magic] = [overhead + size, data[magicAt]];
  if (size < smallest) return;
  if (magic > entries.HIGHEST_MAGIC) {
    if (end === data.length)
      yield candidate('records', `an entry with the unknown magic ${magic}`, 50, 'its size takes it to the last byte');
    return;
  }
  const name = magic === 2 ? 'a record batch (v2)' : `messages of v${magic}`;
  if (end <= data.length) yield whole(data.subarray(0, end), name, end === data.length);
  else yield cut(data, name, end, magic);
}

function whole(data, name, isAll) {
  const { fault } = lines.explainEntries(data);
  const evidence = `an entry of ${data.length} bytes`;
  if (fault === null) return candidate('records', `records, ${name}`, 98, `${evidence}, its checksum is right`);
  const isFar = [STAGES.RESOURCE, STAGES.DECOMPRESSION, STAGES.SEMANTICS, STAGES.STRUCTURE].includes(fault.stage);
  const score = isFar || isLikely(data) ? 75 : isAll ? 60 : 30;
  return candidate('records', `records, ${name}`, score, evidence, fault.detail);
}

function cut(data, name, end, magic) {
  const missing = end - data.length;
  const swallows = end > LARGEST || missing > 1000 * data.length;
  const good = data.length >= 35 && magic === 2 ? 62 : LEAST + (magic === 2 ? 8 : 4);
  const score = (isLikely(data) ? good : 20) - (swallows ? 35 : 0);
  const against = swallows
    ? `one entry of ${end} bytes would swallow everything`
    : `${missing} of its ${end} bytes missing`;
  return candidate('records', `the start of records, ${name}`, score, `the header of an entry with magic ${magic}`, against);
}

/** Tells whether the fields of a header are such as are written. */
function isLikely(data) {
  const { magicAt } = entries.frame();
  const offset = integer(data, 0, INT64);
  if (offset < 0n || offset >= HIGHEST_OFFSET) return false;
  if (data[magicAt] < 2) return data.length <= magicAt + 1 || data[magicAt + 1] <= 11;
  const { lines: all } = lines.explainEntries(data);
  const said = (name) => all.find(({ path }) => path === name)?.value;
  const attributes = Number(said('attributes')?.split(' ')[0] ?? 0);
  const times = [said('base_timestamp'), said('max_timestamp')].filter(Boolean).map(BigInt);
  return (
    attributes >= 0 &&
    attributes < 128 &&
    (attributes & 7) <= 4 &&
    Number(said('last_offset_delta') ?? 0) >= 0 &&
    times.every((one) => one === -1n || (one >= 0n && one < LATEST))
  );
}

/** Returns the score of bytes as a message set of 0.7; zeros are the checksum of nothing. */
function looksLikeV07(data) {
  const head = 9 + (data[4] ?? 0);
  if (data.length < head || data[4] > 1) return 0;
  const { fault, records } = lines.explainEntries(data, 'v07');
  if (fault !== null || !records.length) return 0;
  return data.subarray(head - 4, head).every((one) => one === 0) ? LEAST + 7 : 96;
}

function* files(data) {
  if (data.length >= 10 && data[0] === 0 && data[1] === 1) {
    const { fault } = lines.explainStructure('producer_snapshot_file', data);
    if (fault === null) yield candidate('snapshot', 'a producer snapshot', 97, 'its checksum is right');
  }
  for (const [kind, title, size, fits] of INDEXES) {
    const used = Math.ceil((data.findLastIndex((one) => one !== 0) + 1) / size);
    if (data.length % size || !used) continue;
    const rows = Array.from({ length: Math.min(used, 1000) }, (_, slot) => slot * size);
    if (rows.every((at, slot) => fits(data, at, slot ? at - size : null)))
      yield candidate(kind, title, Math.min(88, 10 + 10 * used), `${used} entries in rising order`);
  }
}

const INDEXES = [
  ['index', 'an offset index', 8, isOffsetEntry],
  ['timeindex', 'a time index', 12, isTimeEntry],
];

function isOffsetEntry(data, at, before) {
  const [offset, position] = [integer(data, at, INT32), integer(data, at + 4, INT32)];
  if (offset < 0 || position < 0) return false;
  return before === null || (offset > integer(data, before, INT32) && position > integer(data, before + 4, INT32));
}

function isTimeEntry(data, at, before) {
  const time = integer(data, at, INT64);
  if (time < 946684800000n || time >= LATEST) return false;
  return before === null || time > integer(data, before, INT64);
}

function* frames(data) {
  const isChain = data.length >= 2 * messages.SIZE && messages.isFramed(data);
  for (const start of [messages.SIZE, 0]) {
    const one = request(data, start, isChain);
    if (one) yield one;
  }
  if (isChain) {
    const [first] = messages.split(data);
    const found = guesses(first, messages.SIZE);
    const title = found.length ? `a response, as of ${apiText(found[0])}` : 'payloads with sizes in front';
    const score = !found.length ? 45 : found[0].unnamed ? 70 : 88;
    yield candidate('response', title, score, 'the sizes in front fit', found.length ? '' : 'no API reads the first');
  } else if (data.length > SMALLEST) {
    const [best] = guesses(data, 0);
    const isGood = best && !best.unnamed && best.fields >= FEWEST_FIELDS && data[0] < 128;
    if (best)
      yield candidate(
        'response',
        `a response, as of ${apiText(best)}`,
        isGood ? 46 : 15,
        'it reads to its last byte',
        isGood ? 'it has no size in front' : 'any short bytes read as some response',
      );
  }
}

const apiText = ({ api, version }) => `${names('api')[api]} ${version}`;

function request(data, start, isChain) {
  const size = data.length >= 4 ? integer(data, 0, INT32) : -1;
  if (data.length < start + SMALLEST || (start && (size < SMALLEST || size > LARGEST))) return null;
  const [frame] = start ? messages.split(data) : [data];
  let said = null;
  if (faultOf(() => (said = announced(frame, start))) !== null) return null;
  const found = messages.explainRequest(frame, { start });
  const client = found.lines.find(({ path }) => path === 'header.client_id')?.value ?? '';
  const isNamed = client.startsWith("'") || client.startsWith('"');
  const isWhole = found.fault === null && frame.length >= start + size * Number(start > 0);
  const missing = start && size + start > data.length ? size + start - data.length : 0;
  const title = `a request of ${apiText(said)}`;
  const evidence = `its header names the API and the version${isNamed ? `, and a client ${client}` : ''}`;
  if (isWhole) {
    const framed = said.api || isNamed ? 97 : 84;
    const bare = isNamed ? 92 : said.api || said.version ? 75 : 42;
    return candidate('request', title, start ? framed : bare, `${evidence}; its body ends where it should`);
  }
  const atEnd = found.fault !== null && found.fault.offset >= 0 && !found.fault.path.includes('header');
  const isExact = start > 0 && isChain;
  let score = missing ? (isNamed ? 82 : said.api ? 60 : 38) : isNamed ? 70 : 8;
  if (isExact) score = isNamed ? 80 : said.api ? 50 : 30;
  if (!atEnd && !isNamed) score = Math.min(score, 12);
  if (missing > 1000 * data.length) score -= 25;
  return candidate('request', title, score, evidence, missing ? `${missing} bytes missing` : found.fault?.detail);
}

module.exports = { SURE, needsProtocol, recognise };
