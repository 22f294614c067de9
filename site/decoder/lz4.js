/**
 * lz4 (codec 3): one LZ4 frame with independent blocks. In format v0 the header checksum may also
 * be the one that Kafka wrote then, over the magic too (KAFKA-3160).
 */
'use strict';

const { broken, joined, overLimit } = require('./codec_faults.js');
const { counted, hex, integer, startsWith, xxh32 } = require('./numbers.js');
const { fieldOf, find, mask, places } = require('./spec.js');

const MAGIC = [0x04, 0x22, 0x4d, 0x18];
const UINT32 = { size: 4, little: true };
const STORED = 2 ** 31;
const GROWTH = 255; // a byte of a match length stands for at most 255 bytes

function decompress(data, magic, limit) {
  const header = readHeader(data, magic);
  const pieces = [];
  let { position, size } = blocks(data, header, limit, pieces);
  const content = joined(pieces);
  if (header.contentSize !== null && header.contentSize !== BigInt(size)) {
    const detail = `the header announces ${counted(header.contentSize, 'byte')} of content, the blocks have ${size}`;
    throw broken(header.sizeAt, 'compression.lz4.content-size', detail);
  }
  if (header.contentChecksum)
    position = checksumEnd(data, position, content, 'compression.lz4.content-checksum');
  if (position < data.length) {
    const hint = startsWith(data, MAGIC, position)
      ? 'This is a second frame; Kafka reads only one.'
      : '';
    const detail = `bytes after the frame: ${data.length - position}`;
    throw broken(position, 'compression.lz4.trailing-bytes', detail, hint);
  }
  return content;
}

function readHeader(data, magic) {
  const layout = find('lz4_frame_header');
  const { flags: flagsAt, block_descriptor: descriptorAt, end: sizeAt } = places(layout);
  if (!startsWith(data, MAGIC)) {
    const start = hex(data.subarray(0, flagsAt), ' ') || 'nothing';
    throw broken(
      0,
      'compression.lz4.magic',
      `a frame starts with 04 22 4d 18, this starts with ${start}`,
    );
  }
  if (data.length < sizeAt + 1) {
    throw broken(
      flagsAt,
      'compression.lz4.header',
      `a frame header has ${sizeAt + 1} bytes or more`,
    );
  }
  const [flags, descriptor] = [data[flagsAt], data[descriptorAt]];
  const has = (name) => (flags & mask(layout, 'flags', name)) > 0;
  checkFlags(layout, flags, flagsAt, has);
  const maximum = checkDescriptor(layout, descriptor, descriptorAt);
  const end = sizeAt + (has('has_content_size') ? 8 : 0);
  if (data.length <= end)
    throw broken(sizeAt, 'compression.lz4.header', 'the input ends inside the content size');
  checkHeaderChecksum(data, flagsAt, end, magic);
  return {
    end: end + 1,
    sizeAt,
    maximum: 2 ** (8 + 2 * maximum),
    blockChecksums: has('has_block_checksums'),
    contentChecksum: has('has_content_checksum'),
    contentSize: has('has_content_size') ? integer(data, sizeAt, { size: 8, little: true }) : null,
  };
}

function checkFlags(layout, flags, at, has) {
  const version =
    flags >> fieldOf(layout, 'flags').bits.find((bits) => bits.name === 'version').low;
  const known = fieldOf(layout, 'flags').bits.reduce(
    (sum, bits) => sum | (bits.mask << bits.low),
    0,
  );
  if (version !== 1)
    throw broken(at, 'compression.lz4.version', `frame format version ${version}, must be 1`);
  if (!has('independent_blocks')) {
    const hint = 'Kafka reads independent blocks only.';
    throw broken(at, 'compression.lz4.independent-blocks', 'the blocks are linked', hint);
  }
  if (flags & ~known) {
    throw broken(
      at,
      'compression.lz4.reserved-bits',
      `the reserved bit 1 is set in FLG 0x${hex([flags])}`,
    );
  }
  if (has('has_dictionary_id')) {
    const hint = 'Kafka reads frames without one only.';
    throw broken(at, 'compression.lz4.dictionary', 'the frame needs a dictionary', hint);
  }
}

/** Returns the number of the largest size that a block may have. */
function checkDescriptor(layout, descriptor, at) {
  const reserved = ~mask(layout, 'block_descriptor', 'block_maximum');
  const maximum = descriptor >> 4;
  if (descriptor & reserved) {
    throw broken(
      at,
      'compression.lz4.reserved-bits',
      `reserved bits are set in BD 0x${hex([descriptor])}`,
    );
  }
  if (maximum < 4 || maximum > 7) {
    const detail = `block maximum ${maximum}, must be 4 to 7 (64 KiB to 4 MiB)`;
    throw broken(at, 'compression.lz4.block-maximum', detail);
  }
  return maximum;
}

function checkHeaderChecksum(data, start, end, magic) {
  const [right, legacy] = [start, 0].map((from) => (xxh32(data.subarray(from, end)) >>> 8) & 0xff);
  if (data[end] === right || (magic === 0 && data[end] === legacy)) return;
  const expected = hex([right]) + (magic === 0 ? `, or ${hex([legacy])} as Kafka wrote it` : '');
  const hint =
    data[end] === legacy
      ? 'This checksum covers the frame magic too (KAFKA-3160), which is for format v0 only.'
      : '';
  const detail = `stored ${hex([data[end]])}, the header gives ${expected}`;
  throw broken(end, 'compression.lz4.header-checksum', detail, hint);
}

/**
 * Reads all blocks into `pieces`: how many bytes they have, and the position after the end mark.
 */
function blocks(data, header, limit, pieces) {
  let [position, size] = [header.end, 0];
  for (;;) {
    const { length, stored } = blockSize(data, position, header);
    position += UINT32.size;
    if (length === 0) return { position, size };
    const start = position;
    const block = data.subarray(start, start + length);
    position += length;
    if (header.blockChecksums)
      position = checksumEnd(data, position, block, 'compression.lz4.block-checksum');
    const room = Math.min(header.maximum, GROWTH * length);
    const content = stored ? block : (uncompress(block, room) ?? refuse(start, header.maximum));
    pieces.push(content);
    size += content.length;
    if (size > limit) throw overLimit(start, limit);
  }
}

function refuse(start, maximum) {
  throw broken(
    start,
    'compression.lz4.block',
    `not a valid LZ4 block of at most ${maximum} bytes of content`,
  );
}

/** Reads the size of a block; 0 is the end mark. */
function blockSize(data, position, header) {
  const left = data.length - position - UINT32.size;
  if (left < 0)
    throw broken(position, 'compression.lz4.end-mark', 'the input ends without an end mark');
  const size = integer(data, position, UINT32);
  const [stored, length] = [size >= STORED, size % STORED];
  if (stored && length === 0) {
    const detail = 'a stored block of no bytes is neither a block nor the end mark';
    throw broken(position, 'compression.lz4.end-mark', detail);
  }
  if (length > header.maximum) {
    const detail = `block of ${counted(length, 'byte')}, the header allows ${header.maximum}`;
    throw broken(position, 'compression.lz4.block-length', detail);
  }
  if (length > left) {
    throw broken(
      position,
      'compression.lz4.block-length',
      `block of ${counted(length, 'byte')}, ${left} ${left === 1 ? 'is' : 'are'} left`,
    );
  }
  return { length, stored };
}

function checksumEnd(data, start, hashed, rule) {
  const end = start + UINT32.size;
  if (data.length < end) throw broken(start, rule, 'the input ends inside this checksum');
  const [stored, computed] = [integer(data, start, UINT32), xxh32(hashed)];
  if (stored !== computed) {
    const [was, is] = [stored, computed].map((number) => number.toString(16).padStart(8, '0'));
    throw broken(start, rule, `stored ${was}, the bytes give ${is}`);
  }
  return end;
}

// How a block has to end (LZ4 block format, "end of block conditions"), as the LZ4 library checks
// it: the last sequence is literals only, the last five bytes are literals, and the last match
// begins twelve bytes before the end or earlier.
const [LAST_LITERALS, MATCH_LIMIT] = [5, 12];

/**
 * Follows the sequences of a block: literals, then a match. Null if one is wrong, or there are more
 * than `room` bytes.
 */
function uncompress(data, room) {
  const out = new Uint8Array(room);
  let [at, filled] = [0, 0];
  const longer = (length, end) => {
    let [whole, byte] = [length, 255];
    while (byte === 255) {
      if (at >= end) return Infinity;
      byte = data[at];
      at += 1;
      whole += byte;
    }
    return whole;
  };
  while (at < data.length) {
    const token = data[at];
    at += 1;
    const literals = token >> 4 === 15 ? longer(15, data.length - 15) : token >> 4;
    const isLast =
      filled + literals > room - MATCH_LIMIT || at + literals > data.length - 3 - LAST_LITERALS;
    if (isLast && (at + literals !== data.length || filled + literals > room)) return null;
    out.set(data.subarray(at, at + literals), filled);
    at += literals;
    filled += literals;
    if (isLast) return out.slice(0, filled);
    const back = data[at] | (data[at + 1] << 8);
    at += 2;
    const length =
      ((token & 15) === 15 ? longer(15, data.length - LAST_LITERALS + 1) : token & 15) + 4;
    if (back > filled || filled + length > room - LAST_LITERALS) return null;
    // A match at distance 0 copies zeros, as the LZ4 library and Kafka do.
    for (let index = filled; index < filled + length; index += 1)
      out[index] = back ? out[index - back] : 0;
    filled += length;
  }
  return null;
}

module.exports = { decompress };
