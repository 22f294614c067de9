'use strict';

const { NotSupported } = require('./adapter.js');
const { crc32c } = require('./checksums.js');
const { Malformed, Reader } = require('./reader.js');

const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/** Takes what stands before the records, in the order of the wire. */
function takeHeader(reader) {
  return {
    baseOffset: reader.int64(),
    batchLength: reader.int32(),
    partitionLeaderEpoch: reader.int32(),
    magic: reader.int8(),
    crc: reader.uint32(),
    covered: reader.data.subarray(reader.place), // by the checksum
    attributes: reader.int16(),
    lastOffsetDelta: reader.int32(),
    baseTimestamp: reader.int64(),
    maxTimestamp: reader.int64(),
    producerId: reader.int64(),
    producerEpoch: reader.int16(),
    baseSequence: reader.int32(),
    recordCount: reader.int32(),
  };
}

/** Gives what the attributes of a batch say, bit by bit. */
function flagsOf({ attributes }) {
  return {
    codec: attributes & 0b111,
    timestampType: (attributes >> 3) & 1, // 0: the producer gave them, 1: the broker one
    transactional: (attributes & (1 << 4)) > 0,
    control: (attributes & (1 << 5)) > 0,
  };
}

/** Gives the records of one batch. */
function* records(data) {
  const reader = new Reader(data);
  const header = takeHeader(reader);
  const batch = { ...header, ...flagsOf(header) };
  if (batch.crc !== crc32c(batch.covered))
    throw new Malformed(`the checksum ${batch.crc} does not fit`);
  if (batch.codec >= CODECS.length)
    throw new Malformed(`there is no codec ${batch.codec}`);
  for (let count = batch.recordCount; count > 0; count -= 1) {
    yield takeRecord(batch, new Reader(reader.take(reader.varint())));
  }
}

/** Reads one record; the reader has the bytes that its length counts. */
function takeRecord(batch, reader) {
  if (batch.control) throw new NotSupported('it reads no control records yet');
  reader.take(1); // attributes, which nobody uses
  const timestamp = batch.baseTimestamp + reader.varlong();
  const offset = batch.baseOffset + BigInt(reader.varint());
  return {
    offset,
    timestamp: batch.timestampType ? batch.maxTimestamp : timestamp,
    timestampType: batch.timestampType,
    key: reader.nullable(reader.varint()),
    value: reader.nullable(reader.varint()),
  };
}

module.exports = { records };
