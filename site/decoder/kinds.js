/** What bytes can be, how to tell by looking at them, and how each kind is explained. */
'use strict';

const lines = require('./lines.js');
const messages = require('./messages.js');
const structures = require('./structures.js');
const { recognise } = require('./recognition.js');
const { salvage } = require('./salvage.js');

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
    explain: (data) => salvage(data, 'v07'),
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
  return salvage(data, 'records', { ...lines.LIMITS, topic });
}

const NEAR = 4; // a size that says so many times what there is makes a cut likely
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

/** Tells what bytes most likely are; null if nothing that the page reads is recognised in them. */
function guessKind(data) {
  return recognise(data).candidates[0]?.kind ?? null;
}

/**
 * Explains adjacent requests or responses, with their sizes in front or one without. It ends where a
 * page can show no more, or where so many are wrong that they are something else.
 */
function framed(data, given, explain, most = Infinity) {
  const how = { ...given, mayBeCut: true };
  if (!messages.isFramed(data)) return explain(data, { ...how, start: startOf(data, how, explain) });
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
    missing: found.at(-1).missing ?? 0,
    records: found.flatMap((one) => one.records),
    frames: found.length + left,
  };
}

/** Returns where the header of one frame begins that is not whole: behind a size, or at once. */
function startOf(data, how, explain) {
  const { SIZE, announcedEnd } = messages;
  if (data.length <= SIZE || announcedEnd(data, SIZE) === data.length) return 0;
  const [bare, cut] = [0, SIZE].map((start) => explain(data, { ...how, start }));
  if (bare.fault === null && !bare.missing && bare.api !== null) return 0;
  const isNear = announcedEnd(data, SIZE) <= NEAR * data.length;
  return cut.fault === null && (cut.api !== null || isNear) && !(explain === messages.explainRequest && cut.api === null) ? SIZE : 0;
}

module.exports = { KINDS, guessKind, kindOfFile };
