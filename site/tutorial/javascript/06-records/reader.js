'use strict';

/** The bytes break a rule. */
class Malformed extends Error {}

/** Takes one field after another, and never more than there is. */
class Reader {
  constructor(data) {
    this.data = data;
    this.place = 0;
  }

  get left() {
    return this.data.length - this.place;
  }

  take(size) {
    if (size < 0 || size > this.left) {
      throw new Malformed(
        `${size} bytes are wanted at byte ${this.place}, and ${this.left} are left`,
      );
    }
    this.place += size;
    return this.data.subarray(this.place - size, this.place);
  }

  int8() {
    return this.take(1).readInt8();
  }

  int16() {
    return this.take(2).readInt16BE();
  }

  int32() {
    return this.take(4).readInt32BE();
  }

  uint32() {
    return this.take(4).readUInt32BE();
  }

  int64() {
    return this.take(8).readBigInt64BE();
  }

  /** Takes so many bytes, or null for a negative size. */
  nullable(size) {
    return size < 0 ? null : this.take(size);
  }

  /** Takes a number of seven bits a byte, signed by zigzag. */
  varint() {
    return Number(this.varlong());
  }

  varlong() {
    let [number, shift, byte] = [0n, 0n, 0x80];
    while (byte >= 0x80) {
      [byte] = this.take(1);
      number |= BigInt(byte & 0x7f) << shift;
      shift += 7n;
    }
    return (number >> 1n) ^ -(number & 1n);
  }
}

module.exports = { Malformed, Reader };
