'use strict';

const { NotSupported } = require('./adapter.js');
const { crc32 } = require('./checksums.js');
const { CODECS } = require('./compression.js');
const { Malformed, Reader } = require('./reader.js');

/** Reads one message and its offset. */
function readMessage(data) {
  const reader = new Reader(data);
  const offset = reader.int64();
  reader.int32(); // the size
  const crc = reader.uint32();
  if (crc !== crc32(data.subarray(reader.place)))
    throw new Malformed(`the checksum ${crc} does not fit`);
  const magic = reader.int8();
  const attributes = reader.int8();
  const codec = attributes & 0b111;
  if (codec >= CODECS.indexOf('zstd'))
    throw new Malformed(`there is no codec ${codec} in messages`);
  const message = {
    offset,
    magic,
    codec, // 0, unless it is a wrapper
    timestampType: magic ? (attributes >> 3) & 1 : -1, // v0 has no timestamps
    timestamp: magic ? reader.int64() : -1n,
    key: reader.nullable(reader.int32()),
    value: reader.nullable(reader.int32()),
  };
  reader.end();
  return message;
}

/** Gives the record of a message. */
function* records(data) {
  const message = readMessage(data);
  if (message.codec) throw new NotSupported('it opens no wrappers yet');
  yield message;
}

module.exports = { records };
