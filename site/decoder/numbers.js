/**
 * Numbers as bytes have them: fixed integers, varints, checksums, text. An int64 is a bigint, all
 * others are numbers.
 */
'use strict';

/** Reads a fixed integer of 1, 2, 4 or 8 bytes. */
function integer(data, at, { size, signed = false, little = false }) {
  let number = 0;
  if (size === 8) {
    const view = new DataView(data.buffer, data.byteOffset + at, 8);
    return signed ? view.getBigInt64(0, little) : view.getBigUint64(0, little);
  }
  for (let index = 0; index < size; index += 1)
    number = number * 256 + data[little ? at + size - 1 - index : at + index];
  return signed && number >= 2 ** (8 * size - 1) ? number - 2 ** (8 * size) : number;
}

/**
 * Reads a varint that begins at `at` and lies before `end`: its value, the place after it, and how
 * it bends the rules. Null if it is cut off; an `end` of -1 if it is too long. Bits that the width
 * cannot hold are dropped, as Kafka does.
 */
function varint(data, at, end, kind) {
  let number = 0n;
  for (let index = 0; index < kind.most; index += 1) {
    if (at + index >= end) return null;
    const group = data[at + index];
    if (index === 0 && group < 0x80)
      return { value: meaning(group, kind), end: at + 1, overlong: false, excess: false };
    number |= BigInt(group & 0x7f) << BigInt(7 * index);
    if (group < 0x80) {
      const fits = BigInt.asUintN(kind.bits, number);
      const value = kind.bits === 32 ? meaning(Number(fits), kind) : wide(fits);
      return { value, end: at + index + 1, overlong: group === 0, excess: fits !== number };
    }
  }
  return { value: 0, end: -1, overlong: false, excess: false };
}

function meaning(number, kind) {
  if (kind.bits === 64) return wide(BigInt(number));
  return kind.zigzag ? (number >>> 1) ^ -(number & 1) : number - (kind.plus ?? 0);
}

const wide = (number) => (number >> 1n) ^ -(number & 1n);
const int64 = (number) => BigInt.asIntN(64, number);

const table = (polynomial) =>
  Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
    return rest;
  });
// Both polynomials with their bits reversed.
const TABLES = { crc32: table(0xedb88320), crc32c: table(0x82f63b78) };

/** Returns the `crc32` (IEEE) or `crc32c` (Castagnoli) of bytes. */
function checksum(algorithm, data) {
  const known = TABLES[algorithm];
  let rest = 0xffffffff;
  for (let at = 0; at < data.length; at += 1) rest = known[(rest ^ data[at]) & 0xff] ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}

const [PRIME_1, PRIME_2, PRIME_3, PRIME_4, PRIME_5] = [
  0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1,
];
const turn = (number, bits) => (number << bits) | (number >>> (32 - bits));

/** Returns the xxh32 of bytes with seed 0, which LZ4 frames are checked by. */
function xxh32(data) {
  const word = (at) => data[at] | (data[at + 1] << 8) | (data[at + 2] << 16) | (data[at + 3] << 24);
  let [at, sum] = [0, PRIME_5];
  if (data.length >= 16) {
    const lanes = Int32Array.of(PRIME_1 + PRIME_2, PRIME_2, 0, -PRIME_1);
    for (; at + 16 <= data.length; at += 16) {
      for (let lane = 0; lane < 4; lane += 1) {
        lanes[lane] = Math.imul(
          turn(lanes[lane] + Math.imul(word(at + 4 * lane), PRIME_2), 13),
          PRIME_1,
        );
      }
    }
    sum = turn(lanes[0], 1) + turn(lanes[1], 7) + turn(lanes[2], 12) + turn(lanes[3], 18);
  }
  sum = (sum + data.length) | 0;
  for (; at + 4 <= data.length; at += 4)
    sum = Math.imul(turn(sum + Math.imul(word(at), PRIME_3), 17), PRIME_4);
  for (; at < data.length; at += 1)
    sum = Math.imul(turn(sum + Math.imul(data[at], PRIME_5), 11), PRIME_1);
  sum = Math.imul(sum ^ (sum >>> 15), PRIME_2);
  sum = Math.imul(sum ^ (sum >>> 13), PRIME_3);
  return (sum ^ (sum >>> 16)) >>> 0;
}

/** Returns where the first byte sequence is that is not UTF-8 (RFC 3629); -1 if there is none. */
function utf8Fault(data) {
  for (let at = 0; at < data.length;) {
    const size = sequence(data, at);
    if (!size) return at;
    at += size;
  }
  return -1;
}

/** Returns the bytes of the character that begins at `at`; 0 if none does. */
function sequence(data, at) {
  const first = data[at];
  if (first < 0x80) return 1;
  const size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const lowest = { 0xe0: 0xa0, 0xf0: 0x90 }[first] ?? 0x80;
  const highest = { 0xed: 0x9f, 0xf4: 0x8f }[first] ?? 0xbf;
  if (!size || !(data[at + 1] >= lowest && data[at + 1] <= highest)) return 0;
  for (let index = 2; index < size; index += 1) if ((data[at + index] & 0xc0) !== 0x80) return 0;
  return size;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Returns bytes as text; what is no UTF-8 becomes the replacement character. */
const text = (data) => decoder.decode(data);
const hex = (data, between = '') =>
  Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join(between);

/** Tells whether bytes stand at a place. */
const startsWith = (data, start, at = 0) => start.every((byte, index) => data[at + index] === byte);

/** Returns a number of things in words: `1 byte`, `2 bytes`. */
const counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Returns how many bytes are left: `1 byte is left`. */
const leftText = (count) => `${counted(count, 'byte')} ${count === 1 ? 'is' : 'are'} left`;

module.exports = { counted, integer, leftText, varint, int64, checksum, xxh32, utf8Fault, text, hex, startsWith };
