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
const { GROUPS } = require('./digits.js');
const { SWAPPED } = require('./notations.js');
const { parse } = require('./input.js');
const { salvage } = require('./salvage.js');
const { counted, integer, text } = require('./numbers.js');
const { hasProtocol, names } = require('./spec.js');

const SURE = 90; // a score from which a candidate is no guess
const LEAST = 40; // a score below which nothing is recognised
const LARGEST = 100 << 20; // brokers take no larger request (socket.request.max.bytes)
const HIGHEST_OFFSET = 2n ** 48n;
const FEWEST_FIELDS = 5;
const MOST_ODD = 4; // values that nobody writes, for each that bears a response out
const FRAMES = 45; // sizes that fit, of what nobody knows
const MANY_APIS = 3; // APIs as likely as the first; more of them are a guess even among responses
const FEW_LINES = 8; // lines of a request that are not much more than its header
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
    if (end === data.length && hasOffset(data))
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
  const score = isFar || isGood ? 75 : isAll && hasOffset(data) ? 60 : 30;
  return candidate('records', `records, ${name}`, score, evidence, fault.detail);
}

/** Tells whether bytes begin with an offset that a log reaches. */
function hasOffset(data) {
  const offset = integer(data, 0, INT64);
  return offset >= 0n && offset < HIGHEST_OFFSET;
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
  for (const [kind, title, size, fits, weight] of INDEXES) {
    const used = Math.ceil((data.findLastIndex((one) => one !== 0) + 1) / size);
    if (data.length % size || !used) continue;
    const rows = Array.from({ length: Math.min(used, 1000) }, (_, slot) => slot * size);
    if (rows.every((at, slot) => fits(data, at, slot ? at - size : null)))
      yield candidate(kind, title, Math.min(88, 4 + weight * used), `${used} entries in rising order`);
  }
}

const INDEXES = [
  ['index', 'an offset index', 8, isOffsetEntry, 6],
  ['timeindex', 'a time index', 12, isTimeEntry, 28],
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
  const [chain, rest] = chainOf(data);
  const found = [messages.SIZE, 0].map((start) => request(data, start, chain)).filter(Boolean);
  yield* found;
  const best = Math.max(0, ...found.map(({ score }) => score));
  if (best < SURE) yield* responses(data, chain, rest, best < LEAST);
}

/** Returns how many whole frames follow one another, and the bytes that the last one lacks. */
function chainOf(data) {
  let [count, missing] = [0, 0];
  for (const frame of messages.split(data)) {
    const size = frame.length >= messages.SIZE ? integer(frame, 0, INT32) : -1;
    missing = messages.SIZE + size - frame.length;
    const most = count ? MOST_MISSING * frame.length : 0;
    if (frame.length < 2 * messages.SIZE || missing < 0 || missing > most) return [0, 0];
    count += Number(!missing);
  }
  return [count, missing];
}

function* responses(data, chain, missing, mayBeStart) {
  const { SIZE } = messages;
  if (chain && (chain > 1 || !missing)) {
    for (const one of framedResponse(data, chain)) {
      const lacking = `${counted(missing, 'byte')} of the one behind them missing`;
      yield missing ? { ...one, missing, against: [lacking, one.against].filter(Boolean).join('; ') } : one;
    }
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

function* framedResponse(data, chain) {
  const [first] = messages.split(data);
  const found = guesses(first, messages.SIZE);
  const sizes = chain > 1 ? `${chain} sizes in front of parts fit` : 'the size in front fits';
  const payloads = chain > 1 ? `${chain} payloads with sizes in front` : 'a payload with its size in front';
  if (!found.length) {
    yield candidate('response', payloads, FRAMES, sizes, 'no API reads the first to its end');
    return;
  }
  const [best] = found;
  const title = chain > 1 ? `${chain} responses, the first perhaps ${apiText(best)}` : responseTitle(found);
  const isLikely = best.isClean || (best.isTold && best.odd <= MOST_ODD * best.signs);
  const isKnown = !best.unnamed && best.texts >= 0 && first[messages.SIZE] < 128;
  const score = best.isClean && best.isTold ? 88 : isLikely ? 70 : isKnown ? FRAMES + 1 : LEAST + 2;
  yield candidate('response', title, score, `${sizes}; the body ends with the frame`);
  if (score <= FRAMES + 1)
    yield candidate('response', payloads, FRAMES, sizes, 'no API reads the first without doubt');
}

function* cutResponse(data, missing) {
  const found = cutGuesses(data, messages.SIZE);
  if (!found.length) return;
  const [best] = found;
  const isTold = best.isClean && best.isTold;
  const isGood = isTold && best.fields >= FEWEST_FIELDS && missing <= MOST_MISSING * data.length;
  const isNear = isTold && missing <= NEAR * data.length;
  const score = isGood ? 55 : isNear ? 48 : 20;
  const against = `${counted(missing, 'byte')} missing`;
  yield { ...candidate('response', `the start of ${responseTitle(found)}`, score, 'it has a size in front', against), missing };
}

function bareResponse(data, found) {
  const [best] = found;
  const isGood = best.isClean && best.isTold && best.fields >= FEWEST_FIELDS && data[0] < 128;
  const against = isGood ? 'it has no size in front' : 'any short bytes read as some response';
  return candidate('response', responseTitle(found), isGood ? (best.texts > 0 ? 72 : 46) : 15, 'it reads to its last byte', against);
}

function* bareStart(data) {
  const found = cutGuesses(data, 0);
  if (!found.length) return;
  const [best] = found;
  const isGood = best.isClean && best.isTold && best.fields >= FAR && !best.odd;
  const against = 'it has no size in front, and does not end with the last byte';
  const title = `the start of ${responseTitle(found)}`;
  yield { ...candidate('response', title, isGood ? 43 : 10, `fields of it that read: ${best.fields}`, against), missing: 1 };
}

const apiText = ({ api, version }) => `${names('api')[api]} ${version}`;

function responseTitle([best, ...others]) {
  const more = others.slice(0, 3).map(apiText).join(', ');
  const alike = [best, ...others].filter(({ odd, signs }) => odd === best.odd && signs === best.signs);
  const isAny = new Set(alike.map(({ api }) => api)).size > MANY_APIS;
  return `a response, ${isAny ? 'perhaps ' : ''}as of ${apiText(best)}${more ? `, or of ${more}` : ''}`;
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
  const topics = all.some(({ path }) => /^body\.(?:topic_data\[\d+\]\.name|transactional_id)$/.test(path));
  if (start) return candidate('request', many, said.api || name ? 97 : topics ? 84 : 30, evidence);
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
    const isThin = !said.api && (isOddProduce(found, said) || found.lines.length <= FEW_LINES);
    const score = (start ? (name ? 82 : said.api ? 60 : 38) : name ? 70 : 30) - (isFar ? 25 : 0) - (isThin ? 25 : 0);
    return { ...candidate('request', `the start of ${title}`, score, evidence, against), missing: found.missing };
  }
  const isExact = start && frame.length === data.length && !found.missing;
  const isRead = found.lines.length > FEW_LINES;
  const score = isExact ? (name ? 80 : said.api && isRead ? 50 : 30) : name ? 42 : 8;
  return candidate('request', title, score - (isOddProduce(found, said) ? 25 : 0), evidence, String(found.fault));
}

/** Tells whether a request of API 0 has values that no producer sends: two zeros are anywhere. */
function isOddProduce({ lines: all }, { api }) {
  if (api) return false;
  const raw = (path) => valueOf(all, `body.${path}`)?.raw ?? null;
  const acks = raw('acks');
  const timeout = raw('timeout_ms');
  const length = raw('transactional_id.length');
  const isEmpty = acks !== null && length !== null && !length.at(0) && !length.at(-1) && length.length === 2;
  const isCompactEmpty = acks !== null && length?.length === 1 && length[0] === 1;
  const isWrong = acks !== null && ![-1, 0, 1].includes(acks.length === 2 ? integer(acks, 0, { size: 2, signed: true }) : acks[0]);
  return isWrong || isEmpty || isCompactEmpty || (timeout !== null && (timeout.length < 4 || timeout.every((one) => !one)));
}

function headerIsCut({ lines: all, fault }) {
  const isAll = all.every(({ path }) => path === '' || path === 'size' || path.startsWith('header.'));
  return isAll && (fault === null || fault.path[0] === 'header');
}

/** Judges a request of which not even the header is whole. */
function judgeHeader({ title, start, said }, found, evidence) {
  const line = valueOf(found.lines, 'header.client_id');
  const begun = line ? text(line.raw) : '';
  if (start && said.api && found.missing && !begun) {
    const id = valueOf(found.lines, 'header.correlation_id')?.raw ?? [255];
    const against = `${counted(found.missing, 'byte')} missing`;
    return { ...candidate('request', `the start of ${title}`, id[0] ? 12 : LEAST + 2, evidence, against), missing: found.missing };
  }
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
  const texts = all.filter(({ value }) => /^['"]..+['"]$/.test(value)).length;
  const isTime = ({ path, raw }) => raw.length === 8 && /time[a-z_]*$/.test(path) && raw[0] === 0 && raw[1] === 0 && raw[2] > 0 && raw[2] < 4;
  const isId = ({ raw }) => raw.length === 16 && raw[6] >> 4 === 4 && raw[8] >> 6 === 2;
  const signs = texts + all.filter((line) => isTime(line) || isId(line)).length;
  const blocks = all.filter(({ value }) => value.endsWith(' bytes')).length;
  const isFramed = structures.isFramed(layout);
  const plain = isFramed && data.length > 8 ? 44 : signs ? 46 : 22;
  const told = texts ? (isFramed ? 58 : 46 + Math.min(12, 2 * signs)) : plain;
  const score = told - (isFramed ? 0 : 10 * Math.max(0, blocks - texts));
  const part = layout.endsWith('_key') ? 'key' : 'value';
  const title = `a ${part} of Kafka's own topics: ${layout}, version ${version}`;
  const evidence = `it reads to its last byte as ${layout}, version ${version}`;
  const against = signs ? '' : 'it has no text, id or time that could bear it out';
  return { ...candidate('schema_record', title, score, evidence, against), layout };
}

const MOST_IN_ORDER = 1 << 16; // bytes that are tried in both orders
const NOTES_OF_ORDER = [GROUPS, SWAPPED];

/**
 * Returns what `parse` does of a text, with the bytes of its words in the order in which they are
 * something: `od` swaps them on most machines, and does not with `--endian=big`.
 */
function readText(given) {
  const made = parse(given);
  const isSure = (best) => best !== undefined && best.score >= SURE;
  if (made.other === null || made.data.length > MOST_IN_ORDER || isSure(recognise(made.data).candidates[0])) return made;
  const [best] = recognise(made.other).candidates;
  if (!isSure(best)) return made;
  const notes = made.notes.filter((note) => !NOTES_OF_ORDER.includes(note));
  const order = `The bytes of each word are in the order in which they are ${best.title}.`;
  return { ...made, data: made.other, other: null, notes: [...notes, order] };
}

module.exports = { SURE, readText, needsProtocol, recognise, saidOf };
