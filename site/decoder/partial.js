/**
 * The start of a payload that is cut short or damaged: what there is of it, and no verdict. What a
 * codec gives before it has to stop is returned; zstd gives nothing here.
 */
'use strict';

const libraries = require('./libraries.js');
const { integer } = require('./numbers.js');

const WINDOW = 31; // zlib's word for the largest window, behind the header of gzip
const SYNC = 2; // zlib's word for giving what there is
const XERIAL = [0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59];
const XERIAL_HEADER = 16;
const SIZE = { size: 4, signed: false };
const LITTLE = { size: 4, little: true };
const STORED = 2 ** 31; // the bit in the size of a block of LZ4 that is stored as it is

/** Returns what can be decompressed of a payload, `limit` bytes at most. */
function decompressStart(codec, data, limit) {
  if (codec === 'none') return data.subarray(0, limit);
  const made = new Made(limit);
  (CODECS[codec] ?? (() => undefined))(data, made);
  return made.content();
}

/** Bytes that grow up to a limit. */
class Made {
  constructor(limit) {
    Object.assign(this, { limit, bytes: new Uint8Array(256), size: 0 });
  }

  get isFull() {
    return this.size >= this.limit;
  }

  add(piece) {
    const part = piece.subarray(0, this.limit - this.size);
    this.grow(part.length);
    this.bytes.set(part, this.size);
    this.size += part.length;
  }

  /** Appends bytes that are there already, `start` being where the piece began; false if they are not. */
  copy(distance, length, start) {
    if (distance <= 0 || distance > this.size - start) return false;
    const count = Math.min(length, this.limit - this.size);
    this.grow(count);
    for (let index = 0; index < count; index += 1)
      this.bytes[this.size + index] = this.bytes[this.size + index - distance];
    this.size += count;
    return true;
  }

  grow(count) {
    if (this.size + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.min(2 * (this.size + count), this.limit + 256));
    larger.set(this.bytes.subarray(0, this.size));
    this.bytes = larger;
  }

  content() {
    return this.bytes.slice(0, this.size);
  }
}

const CODECS = { gzip, snappy, lz4 };

function gzip(data, made) {
  if (!libraries.pako) return;
  const inflater = new libraries.pako.Inflate({ windowBits: WINDOW, chunkSize: 4096 });
  inflater.onData = (piece) => made.add(piece);
  inflater.push(data, SYNC);
}

function lz4(data, made) {
  if (data.length < 7) return;
  const flags = data[4];
  let position = 7 + (flags & 8 ? 8 : 0) + (flags & 1 ? 4 : 0);
  while (position + 4 <= data.length && !made.isFull) {
    const size = integer(data, position, LITTLE);
    const length = size % STORED;
    if (!length) return;
    const block = data.subarray(position + 4, position + 4 + length);
    if (size >= STORED) made.add(block);
    else lz4Block(block, made);
    position += 4 + length + (flags & 16 ? 4 : 0);
  }
}

function lz4Block(block, made) {
  const start = made.size;
  let position = 0;
  const lengthFrom = (first) => {
    let length = first;
    if (length < 15) return length;
    while (position < block.length) {
      const octet = block[position];
      position += 1;
      length += octet;
      if (octet < 255) break;
    }
    return length;
  };
  while (position < block.length && !made.isFull) {
    const token = block[position];
    position += 1;
    const literals = lengthFrom(token >> 4);
    made.add(block.subarray(position, position + literals));
    position += literals;
    if (position + 2 > block.length) return;
    const distance = block[position] + 256 * block[position + 1];
    position += 2;
    if (!made.copy(distance, lengthFrom(token & 15) + 4, start)) return;
  }
}

function snappy(data, made) {
  if (!XERIAL.every((octet, index) => data[index] === octet)) {
    snappyBlock(data, made);
    return;
  }
  let position = XERIAL_HEADER;
  while (position + 4 <= data.length && !made.isFull) {
    const end = position + 4 + integer(data, position, SIZE);
    snappyBlock(data.subarray(position + 4, end), made);
    position = end;
  }
}

function snappyBlock(block, made) {
  const start = made.size;
  let position = block.subarray(0, 5).findIndex((octet) => octet < 0x80) + 1 || block.length;
  const numberOf = (size) =>
    block
      .subarray(position, position + size)
      .reduce((sum, octet, index) => sum + octet * 256 ** index, 0);
  while (position < block.length && !made.isFull) {
    const tag = block[position];
    const kind = tag & 3;
    position += 1;
    if (kind === 0) {
      const more = Math.max(0, (tag >> 2) - 59);
      const length = (more ? numberOf(more) : tag >> 2) + 1;
      made.add(block.subarray(position + more, position + more + length));
      position += more + length;
      continue;
    }
    const size = [1, 2, 4][kind - 1];
    const distance = numberOf(size) + (kind === 1 ? (tag >> 5) << 8 : 0);
    const length = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    position += size;
    if (position > block.length || !made.copy(distance, length, start)) return;
  }
}

module.exports = { decompressStart };
