/** What bytes can be, how to tell by looking at them, and how each kind is explained. */
'use strict';

const entries = require('./entries.js');
const lines = require('./lines.js');
const messages = require('./messages.js');
const { announced } = require('./apis.js');
const { faultOf } = require('./fault.js');
const { integer } = require('./numbers.js');
const { hasProtocol, names } = require('./spec.js');

/**
 * The kinds in the order in which people look for them: what they are called, and how they are
 * explained.
 */
const KINDS = {
  records: { title: 'Records: a fetch response, a segment file, a batch', explain: explainRecords },
  request: {
    title: 'Request',
    needs: 'protocol',
    explain: (data, how) => framed(data, how, messages.explainRequest),
  },
  response: {
    title: 'Response',
    needs: 'protocol',
    explain: (data, how) => framed(data, how, messages.explainResponse),
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
};

function explainRecords(data, { topic = '' } = {}) {
  return lines.explainEntries(data, 'records', { ...lines.LIMITS, topic });
}

const SUFFIXES = { log: 'records', checkpoint: 'records' };

/** Returns the kind that a file's name says; null if it says none. */
function kindOfFile(name) {
  const suffix = name.split('.').at(-1);
  return (
    SUFFIXES[suffix] ??
    (['index', 'timeindex', 'txnindex', 'snapshot'].includes(suffix) ? suffix : null)
  );
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

/** Explains adjacent requests or responses, with their sizes in front or one without. */
function framed(data, how, explain) {
  if (!messages.isFramed(data)) return explain(data, how);
  const found = Array.from(messages.split(data), (frame) => ({
    frame,
    ...explain(frame, { ...how, start: messages.SIZE }),
  }));
  let position = 0;
  const all = found.flatMap((one, index) => {
    const [start, entry] = [position, found.length > 1 ? index : null];
    position += one.frame.length;
    return one.lines.map((line) => ({
      ...line,
      entry,
      start: line.payload ? line.start : line.start + start,
    }));
  });
  const fault = found.map((one) => one.fault).find((one) => one !== null) ?? null;
  return {
    ...found[0],
    lines: all,
    fault,
    records: found.flatMap((one) => one.records),
    frames: found.length,
  };
}

module.exports = { KINDS, guessKind, kindOfFile };
