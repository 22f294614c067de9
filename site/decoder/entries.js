/**
 * A run of entries: where each begins and ends, and by which format it is written. The first 17
 * bytes are the same in v0, v1 and v2. The last entry may be cut off anywhere, because brokers cut
 * at a number of bytes.
 */
'use strict';

const { Fault, STAGES } = require('./fault.js');
const { integer } = require('./numbers.js');
const { find, places } = require('./spec.js');

const INT32 = { size: 4, signed: true };
const HIGHEST_MAGIC = 2;

/** Returns the sizes and places that framing needs, from the layouts. */
function frame() {
  const entry = places(find('message_set_entry'));
  return {
    sizeAt: entry.message_size,
    overhead: entry.end,
    magicAt: places(find('record_batch')).magic,
    smallest: find('message_v0').fields.reduce((sum, field) => sum + field.type.least, 0),
    largest: 2 ** 31 - 1 - entry.end, // Kafka adds the two in an int32
  };
}

/**
 * Yields the whole entries: start, end, magic and index. One that is cut off at the end is left
 * out, as in Kafka.
 */
function* split(data) {
  const { sizeAt, overhead, magicAt, smallest, largest } = frame();
  let [position, index] = [0, 0];
  while (data.length - position >= overhead) {
    const size = integer(data, position + sizeAt, INT32);
    const end = position + overhead + size;
    if (size < smallest) {
      throw framing(
        'entry.size.minimum',
        `is ${size}, the smallest message has ${smallest} bytes`,
        position + sizeAt,
        'size',
        index,
      );
    }
    if (data.length - position <= magicAt) return;
    if (size > largest) {
      throw framing(
        'entry.size.maximum',
        `is ${size}, the largest is ${largest}`,
        position + sizeAt,
        'size',
        index,
      );
    }
    const magic = integer(data, position + magicAt, { size: 1, signed: true });
    if (magic < 0 || magic > HIGHEST_MAGIC) {
      throw framing(
        'entry.magic.known',
        `is ${magic}, known are 0, 1, 2`,
        position + magicAt,
        'magic',
        index,
      );
    }
    if (end > data.length) return;
    yield { start: position, end, magic, index };
    position = end;
    index += 1;
  }
}

function framing(rule, detail, offset, field, entry) {
  return new Fault(detail, { rule, stage: STAGES.FRAMING, offset, path: [field], entry });
}

module.exports = { HIGHEST_MAGIC, frame, split };
