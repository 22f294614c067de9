/**
 * Which bytes of an entry are which field, also inside wrappers and control records, as far as it
 * can be read.
 */
'use strict';

const control = require('./control.js');
const legacy = require('./legacy.js');
const v07 = require('./v07.js');
const { faultOf } = require('./fault.js');
const { NoLibraryError } = require('./codec_faults.js');
const { Reader, Spans, partOf } = require('./reader.js');
const { integer } = require('./numbers.js');
const { fieldOf, find, mask, places } = require('./spec.js');
const { NAMES } = require('./compression.js');
const { decompressStart } = require('./partial.js');
const { framed } = require('./framing.js');
const { frame, split } = require('./entries.js');

const LAYOUTS = ['message_set_entry', 'message_set_entry', 'record_batch'];
const MESSAGES = ['message_v0', 'message_v1'];
const COMPRESSED = [['records'], ['message', 'value'], ['message', 'payload']];
const DEEPEST = 16; // wrappers of 0.7 that are opened inside one another; no writer makes even two

/**
 * Returns the spans of an entry of v0, v1 or v2. `how` has the `limit` of payloads and the `most`
 * spans. With a reader of what is cut as `Walker`, it may be cut, and its checksum wrong.
 */
function entrySpans(data, entry, how, Walker = Reader) {
  const spans = new Spans(how.most);
  let values = null;
  upToFault(() => {
    values = new Walker(data, { limit: how.limit, spans }).read(
      find(LAYOUTS[entry.magic]),
      entry.start,
      entry.end,
    );
  });
  let found = spans.all;
  if (
    values &&
    entry.magic === 2 &&
    values.attributes & mask(find('record_batch'), 'attributes', 'is_control')
  ) {
    found = withControlFields(found);
  }
  if (values && entry.magic < 2 && legacy.codecOf(values.message))
    inside(values.message, how, spans);
  if (!values && Walker !== Reader) insideCut(how, spans, Walker);
  return { spans: withFraming(found), left: spans.left };
}

/** Runs what may end in a fault, or at the last byte: the decoder says the same, and says it better. */
function upToFault(work) {
  try {
    faultOf(work);
  } catch (error) {
    if (!(error instanceof NoLibraryError) && error.missing === undefined) throw error;
  }
}

/** Returns spans with the framing of a compressed payload in place of its bytes. */
function withFraming(spans) {
  let codec = 'none';
  return spans.flatMap((span) => {
    if (span.path.at(-1) === 'magic') codec = 'none';
    const bits = span.field.bits.find((one) => one.name === 'codec');
    if (bits) codec = bits.enum.values[partOf(span.value, bits)] ?? 'none';
    const isCompressed = COMPRESSED.some(
      (end) => span.path.slice(-end.length).join() === end.join(),
    );
    return codec !== 'none' && isCompressed ? framed(span, codec) : [span];
  });
}

/** Returns the spans of a control batch, with the fields of keys and values instead of bytes. */
function withControlFields(spans) {
  let type;
  return spans.flatMap((span) => {
    const [records, index, part] = span.path;
    const isPart = span.path.length === 3 && records === 'records' && typeof index === 'number';
    const layout =
      isPart && (part === 'key' || part === 'value') ? control.layoutOf(part, type) : null;
    if (!layout) return [span];
    const fields = fieldsOf(span, layout);
    if (part === 'key') type = fields.find((one) => one.path.at(-1) === 'type')?.value;
    return fields;
  });
}

/** Returns the fields of a key or value as far as it can be read, and the rest as one span. */
function fieldsOf(span, layout) {
  const spans = new Spans();
  const reader = new Reader(span.raw, { payload: span.payload, spans });
  upToFault(() => reader.read(find(layout), 0, span.raw.length, span.path));
  return placed(spans.all, span);
}

/** Returns spans of what a span holds as seen from there, and the rest of it as one more. */
function placed(spans, span) {
  const found = spans.map((one) => ({
    ...one,
    start: span.start + one.start,
    end: span.start + one.end,
  }));
  const end = spans.at(-1)?.end ?? 0;
  if (end < span.raw.length) {
    const raw = span.raw.subarray(end);
    found.push({ ...span, start: span.start + end, value: raw, raw });
  }
  return found;
}

/** Adds the spans of the message set inside a wrapper of v0 or v1. */
function inside(message, how, spans) {
  upToFault(() => {
    const payload = legacy.decompressed(
      { ...message, value: message.value ?? new Uint8Array(0) },
      how.limit,
    );
    for (const { start, end, index } of split(payload)) {
      const reader = new Reader(payload, { payload: true, spans });
      reader.read(find('message_set_entry'), start, end, ['message', 'value', index]);
    }
  });
}

/** Adds the spans of what can be decompressed of a wrapper of v0 or v1 that is cut. */
function insideCut(how, spans, Walker) {
  const last = spans.all.at(-1);
  if (last?.path.join() !== 'message,value') return;
  const attributes = spans.all.find(({ path }) => path.join() === 'message,attributes').value;
  const codec = NAMES[legacy.codecOf({ attributes })] ?? 'none';
  const payload = codec === 'none' ? new Uint8Array(0) : decompressStart(codec, last.raw, how.limit);
  const reader = new Walker(payload, { payload: true, spans });
  upToFault(() => {
    for (let index = 0; reader.at < payload.length; index += 1)
      reader.read(find('message_set_entry'), reader.at, 2 ** 31, ['message', 'value', index]);
  });
}

/** Returns the spans of the header of an entry that is cut off, as far as it is there. */
function cutOffSpans(data, start) {
  const magic = data[start + frame().magicAt] ?? null;
  if (LAYOUTS[magic] === 'record_batch') return fixedSpans('record_batch', data, start);
  const spans = fixedSpans('message_set_entry', data, start);
  if (!(magic in MESSAGES)) return spans;
  const inner = fixedSpans(MESSAGES[magic], data, start + frame().overhead, ['message']);
  return [...spans, ...inner];
}

/** Returns the spans of the fields at fixed places, as far as the bytes go. */
function fixedSpans(name, data, start, path = []) {
  const layout = find(name);
  return Object.keys(places(layout))
    .map((key) => fieldOf(layout, key))
    .filter((field) => field && start + places(layout)[field.name] + field.type.size <= data.length)
    .map((field) => {
      const at = start + places(layout)[field.name];
      const end = at + field.type.size;
      const value = integer(data, at, field.type);
      const raw = data.subarray(at, end);
      return { path: [...path, field.name], start: at, end, value, raw, payload: false, field };
    });
}

/** Returns the spans of an entry of 0.7. */
function v07Spans(data, entry, how, Walker = Reader) {
  const spans = new Spans(how.most);
  upToFault(() => ofV07(data, entry, how, spans, [], 0, Walker));
  return { spans: withFraming(spans.all), left: spans.left };
}

/** Adds the spans of an entry, and of the message set in it if it is a wrapper. */
function ofV07(data, entry, how, spans, path, depth = 0, Walker = Reader) {
  const reader = new Walker(data, { payload: depth > 0, spans });
  const { message } = reader.read(find('v07_entry'), entry.start, entry.end, path);
  if (!v07.codecOf(message) || depth >= DEEPEST) return;
  const payload = v07.decompressed(message, how.limit);
  for (const inner of v07.split(payload)) {
    ofV07(payload, inner, how, spans, [...path, 'message', 'payload', inner.index], depth + 1);
  }
}

module.exports = { cutOffSpans, entrySpans, placed, upToFault, v07Spans };
