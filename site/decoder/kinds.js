/** What bytes can be, how to tell by looking at them, and how each kind is explained. */
'use strict';

const entries = require('./entries.js');
const lines = require('./lines.js');
const messages = require('./messages.js');
const structures = require('./structures.js');
const { announced } = require('./apis.js');
const { faultOf } = require('./fault.js');
const { integer } = require('./numbers.js');
const { hasProtocol, names } = require('./spec.js');

/**
 * The kinds in the order in which people look for them: what they are called, how they are
 * explained, and what has to be known of them: the `api` or the `layout`, and the version.
 */
const KINDS = {
  records: { title: 'Records: a fetch response, a segment file, a batch', explain: explainRecords },
  request: {
    title: 'Request',
    needs: 'api',
    explain: (data, how) => framed(data, how, messages.explainRequest),
  },
  response: {
    title: 'Response',
    needs: 'api',
    explain: (data, how) =>
      framed(data, how, messages.explainResponse, isKnown(how) ? Infinity : MOST_GUESSES),
  },
  v07: { title: 'Message set of Kafka 0.7', explain: (data) => lines.explainEntries(data, 'v07') },
  index: {
    title: 'Offset index (.index)',
    explain: (data) => lines.explainRun('offset_index_entry', data),
  },
  timeindex: {
    title: 'Time index (.timeindex)',
    explain: (data) => lines.explainRun('time_index_entry', data),
  },
  txnindex: {
    title: 'Transaction index (.txnindex)',
    explain: (data) => lines.explainRun('transaction_index_entry', data),
  },
  snapshot: {
    title: 'Producer snapshot (.snapshot)',
    explain: (data) => lines.explainStructure('producer_snapshot_file', data),
  },
  structure: {
    title: 'Body without its header, or another structure of the protocol',
    needs: 'layout',
    explain: structures.explainStructure,
  },
  schema_record: {
    title: 'Key or value of a record of one of Kafka’s own topics',
    needs: 'layout',
    explain: structures.explainSchemaRecord,
  },
};

function explainRecords(data, { topic = '' } = {}) {
  return lines.explainEntries(data, 'records', { ...lines.LIMITS, topic });
}

const MOST_FAULTS = 100; // of adjacent requests or responses
const MOST_GUESSES = 100; // of responses of which nobody says what they are
const SUFFIXES = { log: 'records', checkpoint: 'records' };

/** Returns the kind that a file's name says; null if it says none. */
function kindOfFile(name) {
  const suffix = name.split('.').at(-1);
  return (
    SUFFIXES[suffix] ??
    (['index', 'timeindex', 'txnindex', 'snapshot'].includes(suffix) ? suffix : null)
  );
}

function isKnown({ api = null, version = null }) {
  return api !== null && version !== null;
}

/** Tells by the first bytes what they most likely are. */
function guessKind(data) {
  if (looksLikeV07(data)) return 'v07';
  if (looksLikeRecords(data)) return 'records';
  const start = messages.isFramed(data) ? messages.SIZE : 0;
  if (looksLikeRequest(data, start)) return 'request';
  return start ? 'response' : 'records';
}

function looksLikeRecords(data) {
  const { magicAt, sizeAt, smallest } = entries.frame();
  if (data.length <= magicAt || data[magicAt] > 2) return false;
  const size = integer(data, sizeAt, { size: 4, signed: true });
  return integer(data, 0, { size: 8, signed: true }) >= 0n && size >= smallest && size < 2 ** 30;
}

function looksLikeV07(data) {
  if (data.length < 9 || data[4] > 1) return false;
  const { fault, records } = lines.explainEntries(data, 'v07');
  return fault === null && records.length > 0;
}

function looksLikeRequest(data, start) {
  if (data.length < start + 8) return false;
  if (hasProtocol()) return faultOf(() => announced(data, start)) === null;
  const api = integer(data, start, { size: 2, signed: true });
  return api in names('api') && data[start + 2] === 0 && data[start + 3] < 32;
}

/**
 * Explains adjacent requests or responses, with their sizes in front or one without. It ends where a
 * page can show no more, or where so many are wrong that they are something else.
 */
function framed(data, how, explain, most = Infinity) {
  if (!messages.isFramed(data)) return explain(data, how);
  const found = [];
  const all = [];
  let [position, left, faults] = [0, 0, 0];
  for (const frame of messages.split(data)) {
    if (all.length >= lines.LIMITS.most || faults >= MOST_FAULTS || found.length >= most) {
      left += 1;
      continue;
    }
    const one = explain(frame, { ...how, start: messages.SIZE });
    const entry = frame.length < data.length ? found.length : null;
    for (const line of one.lines)
      all.push({ ...line, entry, start: line.payload ? line.start : line.start + position });
    found.push(one);
    position += frame.length;
    faults += one.fault === null ? 0 : 1;
  }
  return {
    ...found[0],
    lines: all,
    left: left + found.reduce((sum, one) => sum + one.left, 0),
    fault: found.map((one) => one.fault).find((one) => one !== null) ?? null,
    records: found.flatMap((one) => one.records),
    frames: found.length + left,
  };
}

module.exports = { KINDS, guessKind, kindOfFile };
