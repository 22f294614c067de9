/**
 * Entries, line by line, to the last byte: one that is cut, and what follows a wrong checksum. The
 * decoder leaves both out; here they are shown, what is doubted with a mark.
 */
'use strict';

const entries = require('./entries.js');
const v07 = require('./v07.js');
const { CutReader } = require('./cut.js');
const { LIMITS, explainEntries, linesOf } = require('./lines.js');
const { Spans } = require('./reader.js');
const { STAGES, faultOf } = require('./fault.js');
const { counted, integer } = require('./numbers.js');
const { entrySpans, v07Spans } = require('./entry_spans.js');
const { withSchemaRecords } = require('./schema_spans.js');

const MOST = 100; // entries with a wrong checksum that are shown to their ends
const LARGEST = 2 ** 30; // an entry that says it is larger is none that was cut
const ZSTD = 0xfd2fb528;
const INT32 = { size: 4, signed: true };

/** Explains a run of entries as `explainEntries` does, to its last byte; `missing` are at its end. */
function salvage(data, kind = 'records', limits = LIMITS) {
  if (kind === 'v07') return withCutMessage(data, explainEntries(data, kind, limits), limits);
  const all = { lines: [], records: [], left: 0, closed: '', fault: null };
  let [position, count] = [0, 0];
  for (let tries = 0; tries < MOST; tries += 1) {
    const dump = explainEntries(data.subarray(position), kind, limits);
    const entry = faulty(data, position, dump.fault);
    if (entry === null) break;
    const lines = before(dump.lines, entry, position).map((one) => moved(one, position, count));
    const index = count + dump.fault.entry;
    all.lines.push(...lines, ...doubted(data, entry, index, limits));
    all.records.push(...dump.records);
    all.fault ??= faultAt(dump.fault, position, count);
    [position, count] = [entry.end, index + 1];
    if (position === data.length) return { ...all, missing: 0, cut: null };
  }
  const rest = data.subarray(position);
  const found = withCutEntry(rest, explainEntries(rest, kind, limits), limits);
  return {
    ...found,
    lines: [...all.lines, ...found.lines.map((one) => moved(one, position, count))],
    records: [...all.records, ...found.records],
    fault: all.fault ?? (found.fault && faultAt(found.fault, position, count)),
  };
}

/** Returns the entry whose checksum is wrong, if it has nothing else wrong before it. */
function faulty(data, start, fault) {
  if (fault === null || fault.stage !== STAGES.CHECKSUM || fault.payload || fault.entry === null)
    return null;
  const rest = data.subarray(start);
  for (const entry of entries.split(rest))
    if (entry.index === fault.entry)
      return { ...entry, start: entry.start + start, end: entry.end + start };
  return null;
}

function before(lines, entry, start) {
  const end = lines.findIndex((one) => !one.payload && one.start + start >= entry.end);
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .filter(({ fault, value, start: at }) => value !== 'not read' || fault || at + start < entry.start);
}

function doubted(data, entry, index, limits) {
  const { spans } = spansOf(data, entry, limits);
  const crc = spans.findIndex(({ path }) => path.at(-1) === 'crc');
  const start = crc < 0 ? entry.end : spans[crc].end;
  const rest = spans.slice((crc < 0 ? spans.length : crc) + 1);
  return linesOf(rest, null, index, data, entry.end, start).map((one) => ({ ...one, doubted: true }));
}

function spansOf(data, entry, limits) {
  const known = entrySpans(data, entry, { limit: limits.limit, most: limits.most }, CutReader);
  return limits.topic ? { ...known, spans: withSchemaRecords(known.spans, limits.topic) } : known;
}

/** Returns an explanation with all that there is of an entry that is cut at the end. */
function withCutEntry(data, dump, limits) {
  if (dump.fault !== null || dump.cut === null) return { ...dump, missing: 0 };
  const start = data.length - dump.cut;
  const entry = cutEntry(data, start);
  if (entry === null) return { ...dump, missing: missingOfHeader(data, start) };
  const { spans, left } = spansOf(data, entry, limits);
  return withEnd(data, dump, entry, spans, left);
}

function withEnd(data, dump, { start, end }, spans, left) {
  const index = dump.lines.reduce((most, one) => Math.max(most, one.entry ?? -1), -1) + 1;
  const missing = end - data.length;
  const isZstd = spans.some(({ path, value }) => path.at(-1) === 'magic' && value === ZSTD);
  const note = isZstd ? '; zstd gives whole blocks only, so that the last one there is shows nothing' : '';
  const verb = missing === 1 ? 'is' : 'are';
  const value = `the entry is cut: ${missing} of its ${counted(end - start, 'byte')} ${verb} missing, and Kafka leaves it out${note}`;
  const last = linesOf([], null, null, data, data.length, data.length - 1)[0];
  return {
    ...dump,
    fault: null,
    lines: [
      ...dump.lines.filter((one) => one.payload || one.start < start),
      ...linesOf(spans, null, index, data, data.length, start),
      { ...last, entry: index, start: data.length, raw: data.subarray(data.length), value },
    ],
    left: dump.left + left,
    cut: data.length - start,
    missing,
  };
}

/** Returns the entry that begins at a byte and ends behind the last one; null if none can. */
function cutEntry(data, start) {
  const { magicAt, overhead, sizeAt, smallest } = entries.frame();
  if (data.length - start <= magicAt || data[start + magicAt] > entries.HIGHEST_MAGIC) return null;
  const size = integer(data, start + sizeAt, INT32);
  if (size < smallest || size > LARGEST) return null;
  return { start, end: start + overhead + size, magic: data[start + magicAt] };
}

/** Returns how many bytes are missing, at least, of an entry whose magic is not there. */
function missingOfHeader(data, start) {
  const { overhead, sizeAt, smallest } = entries.frame();
  const there = data.length - start;
  const size = there >= overhead ? integer(data, start + sizeAt, INT32) : smallest;
  const known = size >= smallest && size <= LARGEST ? size : smallest;
  return Math.max(overhead + known - there, 0);
}

/** Returns an explanation of a set of 0.7 with all that there is of a message that is cut. */
function withCutMessage(data, dump, limits) {
  if (dump.fault !== null && dump.fault.rule !== 'v07.first-entry.whole') return { ...dump, missing: 0 };
  let start = 0;
  if (dump.fault === null) for (const { end } of v07.split(data)) start = end;
  if (start === data.length) return { ...dump, missing: 0 };
  const { overhead, smallest } = v07.frame();
  const size = data.length - start >= overhead ? integer(data, start, INT32) : 0;
  const end = start + overhead + Math.max(size, smallest);
  const { spans, left } = v07Spans(data, { start, end }, { limit: limits.limit, most: limits.most }, CutReader);
  return withEnd(data, { ...dump, closed: '' }, { start, end }, spans, left);
}

/** Returns a line of a part of the bytes as one of all of them. */
function moved(line, start, count) {
  return {
    ...line,
    entry: line.entry === null ? null : line.entry + count,
    start: line.payload ? line.start : line.start + start,
    fault: line.fault && faultAt(line.fault, start, count),
  };
}

function faultAt(fault, start, count) {
  const moved = fault.within([], { offset: start });
  return fault.entry === null ? moved : Object.assign(moved, { entry: fault.entry + count });
}

module.exports = { salvage };
