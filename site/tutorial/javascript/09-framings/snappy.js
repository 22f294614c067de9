'use strict';

const { Output } = require('./output.js');
const { Malformed, Reader } = require('./reader.js');

const MAGIC = Buffer.from('\x82SNAPPY\0', 'latin1'); // snappy-java's framing, xerial
const VERSIONS = 4 + 4;
const GROWTH = 64; // three bytes say no more than 64

/** Gives the content of one block, or of many in the framing. */
function unsnappy(data) {
  const reader = new Reader(data);
  if (!data.subarray(0, MAGIC.length).equals(MAGIC)) return unpack(reader);
  reader.take(MAGIC.length + VERSIONS);
  const blocks = [];
  while (reader.left) blocks.push(unpack(new Reader(reader.take(reader.int32()))));
  return Buffer.concat(blocks);
}

function unpack(block) {
  const size = takeSize(block);
  if (size > GROWTH * block.data.length)
    throw new Malformed(`a snappy block that becomes ${size} bytes`);
  const output = new Output(size);
  while (block.left) takeElement(block, output);
  if (output.size < size)
    throw new Malformed(
      `a snappy block announces ${size} bytes, and has ${output.size}`,
    );
  return output.content;
}

function takeSize(block) {
  let [size, factor, byte] = [0, 1, 0x80];
  while (byte >= 0x80) {
    [byte] = block.take(1);
    size += (byte & 0x7f) * factor;
    factor *= 0x80;
  }
  return size;
}

/** The two lowest bits of the first byte say what it is, the others how long. */
function takeElement(block, output) {
  const [tag] = block.take(1);
  const rest = tag >> 2;
  switch (tag & 0b11) {
    case 0: {
      const more = rest - 59;
      return output.copy(
        block.take(1 + (more > 0 ? block.take(more).readUIntLE(0, more) : rest)),
      );
    }
    case 1:
      return output.repeat(((tag >> 5) << 8) | block.take(1)[0], 4 + (rest & 0b111));
    case 2:
      return output.repeat(block.take(2).readUInt16LE(), 1 + rest);
    default:
      return output.repeat(block.take(4).readUInt32LE(), 1 + rest);
  }
}

module.exports = { unsnappy };
