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

/** Returns the fields of bytes as far as they can be read, and what is left as one more span. */
function behind(span, { front, start, layout, version }) {
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
  return placed(fields, span).flatMap((one, index) => {
    // What is left behind them is no field.
    const inner = index < fields.length && holdsData(one) ? dataSpans(one) : [];
    return inner.length ? inner : [one];
  });
}

/** Tells whether a span is bytes that hold what tells its own version. */
function holdsData({ field, path, value }) {
  return path.at(-1) === field.name && value instanceof Uint8Array && field.holds in protocol();
}

/**
 * Returns the spans of content that tells its own version, such as the metadata of a consumer; none
 * if it is something else. A version that is not known is read as the highest that is (clients
 * ConsumerProtocol).
 */
function dataSpans(span) {
  const layout = protocol()[span.field.holds];
  let found = [];
  faultOf(() => {
    const { version, start } = read(layout.behind, span);
    const best = layout.versions.includes(version) ? version : Math.max(...layout.versions);
    if (version >= 0) found = behind(span, { front: layout.behind, start, layout, version: best });
  });
  return found.length && found.at(-1).path.join() !== span.path.join() ? found : [];
}

module.exports = { FRAMED, KEYED, TOPICS, dataSpans, withSchemaRecords };
