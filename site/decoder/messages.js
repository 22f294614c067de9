/**
 * Requests and responses, line by line: which bytes are which field, down to the records inside.
 */
'use strict';

const { announced, isFallback, partsOf } = require('./apis.js');
const { LIMITS, explainEntries, linesOf } = require('./lines.js');
const { STAGES, faultOf, pathText } = require('./fault.js');
const { Spans } = require('./reader.js');
const { VersionReader } = require('./version_reader.js');
const { dataSpans, textsOf } = require('./schema_spans.js');
const { find } = require('./spec.js');
const { cutGuesses, guesses } = require('./guesses.js');
const { CutVersionReader, ENDLESS, cutOf } = require('./cut.js');
const { salvage } = require('./salvage.js');
const { NAMES } = require('./compression.js');
const { explainTelemetry } = require('./telemetry.js');
const { counted, integer, text } = require('./numbers.js');
const { checkEnd } = require('./surplus.js');

const SIZE = 4; // bytes of the size in front of a request or response
const LARGEST = 2 ** 30; // no client and no broker takes so large a request
const TOPIC_NAMES = ['topic', 'name', 'topic_name'];
// Requests that are explained inside one another; a hostile client must not count.
const DEEPEST = 2;

/**
 * Returns header and body of a request or response whose API and version are known. A broker that
 * does not know the version of an ApiVersions request answers in version 0 (KIP-511).
 */
function decode(kind, data, api, version) {
  const reader = new VersionReader(data);
  const [[, header], [, body]] = partsOf(api, version, kind);
  const found = { header: named('header', reader, header, data), version };
  const start = reader.at;
  try {
    found.body = wholeBody(reader, body, data);
  } catch (error) {
    if (kind === 'request' || version === 0 || !isFallback(api, data, start)) throw error;
    reader.at = start;
    found.body = wholeBody(reader, partsOf(api, 0, kind)[1][1], data);
    found.version = 0;
  }
  return found;
}

function named(name, reader, layout, data) {
  return reader.read(layout, reader.at, data.length, [name]);
}

function wholeBody(reader, layout, data) {
  const body = named('body', reader, layout, data);
  checkBodyEnd(layout, data, reader.at);
  return body;
}

function checkBodyEnd(layout, data, end) {
  const fault = faultOf(() => checkEnd(layout, data, end));
  if (fault !== null) throw fault.within(['body']);
}

/** Returns the API, version, header and body of a request whose header says what it is. */
function decodeRequest(data) {
  const { api, version } = announced(data);
  return { api, ...decode('request', data, api, version) };
}

/**
 * Explains a request. `api` and `version` say what to read it as, if not as its header says;
 * `start` is where the header begins, after a size if there is one.
 */
function explainRequest(
  data,
  { api = null, version = null, start = 0, depth = 0, limits = LIMITS, mayBeCut = false } = {},
) {
  let said = { api, version };
  const fault = faultOf(() => {
    said = announced(data, start);
  });
  const what = {
    kind: 'request',
    api: api ?? said.api,
    version: version ?? said.version,
    start,
    depth,
    limits,
    mayBeCut,
  };
  if (fault !== null && (api === null || version === null)) {
    return explained(
      data,
      { ...what, api: null, version: null },
      [['header', find('request_header', 1)]],
      mayBeCut && data.length - start < SIZE ? null : fault,
    );
  }
  return explained(data, what, partsOf(what.api, what.version, 'request'));
}

/**
 * Explains a response. Where API and version are not given, it is explained as what reads to the
 * end.
 */
function explainResponse(
  data,
  { api = null, version = null, start = 0, limits = LIMITS, mayBeCut = false } = {},
) {
  const isKnown = api !== null && version !== null;
  let found = isKnown ? [{ api, version }] : guesses(data, start, api, version);
  if (!found.length && mayBeCut && (!start || announcedEnd(data, start) > data.length))
    found = cutGuesses(data, start, api, version);
  const what = { kind: 'response', api: null, version: null, start, depth: 0, limits, mayBeCut };
  if (!found.length) return explained(data, what, [['header', find('response_header', 0)]]);
  Object.assign(what, { api: found[0].api, version: found[0].version });
  let made = explained(data, what, partsOf(what.api, what.version, 'response'));
  if (made.fault && what.version > 0 && isFallback(what.api, data, start + SIZE)) {
    made = explainResponse(data, { api: what.api, version: 0, start, limits, mayBeCut });
  }
  return { ...made, guesses: found.slice(1) };
}

function explained(data, what, parts, given = null) {
  const end = what.mayBeCut ? announcedEnd(data, what.start) : data.length;
  let read = readParts(data, what, parts, end);
  if (read.fault && what.mayBeCut && !what.start) {
    const cut = readParts(data, what, parts, ENDLESS);
    read = cut.fault ? read : cut;
  }
  const { spans, missing } = read;
  let fault = given ?? read.fault;
  const inner = { records: [], closed: '', left: spans.left };
  const lines = linesOf(spans.all, fault, null, data, data.length, what.start, parts.at(-1)[1]);
  const all = [...sizeLines(data, what.start), ...withInside(spans.all, lines, what, inner)];
  if (missing && all.length) {
    const verb = missing === 1 ? 'is' : 'are';
    const note = `cut here: ${counted(missing, 'byte')} ${verb} missing${what.start ? '' : ' at least'}`;
    all.push({ ...all.pop() });
    all.at(-1).value = [all.at(-1).value, note].filter(Boolean).join('; ');
  }
  fault ??= all.find((line) => line.fault)?.fault ?? null;
  return { ...inner, kind: what.kind, api: what.api, version: what.version, lines: all, fault, missing };
}

/** Reads header and body up to an end; behind the last byte, they may be cut. */
function readParts(data, what, parts, end) {
  const spans = new Spans(what.limits.most);
  const Walker = end > data.length ? CutVersionReader : VersionReader;
  const reader = new Walker(data, { spans });
  let cut = null;
  reader.at = what.start;
  const fault = faultOf(() => {
    cut = cutOf(() => {
      for (const [name, layout] of parts) reader.read(layout, reader.at, end, [name]);
      if (what.api !== null && reader.at < data.length) checkBodyEnd(parts.at(-1)[1], data, reader.at);
    });
  });
  const promised = end < ENDLESS ? end - data.length : 0;
  return { spans, fault, missing: promised || (cut?.missing ?? 0) };
}

/** Returns where a frame ends by the size in front of it, if that is behind its last byte. */
function announcedEnd(data, start) {
  if (start < SIZE || data.length < SIZE) return data.length;
  const size = integer(data, 0, { size: SIZE, signed: true });
  return size <= LARGEST ? Math.max(data.length, start + size) : data.length;
}

function sizeLines(data, start) {
  if (!start) return [];
  const size = integer(data, 0, { size: SIZE, signed: true });
  const missing = size - (data.length - start);
  const verb = missing === 1 ? 'is' : 'are';
  const value = missing > 0 ? `${size} (${counted(missing, 'byte')} of it ${verb} missing)` : String(size);
  return [
    {
      entry: null,
      path: 'size',
      start: 0,
      raw: data.subarray(0, start),
      value,
      payload: false,
      field: null,
      fault: null,
    },
  ];
}

/** Returns the lines of spans, with those of what their bytes hold in their place. */
function withInside(spans, lines, what, inner) {
  const topics = topicsOf(spans);
  const starts = startsOf(spans);
  const texts = textsOf(spans);
  const codec = spans.find(({ path }) => path.at(-1) === 'compression_type')?.value;
  const isLast = (span) => span === spans.at(-1);
  const found = spans.map((span, index) => {
    const holds =
      (span.field.holds || span.field.heldBy) && span.value instanceof Uint8Array && span.path.at(-1) === span.field.name;
    const isStart = starts.has(span.path.slice(0, -1).join());
    const here = { topic: topicAt(span.path, topics), isStart, texts, codec, isLast };
    const held = holds ? inside(span, { ...what, ...here }, inner) : [];
    return held.length ? held : [lines[index]];
  });
  return [...found.flat(), ...lines.slice(spans.length)];
}

/** Returns the paths of the structures whose part of a snapshot is its first. */
function startsOf(spans) {
  const first = spans.filter(({ path, value }) => path.at(-1) === 'position' && BigInt(value) === 0n);
  return new Set(first.map(({ path }) => path.slice(0, -1).join()));
}

/** Returns the topics that are named, by the paths of the structures that name them. */
function topicsOf(spans) {
  const named = spans
    .filter(({ path, value }) => TOPIC_NAMES.includes(path.at(-1)) && value instanceof Uint8Array)
    .map(({ path, value }) => [path.slice(0, -1).join(), text(value)]);
  return new Map(named);
}

/** Returns the topic whose partition has records at a path; nothing if it is not known. */
function topicAt(path, topics) {
  const around = [1, 2, 3].map((up) => path.slice(0, -up).join()); // records, index, partitions
  return topics.get(around.find((place) => topics.has(place))) ?? '';
}

/** Returns the lines of what is in the bytes of a span; none if it is not what the layout says. */
function inside(span, what, inner) {
  switch (span.field.holds) {
    case 'records':
      return recordLines(span, what, inner);
    case 'request':
      return requestLines(span, what);
    case 'response':
      return [];
    case 'telemetry':
      return telemetryLines(span, what, inner);
    default:
      return dataLines(span, what.texts);
  }
}

function recordLines(span, what, inner) {
  const read = what.mayBeCut ? salvage : explainEntries;
  const found = read(span.raw, 'records', { ...what.limits, topic: what.topic });
  // A part of a snapshot may begin anywhere, but for the first one.
  if (span.path.at(-1) === 'unaligned_records' && !what.isStart && !isAligned(found.fault)) return [];
  inner.records.push(...found.records);
  inner.closed ||= found.closed;
  inner.left += found.left;
  return moved(found, span);
}

/** Returns lines of metrics; none of none, which a broker does not look at. */
function telemetryLines(span, what, inner) {
  if (!(what.codec in NAMES) || !span.raw.length) return [];
  const isCut = Boolean(what.mayBeCut) && what.isLast(span);
  const found = explainTelemetry(what.codec, span.value, { limit: what.limits.limit, isCut });
  inner.closed ||= found.closed;
  return moved(found, span);
}

/** Tells whether bytes begin where a batch does: one was sound, or is whole but for its checksum. */
function isAligned(fault) {
  return !fault || Boolean(fault.entry) || fault.stage === STAGES.CHECKSUM;
}

function requestLines(span, what) {
  if (what.depth >= DEEPEST) return [];
  const { depth, limits, mayBeCut } = what;
  const found = explainRequest(span.raw, { depth: depth + 1, limits, mayBeCut });
  return found.fault ? [] : moved(found, span);
}

/** Returns lines as seen from what their bytes lie in. */
function moved(found, span) {
  return found.lines.map((line) => {
    const entry = line.entry === null ? '' : `[${line.entry}]`;
    const path = pathText(span.path) + entry + (line.path ? `.${line.path}` : '');
    const start = line.payload ? line.start : line.start + span.start;
    const where = line.fault?.entry == null ? span.path : [...span.path, line.fault.entry];
    return {
      ...line,
      entry: null,
      path,
      start,
      fault: line.fault?.within(where, { offset: span.start }) ?? null,
    };
  });
}

/** Returns the lines of content that tells its own version; none if it is something else. */
function dataLines(span, texts) {
  const found = dataSpans(span, texts);
  return found.length ? linesOf(found, null, null, span.raw, span.end, span.start) : [];
}

/**
 * Yields adjacent requests or responses, each after its size. One whose size cannot be has all
 * that is left.
 */
function* split(data) {
  for (let position = 0; position < data.length;) {
    const size =
      position + SIZE <= data.length ? integer(data, position, { size: SIZE, signed: true }) : -1;
    const end = size >= 0 ? Math.min(position + SIZE + size, data.length) : data.length;
    yield data.subarray(position, end);
    position = end;
  }
}

/** Tells whether bytes are whole frames, one after the other. */
function isFramed(data) {
  for (const frame of split(data)) {
    if (
      frame.length < 2 * SIZE ||
      frame.length !== SIZE + integer(frame, 0, { size: SIZE, signed: true })
    )
      return false;
  }
  return data.length > 0;
}

module.exports = { SIZE, announcedEnd, decode, decodeRequest, explainRequest, explainResponse, isFramed, split };
