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

module.exports = { crc32c };
