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
}

module.exports = { Malformed, Reader };
