'use strict';

const { Malformed } = require('./reader.js');

/** What snappy and LZ4 make: bytes of the block, and repetitions of what is there. */
class Output {
  constructor(most) {
    this.data = Buffer.alloc(most);
    this.size = 0;
  }

  get content() {
    return this.data.subarray(0, this.size);
  }

  copy(bytes) {
    this.check(bytes.length);
    this.size += bytes.copy(this.data, this.size);
  }

  /** Repeats what is so many bytes back; with more bytes than that, it repeats itself. */
  repeat(distance, size) {
    if (distance < 1 || distance > this.size)
      throw new Malformed(`there is nothing ${distance} bytes back`);
    this.check(size);
    for (const end = this.size + size; this.size < end; this.size += 1) {
      this.data[this.size] = this.data[this.size - distance];
    }
  }

  check(size) {
    if (this.size + size > this.data.length)
      throw new Malformed('a block has more content than it may have');
  }
}

module.exports = { Output };
