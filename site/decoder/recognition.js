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
const structures = require('./structures.js');
const { cutGuesses, guesses } = require('./guesses.js');
const { salvage } = require('./salvage.js');
const { counted, integer, text } = require('./numbers.js');
const { hasProtocol, names } = require('./spec.js');

const SURE = 90; // a score from which a candidate is no guess
const LEAST = 40; // a score below which nothing is recognised
const LARGEST = 100 << 20; // brokers take no larger request (socket.request.max.bytes)
const HIGHEST_OFFSET = 2n ** 48n;
const FEWEST_FIELDS = 5;
const MANY_FIELDS = 14; // the same where no text bears it out
const MANY_NAMES = 4; // numbers with names that bear a response out as a text does
const FAR = 7; // fields of a cut response without a size that say something
const MOST_MISSING = 1000; // bytes that may be missing for each one that is there
const NEAR = 4; // a size that says so many times what there is makes a cut likely
const FEW = 35; // bytes of a batch up to its first timestamp
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;
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
  if (!found.some(({ score }) => score >= SURE) && hasProtocol())
    found = [...found, ...frames(data), ...schemaRecords(data)];
  found.sort((one, other) => other.score - one.score);
  const candidates = found.filter(({ score }) => score >= LEAST);
  return { candidates, why: candidates.length ? '' : why(data, found) };
}

/** Returns sentences about what was recognised, as the command line says them. */
function saidOf([best, ...others]) {
  const isGuess = best.score < SURE;
  const guess = isGuess ? ' (a guess)' : '';
  const against = best.against ? ` But ${best.against}.` : '';
  const also = others.slice(0, 3).map(({ title }) => title).join('; ');
  const said = `It is read as ${best.title}${guess}: ${best.evidence}.${against}`;
  return also && isGuess ? `${said} It can also be ${also}.` : said;
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
  return { kind, title, score, evidence, against, missing: 0 };
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
  const isFar = [STAGES.RESOURCE, STAGES.DECOMPRESSION, STAGES.SEMANTICS].includes(fault.stage);
  const isGood = isLikely(data) && (name.includes('batch') || endsWithItsValue(data, data.length));
  const score = isFar || isGood ? 75 : isAll ? 60 : 30;
  return candidate('records', `records, ${name}`, score, evidence, fault.detail);
}

function cut(data, name, end, magic) {
  const missing = end - data.length;
  const swallows = end > LARGEST || missing > MOST_MISSING * data.length;
  const against = swallows
    ? `one entry of ${end} bytes would swallow everything`
    : `${missing} of its ${end} bytes missing`;
  const score = cutScore(data, end, magic) - (swallows ? 35 : 0);
  const made = candidate('records', `the start of records, ${name}`, score, `the header of an entry with magic ${magic}`, against);
  return { ...made, missing };
}

function cutScore(data, end, magic) {
  if (!isLikely(data)) return 20;
  if (magic === 2) return data.length < FEW ? LEAST + 8 : 62;
  const fits = endsWithItsValue(data, end);
  return fits === null ? LEAST + 4 : fits ? 62 : 20;
}

/** Tells whether the lengths of a message say the same end as its size; null if they are not there. */
function endsWithItsValue(data, end) {
  const lengths = salvage(data).lines.filter(({ path, value }) => path.endsWith('.length') && /^-?\d/.test(value) && !value.endsWith('s'));
  const ends = Object.fromEntries(
    lengths.map(({ path, start, raw, value }) => [
      path.split('.').at(-2),
      start + raw.length + Math.max(Number(value.split(' ')[0]), 0),
    ]),
  );
  if ('value' in ends) return ends.value === end;
  return ends.key > end - messages.SIZE ? false : null;
}

/** Tells whether the fields of a header are such as are written. */
function isLikely(data) {
  const { magicAt } = entries.frame();
  const offset = integer(data, 0, INT64);
  if (offset < 0n || offset >= HIGHEST_OFFSET) return false;
  const numbers = salvage(data).lines.filter(({ value }) => /^-?\d+(?: \(|$)/.test(value));
  const said = new Map(numbers.map(({ path, value }) => [path.split('.').at(-1), value]));
  const number = (name, otherwise) => Number(said.get(name)?.split(' ')[0] ?? otherwise);
  const attributes = number('attributes', 0);
  const times = ['timestamp', 'base_timestamp', 'max_timestamp'].map((name) => said.get(name));
  if (!times.filter(Boolean).map(BigInt).every((one) => one === -1n || (one >= 0n && one < LATEST))) return false;
  if (data[magicAt] < 2) return attributes >= 0 && attributes < 16 && (attributes & 7) <= 3;
  return (
    attributes >= 0 &&
    attributes < 128 &&
    (attributes & 7) <= 4 &&
    number('last_offset_delta', 0) >= 0 &&
    number('partition_leader_epoch', 0) >= -1 &&
    BigInt(said.get('producer_id') ?? -1) >= -1n
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
      yield candidate(kind, title, Math.min(88, 4 + 6 * used), `${used} entries in rising order`);
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
  const chain = isChain ? [...messages.split(data)].length : 0;
  const found = [messages.SIZE, 0].map((start) => request(data, start, chain)).filter(Boolean);
  yield* found;
  const best = Math.max(0, ...found.map(({ score }) => score));
  if (best < SURE) yield* responses(data, chain, best < LEAST);
}

function* responses(data, chain, mayBeStart) {
  const { SIZE } = messages;
  if (chain) {
    yield framedResponse(data, chain);
    return;
  }
  const size = data.length >= SIZE ? integer(data, 0, INT32) : -1;
  if (2 * SIZE <= data.length && data.length < size + SIZE && size + SIZE <= LARGEST)
    yield* cutResponse(data, size + SIZE - data.length);
  if (data.length <= 2 * SIZE) return;
  const found = guesses(data, 0);
  if (found.length) yield bareResponse(data, found);
  else if (mayBeStart && data[0] < 128) yield* bareStart(data);
}

function framedResponse(data, chain) {
  const [first] = messages.split(data);
  const found = guesses(first, messages.SIZE);
  const sizes = chain > 1 ? `${chain} sizes in front of parts fit` : 'the size in front fits';
  if (!found.length) {
    const title = chain > 1 ? `${chain} payloads with sizes in front` : 'a payload with its size in front';
    return candidate('response', title, 45, sizes, 'no API reads the first to its end');
  }
  const title = chain > 1 ? `${chain} responses, the first perhaps ${apiText(found[0])}` : responseTitle(found);
  return candidate('response', title, found[0].unnamed ? 70 : 88, `${sizes}; the body ends with the frame`);
}

function* cutResponse(data, missing) {
  const found = cutGuesses(data, messages.SIZE);
  if (!found.length) return;
  const [best] = found;
  const isGood = !best.unnamed && best.fields >= FEWEST_FIELDS && missing <= MOST_MISSING * data.length;
  const isNear = !best.unnamed && missing <= NEAR * data.length;
  const score = isGood ? 55 : isNear ? 48 : 20;
  const against = `${counted(missing, 'byte')} missing`;
  yield { ...candidate('response', `the start of ${responseTitle(found)}`, score, 'it has a size in front', against), missing };
}

function bareResponse(data, found) {
  const [best] = found;
  const isTold = best.texts > 0 || best.named >= MANY_NAMES;
  const isGood = !best.unnamed && best.fields >= (isTold ? FEWEST_FIELDS : MANY_FIELDS) && data[0] < 128;
  const against = isGood ? 'it has no size in front' : 'any short bytes read as some response';
  return candidate('response', responseTitle(found), isGood ? 46 : 15, 'it reads to its last byte', against);
}

function* bareStart(data) {
  const found = cutGuesses(data, 0);
  if (!found.length) return;
  const [best] = found;
  const isGood = !best.unnamed && best.fields >= FAR && (best.texts > 0 || best.named >= MANY_NAMES);
  const against = 'it has no size in front, and does not end with the last byte';
  const title = `the start of ${responseTitle(found)}`;
  yield { ...candidate('response', title, isGood ? 43 : 10, `${best.fields} fields of it read`, against), missing: 1 };
}

const apiText = ({ api, version }) => `${names('api')[api]} ${version}`;

function responseTitle([best, ...others]) {
  const more = others.slice(0, 3).map(apiText).join(', ');
  return `a response, as of ${apiText(best)}${more ? `, or of ${more}` : ''}`;
}

/** Judges bytes as a request; null if no header of one is there. */
function request(data, start, chain) {
  const size = data.length >= messages.SIZE ? integer(data, 0, INT32) : -1;
  if (data.length < start + SMALLEST || (start && (size < SMALLEST || size > LARGEST))) return null;
  const [frame] = start ? messages.split(data) : [data];
  let said = null;
  if (faultOf(() => (said = announced(frame, start))) !== null) return null;
  const one = { title: `a request of ${names('api')[said.api]}, version ${said.version}`, start, said };
  const isThere = frame.length >= start + size * Number(start > 0);
  const whole = messages.explainRequest(frame, { start });
  if (isThere && whole.fault === null) return judgeWhole(one, whole, chain);
  return judgeBroken(one, messages.explainRequest(frame, { start, mayBeCut: true }), data, frame, size);
}

const valueOf = (lines, path) => lines.find((line) => line.path === path);

/** Returns the client id, if it is one that people give. */
function nameOf(lines) {
  const line = valueOf(lines, 'header.client_id');
  const shown = line ? text(line.raw) : '';
  return shown && !UNPRINTABLE.test(shown) ? shown : '';
}

function judgeWhole({ title, start, said }, { lines: all }, chain) {
  const name = nameOf(all);
  const ends = start ? 'the body ends where the size in front says' : 'the body ends with the last byte';
  const evidence = `the header names the API and the version${clientText(name)}; ${ends}`;
  const many = chain > 1 ? `${chain} requests, the first ${title.replace(/^a request /, '')}` : title;
  if (start) return candidate('request', many, said.api || name ? 97 : 84, evidence);
  const topics = all.some(({ path }) => /^body\.topic_data\[\d+\]\.name$/.test(path));
  return candidate('request', title, name ? 92 : said.api ? 75 : topics ? 42 : 20, evidence);
}

const clientText = (name) => (name ? `, and a client \`${name}\`` : '');

function judgeBroken({ title, start, said }, found, data, frame, size) {
  const isWholeHeader = found.lines.some(({ path }) => path.startsWith('body.')) || !headerIsCut(found);
  const name = isWholeHeader ? nameOf(found.lines) : '';
  const evidence = `the header names the API and the version${clientText(name)}`;
  const isFar = Math.max(found.missing, start ? size - data.length : 0) > MOST_MISSING * data.length;
  if (!isWholeHeader) {
    const header = judgeHeader({ title, start, said }, found, evidence);
    return { ...header, score: header.score - (isFar ? 25 : 0) };
  }
  if (found.missing && found.fault === null) {
    const against = `${start ? '' : 'at least '}${counted(found.missing, 'byte')} missing${isFar ? '; far more than there are' : ''}`;
    const score = (start ? (name ? 82 : said.api ? 60 : 38) : name ? 70 : 30) - (isFar ? 25 : 0);
    return { ...candidate('request', `the start of ${title}`, score, evidence, against), missing: found.missing };
  }
  const isExact = start && frame.length === data.length && !found.missing;
  const score = isExact ? (name ? 80 : said.api ? 50 : 30) : name ? 48 : 8;
  return candidate('request', title, score, evidence, String(found.fault));
}

function headerIsCut({ lines: all, fault }) {
  const isAll = all.every(({ path }) => path === '' || path === 'size' || path.startsWith('header.'));
  return isAll && (fault === null || fault.path[0] === 'header');
}

/** Judges a request of which not even the header is whole. */
function judgeHeader({ title, start, said }, found, evidence) {
  const line = valueOf(found.lines, 'header.client_id');
  const begun = line ? text(line.raw) : '';
  if (!found.missing || !begun || UNPRINTABLE.test(begun))
    return candidate('request', title, 12, evidence, 'the rest of its header does not read');
  const score = start ? 58 : said.api ? 46 : LEAST - 2;
  const more = `${evidence}; its client id begins \`${begun}\``;
  const against = `${counted(found.missing, 'byte')} missing`;
  return { ...candidate('request', `the start of ${title}`, score, more, against), missing: found.missing };
}

/** Yields what bytes are as keys and values of Kafka's own topics, the three likeliest ones. */
function schemaRecords(data) {
  if (data.length < 4 || data.length > 1 << 20 || data[0] > 1) return [];
  const found = structures.recordLayouts(data).flatMap((layout) => {
    const read = structures.explainSchemaRecord(data, { layout });
    return read.fault ? [] : [schemaRecord(read, layout, data)];
  });
  return found.sort((one, other) => other.score - one.score).slice(0, 3);
}

function schemaRecord({ lines: all, version }, layout, data) {
  const hasTexts = all.some(({ value }) => /^['"]/.test(value));
  const blocks = all.filter(({ value }) => value.endsWith(' bytes')).length;
  const isFramed = structures.isFramed(layout);
  const plain = hasTexts ? 48 : 22;
  const score = isFramed ? (hasTexts ? 58 : data.length > 8 ? 44 : 22) : plain - 10 * blocks;
  const part = layout.endsWith('_key') ? 'key' : 'value';
  const title = `a ${part} of Kafka's own topics: ${layout}, version ${version}`;
  const evidence = `it reads to its last byte as ${layout}, version ${version}`;
  const against = hasTexts ? '' : 'it has no text that could bear it out';
  return { ...candidate('schema_record', title, score, evidence, against), layout };
}

module.exports = { SURE, needsProtocol, recognise, saidOf };
