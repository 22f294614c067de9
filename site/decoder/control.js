/** Control records: written by brokers between the records of producers. The key tells the type. */
'use strict';

const { Fault, changing } = require('./fault.js');
const { byteCount } = require('./checks.js');
const { Reader, Spans } = require('./reader.js');
const { find, names } = require('./spec.js');

const VALUES = {
  abort: 'end_txn_marker',
  commit: 'end_txn_marker',
  leader_change: 'leader_change_v0',
  snapshot_header: 'snapshot_header',
  snapshot_footer: 'snapshot_footer',
  kraft_version: 'kraft_version',
  kraft_voters: 'kraft_voters',
};

/** Reads the control records that are those of the batch at `entry`. */
function check(records, data, entry, limit) {
  records.forEach(({ key, value }, index) => {
    changing(
      (fault) => placed(fault, index, data, entry, limit),
      () => read(key, value),
    );
  });
}

function read(key, value) {
  const { type } = part('control_record_key', key, 'key');
  const layout = layoutOf('value', type);
  if (layout) part(layout, value, 'value');
}

/**
 * Returns the name of the layout of a key, or of the value of a type; null for a type that is not
 * known.
 */
function layoutOf(of, type) {
  return of === 'key' ? 'control_record_key' : (VALUES[names('control_type')[type]] ?? null);
}

/** Reads one structure that is all of the key or the value; null is read as nothing. */
function part(name, content, of) {
  const data = content ?? new Uint8Array(0);
  const reader = new Reader(data);
  const fields = changing(
    (fault) => fault.within([of]),
    () => reader.read(find(name), 0, data.length),
  );
  if (reader.at !== data.length) {
    const detail = `${byteCount(data.length - reader.at)} after the last field`;
    throw new Fault(detail, { rule: `control.${of}.exact`, offset: reader.at, path: [of] });
  }
  return fields;
}

/** Returns a fault with the offset and path of the key or value that it was found in. */
function placed(fault, index, data, entry, limit) {
  const spans = new Spans();
  new Reader(data, { limit, spans }).read(find('record_batch'), entry.start, entry.end);
  const way = ['records', index, fault.path[0]].join();
  const at = (path) => spans.all.find((span) => span.path.join() === path);
  const length = at(`${way},length`); // content without any bytes has no span of its own
  const start = at(way)?.start ?? length.end;
  return fault.within(['records', index], { offset: start, payload: length.payload });
}

module.exports = { check, layoutOf };
