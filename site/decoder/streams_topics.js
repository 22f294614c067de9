/**
 * What a key or a value is in the topics that Kafka Streams makes, by the name of the topic. A name
 * says little of what is in a changelog: the key of a window is shown where it ends with a time of
 * our days, and nothing else is guessed there.
 */
'use strict';

const { Reader } = require('./reader.js');
const { faultOf } = require('./fault.js');
const { find } = require('./spec.js');
const { hex } = require('./numbers.js');

const CHANGELOG = /^.+-changelog$/;
const FOREIGN_STORE = /^.+-(?:KTABLE-FK-JOIN-SUBSCRIPTION-STATE-STORE-\d{10}|.+-subscription-store)-changelog$/;

/** Names that Streams gives, and what its classes read there. */
const TOPICS = {
  value: [
    [FOREIGN_STORE, subscription],
    [/^.+-(?:KTABLE-FK-JOIN-SUBSCRIPTION-REGISTRATION-\d{10}|.+-subscription-registration)-topic$/, subscription],
    [/^.+-(?:KTABLE-FK-JOIN-SUBSCRIPTION-RESPONSE-\d{10}|.+-subscription-response)-topic$/, response],
    [/^.+-KTABLE-(?:AGGREGATE|REDUCE)-STATE-STORE-\d{10}-repartition$/, change],
  ],
  key: [
    [FOREIGN_STORE, foreignKey],
    [/^.+-(?:KSTREAM-OUTERSHARED-\d{10}-store|.+-shared-join-store)-changelog$/, joinKey],
  ],
};

/** Milliseconds of 2000 and of 2100. */
const [FIRST, LAST] = [946684800000n, 4102444800000n];
const MOST_DUPLICATES = 1 << 16;
const [END_AND_START, START_AND_NUMBER] = [16, 12];
const [PARTITION, MOST_INSTRUCTIONS] = [4, 3];

/** Returns what waits in a buffer of `suppress`; null where the bytes do not fit to the last. */
function buffered(data, topic, form) {
  if (!CHANGELOG.test(topic) || form?.length !== 1) return null;
  const forms = { 1: [first], 2: [second, third], 3: [third] }[form[0]] ?? [];
  return forms.map((read) => read(data)).find(Boolean) ?? null;
}

function third(data) {
  const value = read('suppressed_value', data);
  const size = Math.max(value?.old_size ?? 0, 0);
  if (!value?.topic || size > value.payload.length) return null;
  const behind = read('suppressed_change', value.payload.subarray(size));
  return behind && !behind.tail.length ? context(value, behind.time) : null;
}

function second(data) {
  const value = read('suppressed_value_2', data);
  return value && isWhole(value) ? context(value.context, value.time) : null;
}

function first(data) {
  const value = read('suppressed_value_1', data);
  return value && isWhole(value) ? context(value.context, value.time) : null;
}

function isWhole({ context: of, pair, tail }) {
  const behind = of.topic && pair && !tail.length ? read('suppressed_pair', pair) : null;
  return behind !== null && !behind.tail.length;
}

function context(of, time) {
  const { topic, partition, offset, timestamp } = of;
  return Object.entries({ topic, partition, offset, timestamp, time });
}

/** Returns what a key or a value is perhaps, and how many bytes are behind it; null if nothing. */
function ofTopic(part, data, topic) {
  for (const [pattern, as] of TOPICS[part]) {
    const found = pattern.test(topic) ? as(data) : null;
    if (found) return found;
  }
  return part === 'key' && CHANGELOG.test(topic) ? windowed(data) : null;
}

function windowed(data) {
  for (const [name, size] of [['session_times', END_AND_START], ['store_window_times', START_AND_NUMBER]]) {
    const times = data.length < size ? null : read(name, data.subarray(data.length - size));
    if (times && isOfOurDays(times)) return { fields: Object.entries(times), behind: data.length - size };
  }
  return null;
}

function isOfOurDays({ start, end = start, number = 0 }) {
  return FIRST <= start && start <= end && end < LAST && number >= 0 && number < MOST_DUPLICATES;
}

function subscription(data) {
  const value = read('foreign_key_subscription', data);
  if (!value || value.instruction < 0 || value.instruction > MOST_INSTRUCTIONS) return null;
  const [version, key] = [value.version_byte & 0x7f, value.payload];
  if (version && key.length < PARTITION) return null;
  const fields = [['version', version], ['instruction', value.instruction], ...hashOf(value)];
  if (!version) return { fields, behind: key.length };
  const at = key.length - PARTITION;
  const partition = new DataView(key.buffer, key.byteOffset, key.length).getInt32(at);
  return { fields: [...fields, ['partition', partition]], behind: at };
}

function response(data) {
  const value = read('foreign_key_response', data);
  if (!value) return null;
  const fields = [['version', value.version_byte & 0x7f], ...hashOf(value)];
  return { fields, behind: value.payload.length || null };
}

function hashOf({ version_byte: version, hash_high: high, hash_low: low }) {
  if (version & 0x80) return [];
  const digits = [high, low].map((half) => BigInt.asUintN(64, half).toString(16).padStart(16, '0'));
  return [['hash', digits.join('')]];
}

function change(data) {
  const last = data.at(-1);
  if (last === undefined || last > 5) return null;
  const content = data.subarray(0, last < 3 ? -1 : -2);
  const latest = last < 3 ? 1 : data.at(-2);
  if (latest !== 0 && latest !== 1) return null;
  const both = last % 3 === 2 ? read('changed_values', content) : null;
  if (last % 3 === 2 && !both?.new_value) return null;
  const [oldValue, newValue] = both ? [both.payload, both.new_value] : last % 3 ? [null, content] : [content, null];
  const values = [['new', newValue], ['old', oldValue]].filter(([, value]) => value);
  const fields = [...values.map(([name, value]) => [name, hex(value)]), ['is_latest', latest === 1 ? 'True' : 'False']];
  return { fields, behind: null };
}

function foreignKey(data) {
  const value = read('foreign_key_store_key', data);
  return value && { fields: [['foreign_key', hex(value.foreign_key)]], behind: value.payload.length };
}

function joinKey(data) {
  const value = read('join_key', data);
  if (!value || value.side > 1 || value.side < 0) return null;
  const side = value.side === 1 ? 'left' : 'right';
  return { fields: [['timestamp', value.timestamp], ['side', side]], behind: value.payload.length };
}

/** Returns the fields of bytes that are one structure to the last byte; null if they are not. */
function read(name, data) {
  const reader = new Reader(data);
  let found = null;
  faultOf(() => {
    const value = reader.read(find(name), 0, data.length);
    if (reader.at === data.length) found = value;
  });
  return found;
}

module.exports = { buffered, ofTopic, read };
