'use strict';

const { Malformed, Reader } = require('./reader.js');

const [INT64, INT32, INT8] = [8, 4, 1];
const OFFSET_AND_SIZE = INT64 + INT32;
const UP_TO_MAGIC = OFFSET_AND_SIZE + INT32 + INT8;
const SMALLEST = INT32 + INT8 + INT8 + INT32 + INT32; // v0 without key and value
const LARGEST = 2 ** 31 - 1 - OFFSET_AND_SIZE;

/** Gives the whole entries, { magic, data }; one cut off at the end is left out. */
function* entries(data) {
  let place = 0;
  while (data.length - place >= OFFSET_AND_SIZE) {
    const reader = new Reader(data.subarray(place));
    reader.int64(); // the offset
    const size = reader.int32();
    if (size < SMALLEST || size > LARGEST)
      throw new Malformed(`an entry of ${size} bytes, at byte ${place}`);
    if (data.length - place < UP_TO_MAGIC) return;
    reader.int32();
    const magic = reader.int8();
    if (magic < 0 || magic > 2)
      throw new Malformed(`an entry with the magic byte ${magic}, at byte ${place}`);
    const end = place + OFFSET_AND_SIZE + size;
    if (end > data.length) return;
    yield { magic, data: data.subarray(place, end) };
    place = end;
  }
}

module.exports = { entries };
