/**
 * Fields inside byte fields that have a schema of the protocol: keys and values of Kafka's own
 * topics, and content that tells its own version. Nothing here is wrong, for an application may
 * write what it likes; what cannot be read stays bytes.
 */
'use strict';

const { Reader, Spans } = require('./reader.js');
const { VersionReader } = require('./version_reader.js');
const { faultOf } = require('./fault.js');
const { find, names, protocol } = require('./spec.js');
const { placed } = require('./entry_spans.js');
const { text } = require('./numbers.js');

/** Topics whose keys say what a record is, and the enumerations of their records. */
const KEYED = {
  __consumer_offsets: 'group_record',
  __transaction_state: 'transaction_record',
  __share_group_state: 'share_record',
};

/** Topics whose values say what a record is. */
const FRAMED = {
  __cluster_metadata: 'metadata_record',
  __remote_log_metadata: 'remote_log_record',
};

const FRAME = 'metadata_record_frame';
/** Bytes of a text that may name a protocol; so many has the longest name of a topic. */
const LONGEST_NAME = 249;

const TOPICS = [...Object.keys(KEYED), ...Object.keys(FRAMED)];

/** Returns the spans of an entry of one of Kafka's own topics, with fields of keys and values. */
function withSchemaRecords(spans, topic) {
  const keys = new Map();
  return spans.flatMap((span) => {
    const isPart = ['key', 'value'].includes(span.path.at(-1)) && span.value instanceof Uint8Array;
    let front = null;
    if (isPart)
      faultOf(() => {
        front = frontOf(span, topic, keys);
      });
    return front === null ? [span] : behind(span, front);
  });
}

/**
 * Reads what stands in front of a key or value, and so what that is: layout of the front, start,
 * layout, version. Null where there is no such record. Of a key it remembers what its value is.
 */
function frontOf(span, topic, keys) {
  const owner = span.path.slice(0, -1).join();
  if (span.path.at(-1) === 'key') {
    if (!(topic in KEYED)) return null;
    const { number, start } = read('record_number', span);
    const found = known('record_number', start, `${names(KEYED[topic])[number]}_key`, 0);
    if (found) keys.set(owner, found.layout.name);
    return found;
  }
  if (topic in FRAMED) {
    const { number, version, start } = read(FRAME, span);
    return known(FRAME, start, names(FRAMED[topic])[number], version);
  }
  if (!keys.has(owner)) return null;
  const { version, start } = read('schema_version', span);
  return known('schema_version', start, keys.get(owner).replace(/_key$/, '_value'), version);
}

function read(name, span) {
  const reader = new Reader(span.raw);
  return { ...reader.read(find(name), 0, span.raw.length), start: reader.at };
}

function known(front, start, name, version) {
  const layout = protocol()[name];
  return layout?.versions.includes(version) ? { front, start, layout, version } : null;
}

/** Returns the short texts among spans, by their paths: such as may say what bytes hold. */
function textsOf(spans) {
  const named = spans.filter(({ value }) => value instanceof Uint8Array && value.length <= LONGEST_NAME);
  return new Map(named.map(({ path, value }) => [path.join(), text(value)]));
}

/** Returns the fields of bytes as far as they can be read, and what is left as one more span. */
function behind(span, { front, start, layout, version }, around = new Map()) {
  const how = { payload: span.payload };
  const [first, then] = [new Spans(), new Spans()];
  faultOf(() => {
    new Reader(span.raw, { ...how, spans: first }).read(find(front), 0, span.raw.length, span.path);
    new VersionReader(span.raw, { ...how, spans: then }).read(
      layout.at(version),
      start,
      span.raw.length,
      span.path,
    );
  });
  const fields = [...first.all, ...then.all];
  const all = placed(fields, span);
  const texts = new Map([...around, ...textsOf(all.slice(0, fields.length))]);
  return all.flatMap((one, index) => {
    // What is left behind them is no field.
    const inner = index < fields.length && holdsData(one) ? dataSpans(one, texts) : [];
    return inner.length ? inner : [one];
  });
}

/** Tells whether a span is bytes that may hold content of a kind that is known. */
function holdsData({ field, path, value }) {
  const isKnown = field.heldBy || field.holds in protocol();
  return isKnown && path.at(-1) === field.name && value instanceof Uint8Array;
}

/** Returns what bytes hold: what the nearest text says, or without one the layout. */
function held({ field, path }, texts) {
  for (let up = 1; field.heldBy && up <= path.length; up += 1) {
    const said = field.heldBy.fields.map((name) => texts.get([...path.slice(0, -up), name].join()));
    const first = said.find(Boolean);
    if (first) return field.heldBy.layouts[first] ?? '';
  }
  return field.holds;
}

/**
 * Returns the spans of content of the kind that the layout or a text beside it names; none if it is
 * something else. A version that is not known is read as the highest that is (clients
 * ConsumerProtocol). What tells no version is read as the highest that fits it whole.
 */
function dataSpans(span, texts) {
  const layout = protocol()[held(span, texts)];
  if (!layout) return [];
  const found = layout.behind ? inToldVersion(span, layout, texts) : inAnyVersion(span, layout);
  return found.length && found.at(-1).path.join() !== span.path.join() ? found : [];
}

function inToldVersion(span, layout, texts) {
  let found = [];
  faultOf(() => {
    const { version, start } = read(layout.behind, span);
    const best = layout.versions.includes(version) ? version : Math.max(...layout.versions);
    if (version >= 0) found = behind(span, { front: layout.behind, start, layout, version: best }, texts);
  });
  return found;
}

function inAnyVersion(span, layout) {
  for (const version of [...layout.versions].sort((one, other) => other - one)) {
    const spans = new Spans();
    const reader = new VersionReader(span.raw, { payload: span.payload, spans });
    const fault = faultOf(() => reader.read(layout.at(version), 0, span.raw.length, span.path));
    const [first] = spans.all;
    const said = first?.field.name === 'version' ? Number(first.value) : version;
    const end = Math.max(0, ...spans.all.map((one) => one.end));
    if (!fault && end === span.raw.length && said === version) return placed(spans.all, span);
  }
  return [];
}

module.exports = { FRAMED, KEYED, TOPICS, dataSpans, textsOf, withSchemaRecords };
