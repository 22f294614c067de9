'use strict';

const { crc32 } = require('./checksums.js');
const { CODECS, decompress } = require('./compression.js');
const { entries } = require('./entries.js');
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

/** Gives the record of a message, or those of a wrapper. */
function* records(data) {
  const outer = readMessage(data);
  const { codec, timestampType } = outer;
  for (const one of codec ? innerMessages(outer) : [outer]) {
    const { timestamp } = timestampType === 1 ? outer : one;
    yield { ...one, codec, timestamp, timestampType };
  }
}

/** Gives the messages inside of a wrapper: one or more, all whole and of its magic. */
function innerMessages(wrapper) {
  if (wrapper.value === null) throw new Malformed('a wrapper without a value');
  const payload = decompress(wrapper.codec, wrapper.value, wrapper.magic);
  const inside = [...entries(payload)];
  const size = inside.reduce((sum, entry) => sum + entry.data.length, 0);
  if (size === 0 || size < payload.length)
    throw new Malformed('a wrapper whose messages are not whole, or none');
  if (inside.some((entry) => entry.magic !== wrapper.magic))
    throw new Malformed('a message of another magic inside');
  const messages = inside.map((entry) => readMessage(entry.data));
  if (messages.some((message) => message.codec))
    throw new Malformed('a wrapper inside of a wrapper');
  return messages;
}

module.exports = { records };
