'use strict';

const crc32c = crcOf(0x82f63b78);

/** Gives the function of a CRC of 32 bits; bit 0 of the polynomial is the highest. */
function crcOf(polynomial) {
  const table = Int32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1)
      rest = rest & 1 ? (rest >>> 1) ^ polynomial : rest >>> 1;
    return rest;
  });
  return (data) => {
    let crc = -1;
    for (const byte of data) crc = table[(crc ^ byte) & 0xff] ^ (crc >>> 8);
    return ~crc >>> 0; // >>> 0 makes an unsigned number of 32 signed bits
  };
}

const [P1, P2, P3, P4, P5] = [2654435761, 2246822519, 3266489917, 668265263, 374761393];
const rotate = (number, bits) => (number << bits) | (number >>> (32 - bits));
const round = (lane, word) => Math.imul(rotate(lane + Math.imul(word, P2), 13), P1);

/** Gives xxHash of 32 bits, with the seed 0. */
function xxh32(data) {
  let place = 0;
  let hash = P5;
  if (data.length >= 16) {
    let lanes = [P1 + P2, P2, 0, -P1];
    for (; place + 16 <= data.length; place += 16) {
      lanes = lanes.map((lane, index) =>
        round(lane, data.readInt32LE(place + 4 * index)),
      );
    }
    hash = [1, 7, 12, 18].reduce(
      (sum, bits, index) => sum + rotate(lanes[index], bits),
      0,
    );
  }
  hash += data.length;
  for (; place + 4 <= data.length; place += 4) {
    hash = Math.imul(rotate(hash + Math.imul(data.readInt32LE(place), P3), 17), P4);
  }
  for (; place < data.length; place += 1)
    hash = Math.imul(rotate(hash + Math.imul(data[place], P5), 11), P1);
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

module.exports = { crc32c, xxh32 };
