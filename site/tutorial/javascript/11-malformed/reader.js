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

  /** Takes so many bytes, or null for the size -1. */
  nullable(size) {
    return size === -1 ? null : this.take(size);
  }

  /** Refuses bytes that nobody has asked for. */
  end() {
    if (this.left) throw new Malformed(`${this.left} bytes follow the last field`);
  }

  /** Takes a varint of what cannot be less than none. */
  count() {
    const count = this.varint();
    if (count < 0) throw new Malformed(`a count of ${count}`);
    return count;
  }

  /** Takes a number of seven bits a byte, signed by zigzag. */
  varint() {
    return Number(this.varlong(32n));
  }

  varlong(bits = 64n) {
    let [number, shift, byte] = [0n, 0n, 0x80];
    while (byte >= 0x80) {
      if (shift >= bits)
        throw new Malformed(`a varint of ${bits} bits goes on at byte ${this.place}`);
      [byte] = this.take(1);
      number |= BigInt(byte & 0x7f) << shift;
      shift += 7n;
    }
    if (number >> bits || (byte === 0 && shift > 7n)) {
      throw new Malformed(`no writer makes the varint before byte ${this.place}`);
    }
    return (number >> 1n) ^ -(number & 1n);
  }
}

module.exports = { Malformed, Reader };
