/** snappy (codec 2): one raw block, or raw blocks in snappy-java's framing (xerial). */
'use strict';

const { broken, joined, overLimit } = require('./codec_faults.js');
const { counted, hex, integer, leftText, startsWith } = require('./numbers.js');
const { find, places } = require('./spec.js');

const MAGIC = [0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00];
const VERSIONS = ['0000000100000001', '0100000001000000']; // Redpanda wrote them little-endian
const OFFICIAL = [0xff, 0x06, 0x00, 0x00, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59];
const INT32 = { size: 4, signed: true };
const GROWTH = 22; // the densest element is a copy of 64 bytes in 3

function decompress(data, _magic, limit) {
  if (startsWith(data, MAGIC)) return joined([...chunks(data, limit)]);
  if (data.length && !startsWith(data, OFFICIAL)) return block(data, 0, data.length, limit, limit);
  const [detail, hint] = data.length
    ? [
        'the official snappy framing, which Kafka does not use',
        'Write the xerial framing of snappy-java.',
      ]
    : ['no bytes', 'An empty payload is the 16 bytes of the xerial header.'];
  throw broken(0, 'compression.snappy.magic', detail, hint);
}

function* chunks(data, limit) {
  let [position, room] = [headerEnd(data), limit];
  while (position < data.length) {
    if (data.length - position < INT32.size) {
      throw broken(
        position,
        'compression.snappy.trailing-bytes',
        'too few bytes for the length of a chunk',
      );
    }
    const start = position + INT32.size;
    const end = chunkEnd(data, position, start);
    const content = block(data, start, end, room, limit);
    yield content;
    [position, room] = [end, room - content.length];
  }
}

function headerEnd(data) {
  const { version, least_compatible_version: least, end } = places(find('xerial_header'));
  if (data.length < end)
    throw broken(0, 'compression.snappy.header', `a xerial header has ${end} bytes`);
  if (!VERSIONS.includes(hex(data.subarray(version, end)))) {
    const [own, compatible] = [version, least].map((at) => integer(data, at, INT32));
    const detail = `version and least compatible version are ${own} and ${compatible}, must be 1 and 1`;
    throw broken(version, 'compression.snappy.version', detail);
  }
  return end;
}

function chunkEnd(data, position, start) {
  const [length, left] = [integer(data, position, INT32), data.length - start];
  if (length > 0 && length <= left) return start + length;
  const hint = startsWith(data, MAGIC, position)
    ? 'This is a second xerial header; the flag snappy-concatenated-streams skips it, as Kafka does.'
    : '';
  throw broken(
    position,
    'compression.snappy.chunk-length',
    `chunk length ${length}, ${leftText(left)}`,
    hint,
  );
}

/** Uncompresses the raw block in `data[start:end]`. */
function block(data, start, end, room, limit) {
  const { size, at } = announced(data, start, end);
  if (size > GROWTH * (end - start)) {
    const detail = `${counted(end - start, 'byte')} cannot decompress to ${size}, which this block announces`;
    throw broken(start, 'compression.snappy.block-size', detail);
  }
  if (size > room) throw overLimit(start, limit);
  return uncompress(data, at, end, size) ?? refuse(start);
}

function refuse(start) {
  throw broken(start, 'compression.snappy.block', 'not a valid snappy block');
}

/** Reads the size at the start of a block. */
function announced(data, start, end) {
  let size = 0;
  for (let place = 0; place < 5 && start + place < end; place += 1) {
    const byte = data[start + place];
    size += (byte & 0x7f) * 2 ** (7 * place);
    if (byte < 0x80) return { size, at: start + place + 1 };
  }
  const detail = 'the size at the start of the block does not end in 5 bytes';
  throw broken(start, 'compression.snappy.block-size', detail);
}

/**
 * Follows the elements of a block: literals, and copies of what is there already. Null if one is
 * wrong.
 */
function uncompress(data, start, end, size) {
  const out = new Uint8Array(size);
  let [at, filled] = [start, 0];
  while (at < end) {
    const tag = data[at];
    at += 1;
    const extra = tag & 3 ? [0, 1, 2, 4][tag & 3] : Math.max(0, (tag >> 2) - 59);
    if (at + extra > end) return null;
    let number = 0;
    for (let index = extra - 1; index >= 0; index -= 1) number = number * 256 + data[at + index];
    at += extra;
    const length = lengthOf(tag, number);
    if (length > size - filled) return null;
    if ((tag & 3) === 0) {
      if (length > end - at) return null;
      out.set(data.subarray(at, at + length), filled);
      at += length;
    } else {
      const back = (tag & 3) === 1 ? ((tag >> 5) << 8) | number : number;
      if (back === 0 || back > filled) return null;
      for (let index = filled; index < filled + length; index += 1) out[index] = out[index - back];
    }
    filled += length;
  }
  return filled === size ? out : null;
}

function lengthOf(tag, number) {
  switch (tag & 3) {
    case 0:
      return (tag >> 2 < 60 ? tag >> 2 : number) + 1;
    case 1:
      return ((tag >> 2) & 7) + 4;
    default:
      return (tag >> 2) + 1;
  }
}

module.exports = { decompress };
