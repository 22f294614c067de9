/** What bytes can be, how to tell by looking at them, and how each kind is explained. */
'use strict';

const entries = require('./entries.js');
const lines = require('./lines.js');
const messages = require('./messages.js');
const structures = require('./structures.js');
const { announced } = require('./apis.js');
const { faultOf } = require('./fault.js');
const { guesses } = require('./guesses.js');
const { integer } = require('./numbers.js');
const { hasProtocol } = require('./spec.js');

/**
 * The kinds in the order in which people look for them: what a list calls them, what a sentence
 * calls them, how they are explained, and what has to be known of them: the `api` or the `layout`,
 * and the version.
 */
const KINDS = {
  records: {
    title: 'Records: a fetch response, a segment file, a batch',
    name: 'records',
    explain: explainRecords,
  },
  request: {
    title: 'Request',
    name: 'a request',
    needs: 'api',
    explain: (data, how) => framed(data, how, messages.explainRequest),
  },
  response: {
    title: 'Response',
    name: 'a response',
    needs: 'api',
    explain: (data, how) =>
      framed(data, how, messages.explainResponse, isKnown(how) ? Infinity : MOST_GUESSES),
  },
  v07: {
    title: 'Message set of Kafka 0.7',
    name: 'a message set of 0.7',
    explain: (data) => lines.explainEntries(data, 'v07'),
  },
  index: {
    title: 'Offset index (.index)',
    name: 'an offset index',
    explain: (data) => lines.explainRun('offset_index_entry', data),
  },
  timeindex: {
    title: 'Time index (.timeindex)',
    name: 'a time index',
    explain: (data) => lines.explainRun('time_index_entry', data),
  },
  txnindex: {
    title: 'Transaction index (.txnindex)',
    name: 'a transaction index',
    explain: (data) => lines.explainRun('transaction_index_entry', data),
  },
  snapshot: {
    title: 'Producer snapshot (.snapshot)',
    name: 'a producer snapshot',
    explain: (data) => lines.explainStructure('producer_snapshot_file', data),
  },
  structure: {
    title: 'Body without its header, or another structure of the protocol',
    name: 'a structure',
    needs: 'layout',
    explain: structures.explainStructure,
  },
  schema_record: {
    title: 'Key or value of a record of one of Kafka’s own topics',
    name: 'a key or value',
    needs: 'layout',
    explain: structures.explainSchemaRecord,
  },
};

function explainRecords(data, { topic = '' } = {}) {
  return lines.explainEntries(data, 'records', { ...lines.LIMITS, topic });
}

const MOST_FAULTS = 100; // of adjacent requests or responses
const MOST_GUESSES = 100; // of responses of which nobody says what they are
const SMALLEST_MESSAGE = 8; // bytes of a request or response whose body is small
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

/**
 * Tells what bytes most likely are; null if only the layouts of the protocol can tell, and they are
 * not there yet.
 */
function guessKind(data) {
  if (looksLikeV07(data)) return 'v07';
  if (looksLikeRecords(data) || isEntry(data) || data.length < SMALLEST_MESSAGE) return 'records';
  if (!hasProtocol()) return null;
  const start = messages.isFramed(data) ? messages.SIZE : 0;
  const [first] = start ? messages.split(data) : [data];
  if (faultOf(() => messages.decodeRequest(first.subarray(start))) === null) return 'request';
  if (guesses(first, start).length) return 'response';
  if (hasRequestHeader(first, start)) return 'request';
  return start ? 'response' : 'records';
}

function looksLikeRecords(data) {
  const { magicAt, sizeAt, smallest } = entries.frame();
  if (data.length <= magicAt || data[magicAt] > entries.HIGHEST_MAGIC) return false;
  const size = integer(data, sizeAt, { size: 4, signed: true });
  return integer(data, 0, { size: 8, signed: true }) >= 0n && size >= smallest && size < 2 ** 30;
}

/** Tells whether the size of an entry takes it exactly to the end, whatever the magic byte says. */
function isEntry(data) {
  const { overhead, sizeAt } = entries.frame();
  return (
    data.length > overhead &&
    integer(data, sizeAt, { size: 4, signed: true }) === data.length - overhead
  );
}

/** Tells whether bytes begin as a request of a client that has a name. */
function hasRequestHeader(data, start) {
  if (faultOf(() => announced(data, start)) !== null) return false;
  const { lines: found, fault } = messages.explainRequest(data, { start });
  const client = found.find((line) => line.path === 'header.client_id.length');
  return fault?.path[0] !== 'header' && Number(client?.value) > 0;
}

function looksLikeV07(data) {
  if (data.length < 9 || data[4] > 1) return false;
  const { fault, records } = lines.explainEntries(data, 'v07');
  return fault === null && records.length > 0;
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
