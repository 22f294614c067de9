'use strict';

const { xxh32 } = require('./checksums.js');
const { Output } = require('./output.js');
const { Malformed, Reader } = require('./reader.js');

const MAGIC = Buffer.from([0x04, 0x22, 0x4d, 0x18]);
const [HAS_BLOCK_CHECKSUMS, HAS_SIZE, HAS_CHECKSUM] = [1 << 4, 1 << 3, 1 << 2];
const VERSION_1_OF_INDEPENDENT_BLOCKS = 0b0110_0000;
const SHORTEST_MATCH = 4;
const GROWTH = 255; // a byte of a match length says no more

/** Gives the content of a frame; `magic` is that of the entry. */
function unlz4(data, magic, limit) {
  const reader = new Reader(data);
  if (!reader.take(MAGIC.length).equals(MAGIC))
    throw new Malformed('an LZ4 frame starts with its magic');
  const [flags, descriptor] = reader.take(2);
  const most = blockMaximum(flags, descriptor);
  const size = flags & HAS_SIZE ? reader.take(8).readBigUInt64LE() : null;
  checkHeader(data.subarray(0, reader.place), magic, reader.take(1)[0]);
  const content = Buffer.concat([...blocks(reader, flags, most, limit)]);
  if (size !== null && size !== BigInt(content.length))
    throw new Malformed(`the frame announces ${size} bytes`);
  if (flags & HAS_CHECKSUM) check(content, reader);
  reader.end();
  return content;
}

/** Gives how large a block may be, if this is a frame that Kafka reads. */
function blockMaximum(flags, descriptor) {
  const known = HAS_BLOCK_CHECKSUMS | HAS_SIZE | HAS_CHECKSUM;
  if ((flags & ~known) !== VERSION_1_OF_INDEPENDENT_BLOCKS)
    throw new Malformed(`Kafka reads no flags ${flags}`);
  const code = descriptor >> 4;
  if (descriptor & 0b1111 || code < 4 || code > 7)
    throw new Malformed(`there is no descriptor ${descriptor}`);
  return 1 << (8 + 2 * code);
}

/** Compares the checksum; Kafka's for v0 covers the frame's magic, too (KAFKA-3160). */
function checkHeader(header, magic, stored) {
  const hashed = [header.subarray(MAGIC.length), ...(magic === 0 ? [header] : [])];
  if (!hashed.some((part) => ((xxh32(part) >>> 8) & 0xff) === stored))
    throw new Malformed('the header is damaged');
}

function* blocks(reader, flags, most, limit) {
  let room = limit;
  for (let word = takeWord(reader); word; word = takeWord(reader)) {
    const [length, isStored] = [word & 0x7fffffff, word >>> 31];
    if (length === 0 || length > most)
      throw new Malformed(`a block of ${length} bytes, where ${most} are the most`);
    const block = reader.take(length);
    if (flags & HAS_BLOCK_CHECKSUMS) check(block, reader);
    const content = isStored ? block : unpack(new Reader(block), most);
    room -= content.length;
    if (room < 0) throw new Malformed(`it decompresses to more than ${limit} bytes`);
    yield content;
  }
}

/** A block is sequences: bytes to copy, then a repetition; the last is only bytes. */
function unpack(block, most) {
  const output = new Output(Math.min(most, GROWTH * block.data.length));
  for (;;) {
    const [token] = block.take(1);
    output.copy(block.take(takeLength(block, token >> 4)));
    if (!block.left) return output.content;
    const distance = block.take(2).readUInt16LE();
    output.repeat(distance, SHORTEST_MATCH + takeLength(block, token & 15));
  }
}

function takeLength(block, start) {
  let length = start;
  for (let byte = start === 15 ? 255 : 0; byte === 255;) {
    [byte] = block.take(1);
    length += byte;
  }
  return length;
}

function check(data, reader) {
  if (takeWord(reader) !== xxh32(data))
    throw new Malformed('a checksum does not fit its LZ4 block or frame');
}

function takeWord(reader) {
  return reader.take(4).readUInt32LE();
}

module.exports = { unlz4 };
