/** From entries to records: what a consumer sees of v0, v1 and v2. */
'use strict';

const control = require('./control.js');
const legacy = require('./legacy.js');
const { Budget } = require('./budget.js');
const { changing } = require('./fault.js');
const { int64, integer } = require('./numbers.js');
const { Reader } = require('./reader.js');
const { find, fieldOf, mask, places } = require('./spec.js');
const { split } = require('./entries.js');

/** Returns the records of a run of entries. */
function decode(data, limits = {}) {
  return [...iterate(data, limits)].flat();
}

/** Yields the records of each entry. With `each`, limits hold for every entry by itself. */
function* iterate(data, limits = {}, { each = false } = {}) {
  let budget = new Budget(limits);
  for (const entry of split(data)) {
    yield changing(
      (fault) => fault.within([], { entry: entry.index }),
      () => readEntry(data, entry, budget),
    );
    if (each) budget = new Budget(limits);
  }
}

function readEntry(data, entry, budget) {
  if (entry.magic !== 2) return legacy.read(data, entry, budget);
  const { limit } = budget;
  const records = readBatch(data, entry, budget);
  if (records.length && records[0].control) control.check(records, data, entry, limit);
  return records;
}

function readBatch(data, entry, budget) {
  checkCount(data, entry, budget);
  const reader = new Reader(data, { limit: budget.limit });
  const batch = reader.read(find('record_batch'), entry.start, entry.end);
  budget.records -= batch.records.length;
  budget.limit -= reader.payloadSize;
  return batch.records.map((record) => recordOf(batch, record));
}

/** Refuses more records than allowed. Counts that the bytes cannot hold are left to the reader. */
function checkCount(data, entry, budget) {
  const layout = find('record_batch');
  const at = places(layout);
  let room = entry.end - entry.start - at.end;
  if (room < 0) return;
  const count = integer(data, entry.start + at.record_count, fieldOf(layout, 'record_count').type);
  const attributes = integer(data, entry.start + at.attributes, fieldOf(layout, 'attributes').type);
  if (attributes & mask(layout, 'attributes', 'codec')) room = budget.limit;
  const smallest = fieldOf(layout, 'records').type.item.least;
  if (budget.records < count && count <= Math.floor(room / smallest)) {
    throw budget.exceeded(entry.start + at.record_count, ['record_count']);
  }
}

function recordOf(batch, record) {
  const has = (bits) => (batch.attributes & mask(find('record_batch'), 'attributes', bits)) > 0;
  const appended = has('timestamp_type');
  return {
    offset: int64(batch.base_offset + BigInt(record.offset_delta)),
    timestamp: appended
      ? batch.max_timestamp
      : int64(batch.base_timestamp + record.timestamp_delta),
    timestampType: Number(appended),
    key: record.key,
    value: record.value,
    headers: record.headers.map(({ key, value }) => [key, value]),
    producerId: batch.producer_id,
    producerEpoch: batch.producer_epoch,
    sequence: sequenceOf(batch.base_sequence, record.offset_delta),
    transactional: has('is_transactional'),
    control: has('is_control'),
    codec: batch.attributes & mask(find('record_batch'), 'attributes', 'codec'),
  };
}

/**
 * Returns the sequence of a record; after 2147483647 comes 0 (clients
 * DefaultRecordBatch.incrementSequence).
 */
function sequenceOf(base, delta) {
  if (base < 0) return -1;
  const highest = 2 ** 31 - 1;
  const number = base + delta;
  if (delta >= 0 && number <= highest) return number;
  return (number - highest - 1) | 0;
}

module.exports = { decode, iterate };
