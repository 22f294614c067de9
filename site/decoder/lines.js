/**
 * Bytes, line by line: which bytes are which field, what they say, and where they are wrong. No
 * byte is missing.
 */
'use strict';

const records = require('./records.js');
const v07 = require('./v07.js');
const { NoLibraryError } = require('./codec_faults.js');
const { Reader, Spans, partOf } = require('./reader.js');
const { STAGES, faultOf, pathText } = require('./fault.js');
const { VersionReader } = require('./version_reader.js');
const { cutOffSpans, entrySpans, v07Spans } = require('./entry_spans.js');
const { find } = require('./spec.js');
const { notesOf } = require('./content_notes.js');
const { checkEnd, ignored } = require('./surplus.js');
const { hex32 } = require('./checks.js');
const { withSchemaRecords } = require('./schema_spans.js');
const { text, utf8Fault } = require('./numbers.js');
const checks = require('./checks.js');
const entries = require('./entries.js');

const LONGEST_TEXT = 60;

/** What an explanation may take: bytes of a payload, records, and lines. */
const LIMITS = { limit: 4 << 20, records: 100000, most: 20000 };

const KINDS = {
  records: { split: entries.split, iterate: records.iterate, spans: entrySpans, cutOff: cutOffSpans },
  v07: { split: v07.split, iterate: v07.iterate, spans: v07Spans, cutOff: () => [] },
};

/**
 * Explains a run of entries: of v0 to v2 for the kind `records`, of 0.7 for `v07`. With one of
 * Kafka's own topics in `limits`, keys and values are explained by their schemas.
 *
 * Returns `lines`, each with entry, path, start, raw, value, payload, field and fault; the `fault`
 * that stopped decoding; the `records` before it; `left`, how many lines there would be more;
 * `closed`, why a payload could not be opened; and `cut`, how many bytes at the end are an entry
 * that is cut off, null if none.
 */
function explainEntries(data, kind = 'records', limits = LIMITS) {
  const { split, spans } = KINDS[kind];
  const found = { lines: [], left: 0, ...decoded(data, kind, limits) };
  let position = 0;
  const framing = faultOf(() => {
    for (const entry of split(data)) {
      const stops = found.fault !== null && found.fault.entry === entry.index;
      const limit = stops && found.fault.stage === STAGES.RESOURCE ? 0 : limits.limit;
      const room = limits.most - found.lines.length;
      const known = spans(data, entry, { limit, most: Math.max(room, 0) });
      if (limits.topic) known.spans = withSchemaRecords(known.spans, limits.topic);
      found.left += known.left;
      if (room > 0)
        found.lines.push(
          ...withNotes(
            linesOf(known.spans, found.fault, entry.index, data, entry.end, entry.start),
            kind === 'records' ? notesOf(known.spans, limits.topic ?? '') : new Map(),
          ),
        );
      position = entry.end;
      if (stops) return;
    }
  });
  found.cut = found.fault === null && framing === null ? cutAt(data, position) : null;
  found.lines.push(...behind(data, position, found, framing !== null, KINDS[kind].cutOff));
  return found;
}

function withNotes(lines, notes) {
  for (const [index, note] of notes) lines[index].value += `; ${note}`;
  return lines;
}

/** Returns the records up to a fault, and the fault. */
function decoded(data, kind, limits) {
  const found = { records: [], fault: null, closed: '' };
  try {
    found.fault = faultOf(() => {
      for (const some of KINDS[kind].iterate(data, limits, { each: true }))
        found.records.push(...some);
    });
  } catch (error) {
    if (!(error instanceof NoLibraryError)) throw error;
    found.closed = error.message;
  }
  return found;
}

/** Returns how many bytes at the end are an entry that is cut off; null if there are none. */
function cutAt(data, position) {
  return position < data.length ? data.length - position : null;
}

/**
 * Returns the lines of what is after the last entry: one whose frame is wrong, or one that is cut
 * off.
 */
function behind(data, position, { fault, cut }, isUnframed, cutOff) {
  if (isUnframed && fault !== null) {
    const before = fault.offset > position ? [line(data, position, fault.offset, 'not read')] : [];
    return [
      ...before,
      { ...line(data, fault.offset, data.length, 'not read'), path: fault.pathText, fault },
    ];
  }
  if (position >= data.length) return [];
  if (cut === null) return [line(data, position, data.length, 'not read')];
  const header = cutOff(data, position);
  const said = `cut-off entry of ${cut} byte${cut === 1 ? '' : 's'}, left out as Kafka does`;
  return [
    ...linesOf(header, null, null, data, position, position),
    line(data, header.at(-1)?.end ?? position, data.length, said),
  ];
}

function line(data, start, end, value) {
  return {
    entry: null,
    path: '',
    start,
    raw: data.subarray(start, end),
    value,
    payload: false,
    field: null,
    fault: null,
  };
}

/**
 * Explains one structure that is all of the bytes; `version` is that of a layout that has versions.
 */
function explainStructure(name, data, version = null, limits = LIMITS) {
  const spans = new Spans(limits.most);
  const Walker = version === null ? Reader : VersionReader;
  const reader = new Walker(data, { limit: limits.limit, spans });
  const fault = faultOf(() => {
    reader.read(find(name, version), 0, data.length);
    if (version !== null) checkEnd(find(name, version), data, reader.at);
    else if (reader.at < data.length) throw checks.inputTrailing(reader.at, data.length - reader.at);
  });
  return {
    lines: linesOf(spans.all, fault, null, data, data.length, 0, find(name, version)),
    fault,
    records: [],
    left: spans.left,
    closed: '',
  };
}

/** Explains a file of entries of one layout, as an offset index is. */
function explainRun(name, data, limits = LIMITS) {
  const spans = new Spans(limits.most);
  const reader = new Reader(data, { limit: limits.limit, spans });
  const fault = faultOf(() => {
    for (let index = 0; reader.at < data.length; index += 1) {
      reader.read(find(name), reader.at, data.length, ['entries', index]);
    }
  });
  return {
    lines: linesOf(spans.all, fault, null, data, data.length),
    fault,
    records: [],
    left: spans.left,
    closed: '',
  };
}

/** Turns spans into lines, one each, with a mark at the fault or a line for what was not read. */
function linesOf(spans, fault, entry, data, end, start = 0, layout = null) {
  let mine = fault !== null && fault.entry === entry ? fault : null;
  const hadFault = mine !== null;
  let position = start;
  const lines = spans.map((span) => {
    const isHere =
      mine !== null &&
      span.payload === mine.payload &&
      span.start <= mine.offset &&
      mine.offset < Math.max(span.end, span.start + 1) &&
      areNear(span.path, mine.path);
    const { path, start: at, raw, payload, field } = span;
    const made = {
      entry,
      path: pathText(path),
      start: at,
      raw,
      value: textOf(span),
      payload,
      field,
      fault: isHere ? mine : null,
    };
    if (isHere) mine = null;
    if (!span.payload) position = span.end;
    return made;
  });
  const path = mine?.pathText ?? '';
  if (hadFault && position < end)
    lines.push({ ...line(data, position, end, 'not read'), entry, path, fault: mine });
  else if (mine !== null) {
    lines.push({
      ...line(data, 0, 0, 'missing'),
      entry,
      path,
      start: mine.offset,
      payload: mine.payload,
      fault: mine,
    });
  } else if (position < end) {
    const value = ignored(layout, data.subarray(position, end));
    lines.push({ ...line(data, position, end, value), entry });
  }
  return lines;
}

/** Tells whether one path leads to the other. A codec's fault names all that is compressed. */
function areNear(path, fault) {
  return path.slice(0, fault.length).every((part, index) => part === fault[index]);
}

/** Returns a field's value as text for people: numbers with names, bytes as text if possible. */
function textOf({ field, path, raw, value }) {
  const isItem = field.type.kind === 'counted' && typeof path.at(-1) === 'number';
  const { kind } = isItem ? field.type.item : field.type;
  if (value instanceof Uint8Array) return kind === 'fixed' ? uuid(value) : bytesText(value);
  if (kind === 'float64') return floatText(value);
  const last = path.at(-1);
  if ((last === 'length' || last === 'count') && !field.bits.length)
    return value === -1 ? '-1 (null)' : String(value);
  if (field.checksum) return hex32(value);
  if (field.const !== undefined && raw.length > 1) return `0x${value.toString(16)}`;
  return String(value) + bitsText(value, field) + nameText(value, field);
}

/** Returns a float64 as the reference writes it: always with a fraction or an exponent. */
function floatText(value) {
  if (!Number.isFinite(value)) return String(value).toLowerCase().replace('infinity', 'inf');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [digits, power] = Math.abs(value).toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    return `${sign}${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  const plain = String(Math.abs(value));
  return sign + (plain.includes('.') ? plain : `${plain}.0`);
}

function nameText(value, field) {
  return field.names ? ` (${field.names.values[value] ?? 'no name'})` : '';
}

function bitsText(value, field) {
  const parts = [];
  for (const bits of field.bits) {
    const part = partOf(value, bits);
    if (bits.enum) parts.push(`${bits.name}=${bits.enum.values[part] ?? `${part}?`}`);
    else if (part) parts.push(bits.low === bits.high ? bits.name : `${bits.name}=${part}`);
  }
  return parts.length ? ` (${parts.join(', ')})` : '';
}

/** Returns a UUID as Kafka's tools show it, in URL-safe base64. */
function uuid(value) {
  return btoa(String.fromCharCode(...value))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Returns bytes as text if they are such, else how many there are. */
function bytesText(value) {
  const start = value.subarray(0, 4 * LONGEST_TEXT);
  const isText = value.length > 0 && utf8Fault(value) < 0;
  const shown =
    isText && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text(start))
      ? quoted(text(start))
      : `${value.length} byte${value.length === 1 ? '' : 's'}`;
  return shown.length <= LONGEST_TEXT ? shown : `${shown.slice(0, LONGEST_TEXT)}…`;
}

/** Returns text in quotes as Python has them, which the reference shows. */
function quoted(shown) {
  const quote = shown.includes("'") && !shown.includes('"') ? '"' : "'";
  return quote + shown.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}

module.exports = { LIMITS, bytesText, explainEntries, explainRun, explainStructure, floatText, linesOf };
