/** Requests and responses, line by line: which bytes are which field, down to the records inside. */
'use strict';

const checks = require('./checks.js');
const { announced, isFallback, partsOf } = require('./apis.js');
const { LIMITS, explainEntries, linesOf } = require('./lines.js');
const { faultOf, pathText } = require('./fault.js');
const { Reader, Spans } = require('./reader.js');
const { VersionReader } = require('./version_reader.js');
const { find, protocol } = require('./spec.js');
const { guesses } = require('./guesses.js');
const { integer } = require('./numbers.js');
const { placed, upToFault } = require('./entry_spans.js');

const SIZE = 4; // bytes of the size in front of a request or response
const DEEPEST = 2; // requests that are explained inside one another; a hostile client must not count

/**
 * Returns header and body of a request or response whose API and version are known.
 * A broker that does not know the version of an ApiVersions request answers in version 0 (KIP-511).
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
  if (reader.at !== data.length) {
    throw checks.bodyTrailing(reader.at, data.length - reader.at).within(['body']);
  }
  return body;
}

/** Returns the API, version, header and body of a request whose header says what it is. */
function decodeRequest(data) {
  const { api, version } = announced(data);
  return { api, ...decode('request', data, api, version) };
}

/**
 * Explains a request. `api` and `version` say what to read it as, if not as its header says; `start` is where the header
 * begins, behind a size if there is one.
 */
function explainRequest(data, { api = null, version = null, start = 0, depth = 0, limits = LIMITS } = {}) {
  let said = { api, version };
  const fault = faultOf(() => { said = announced(data, start); });
  const what = { kind: 'request', api: api ?? said.api, version: version ?? said.version, start, depth, limits };
  if (fault !== null && (api === null || version === null)) {
    return explained(data, { ...what, api: null, version: null }, [['header', find('request_header', 1)]], fault);
  }
  return explained(data, what, partsOf(what.api, what.version, 'request'));
}

/** Explains a response. Where API and version are not given, it is explained as what reads to the end. */
function explainResponse(data, { api = null, version = null, start = 0, limits = LIMITS } = {}) {
  const found = api === null || version === null ? guesses(data, start, api, version) : [{ api, version }];
  const what = { kind: 'response', api: null, version: null, start, depth: 0, limits };
  if (!found.length) return explained(data, what, [['header', find('response_header', 0)]]);
  Object.assign(what, { api: found[0].api, version: found[0].version });
  let made = explained(data, what, partsOf(what.api, what.version, 'response'));
  if (made.fault && what.version > 0 && isFallback(what.api, data, start + SIZE)) {
    made = explainResponse(data, { api: what.api, version: 0, start, limits });
  }
  return { ...made, guesses: found.slice(1) };
}

function explained(data, what, parts, given = null) {
  const spans = new Spans(what.limits.most);
  const reader = new VersionReader(data, { spans });
  let fault = given;
  reader.at = what.start;
  const met = faultOf(() => {
    for (const [name, layout] of parts) reader.read(layout, reader.at, data.length, [name]);
    if (reader.at < data.length && what.api !== null) {
      throw checks.bodyTrailing(reader.at, data.length - reader.at).within(['body']);
    }
  });
  fault ??= met;
  const inner = { records: [], closed: '', left: spans.left };
  const lines = linesOf(spans.all, fault, null, data, data.length, what.start);
  const all = [...sizeLines(data, what.start), ...withInside(spans.all, lines, what, inner)];
  fault ??= all.find((line) => line.fault)?.fault ?? null;
  return { ...inner, kind: what.kind, api: what.api, version: what.version, lines: all, fault };
}

function sizeLines(data, start) {
  if (!start) return [];
  const size = integer(data, 0, { size: SIZE, signed: true });
  const missing = size - (data.length - start);
  const value = missing > 0 ? `${size} (${missing} bytes of it are missing)` : String(size);
  return [{ entry: null, path: 'size', start: 0, raw: data.subarray(0, start), value, payload: false, field: null, fault: null }];
}

/** Returns the lines of spans, with those of what their bytes hold in their place. */
function withInside(spans, lines, what, inner) {
  const found = spans.map((span, index) => {
    const holds = span.field.holds && span.value instanceof Uint8Array && span.path.at(-1) === span.field.name;
    const held = holds ? inside(span, what, inner) : [];
    return held.length ? held : [lines[index]];
  });
  return [...found.flat(), ...lines.slice(spans.length)];
}

/** Returns the lines of what is in the bytes of a span; none if it is not what the layout says. */
function inside(span, what, inner) {
  switch (span.field.holds) {
    case 'records': return recordLines(span, what, inner);
    case 'request': return requestLines(span, what);
    case 'response': return [];
    default: return dataLines(span);
  }
}

function recordLines(span, what, inner) {
  const found = explainEntries(span.raw, 'records', what.limits);
  if (found.fault && span.path.at(-1) === 'unaligned_records') return []; // a part of a snapshot may begin anywhere
  inner.records.push(...found.records);
  inner.closed ||= found.closed;
  inner.left += found.left;
  return moved(found, span);
}

function requestLines(span, what) {
  if (what.depth >= DEEPEST) return [];
  const found = explainRequest(span.raw, { depth: what.depth + 1, limits: what.limits });
  return found.fault ? [] : moved(found, span);
}

/** Returns lines as seen from what their bytes lie in. */
function moved(found, span) {
  return found.lines.map((line) => {
    const entry = line.entry === null ? '' : `[${line.entry}]`;
    const path = pathText(span.path) + entry + (line.path ? `.${line.path}` : '');
    const start = line.payload ? line.start : line.start + span.start;
    const where = line.fault?.entry == null ? span.path : [...span.path, line.fault.entry];
    return { ...line, entry: null, path, start, fault: line.fault?.within(where, { offset: span.start }) ?? null };
  });
}

/** Returns the lines of content that tells its own version, such as the metadata of a consumer; none if it is another. */
function dataLines(span) {
  const layout = protocol()[span.field.holds];
  const spans = new Spans();
  const how = { spans, payload: span.payload };
  upToFault(() => {
    const front = new Reader(span.raw, how);
    const { version } = front.read(find(layout.behind), 0, span.raw.length, span.path);
    if (version < 0) spans.all = [];
    else new VersionReader(span.raw, how).read(layout.at(known(layout, version)), front.at, span.raw.length, span.path);
  });
  const isWhole = spans.all.at(-1)?.end === span.raw.length;
  return isWhole ? linesOf(placed(spans.all, span), null, null, span.raw, span.end, span.start) : [];
}

/** Returns the version to read; one that is not known is read as the highest that is (clients ConsumerProtocol). */
function known({ versions }, version) {
  return versions.includes(version) ? version : Math.max(...versions);
}

/** Returns adjacent requests or responses, each behind its size. One whose size cannot be has all that is left. */
function split(data) {
  const frames = [];
  for (let position = 0; position < data.length;) {
    const size = position + SIZE <= data.length ? integer(data, position, { size: SIZE, signed: true }) : -1;
    const end = size >= 0 ? Math.min(position + SIZE + size, data.length) : data.length;
    frames.push(data.subarray(position, end));
    position = end;
  }
  return frames;
}

/** Tells whether bytes are whole frames, one after the other. */
function isFramed(data) {
  const frames = split(data);
  return frames.length > 0 && frames.every((frame) => frame.length >= 2 * SIZE
    && frame.length === SIZE + integer(frame, 0, { size: SIZE, signed: true }));
}

module.exports = { SIZE, decode, decodeRequest, explainRequest, explainResponse, isFramed, split };
