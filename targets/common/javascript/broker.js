/** Between a library's bytes and Kafka's records: what libraries leave to brokers, to batches and to their users. */
'use strict';

const { NotSupported } = require('../../../adapters/javascript/adapter.js');

const MAX_SEQUENCE = 2 ** 31 - 1;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The sequence of a record from its batch's first, as DefaultRecordBatch.incrementSequence of Apache Kafka counts. */
function sequenceOf(baseSequence, offsetDelta) {
  if (baseSequence < 0) return -1;
  const last = (MAX_SEQUENCE - offsetDelta) | 0;
  return (baseSequence > last ? offsetDelta - (MAX_SEQUENCE - baseSequence) - 1 : baseSequence + offsetDelta) | 0;
}

/** Writes the offsets that a broker (LogValidator) assigns into the entries of a run; no checksum covers them. */
function withOffsets(run, offsets) {
  let place = 0;
  for (const offset of offsets) {
    run.writeBigInt64BE(offset, place);
    place += 12 + run.readInt32BE(place + 8);
  }
  return run;
}

/** Throws for what a producer cannot be asked to write; `dense`: its batch or wrapper numbers the records itself. */
function checkProducible(records, { dense }) {
  if (records.some(({ control, timestampType }) => control || timestampType === 1)) {
    throw new NotSupported('a producer writes neither control batches nor log append time');
  }
  if (dense && records.some(({ offset }, index) => offset !== records[0].offset + BigInt(index))) {
    throw new NotSupported('the producer numbers the records of a batch without gaps');
  }
}

/** Bytes as the string that a library wants instead. */
function text(data) {
  try {
    return utf8.decode(data);
  } catch {
    throw new NotSupported('the library takes strings, and these bytes are not UTF-8');
  }
}

module.exports = { sequenceOf, withOffsets, checkProducible, text };
