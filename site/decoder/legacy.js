/**
 * Messages of v0 and v1, and the wrappers that hold them compressed. Inner offsets are absolute in
 * v0 and relative in v1, where the wrapper has the offset of its last inner message (KIP-31).
 */
'use strict';

const compression = require('./compression.js');
const { Fault, STAGES, changing } = require('./fault.js');
const { counted, int64 } = require('./numbers.js');
const { Reader } = require('./reader.js');
const { fieldOf, find, mask, places } = require('./spec.js');
const { frame, split } = require('./entries.js');

const HEADS = ['message_v0', 'message_v1'];
const VALUE = ['message', 'value'];

/** Returns the records of one entry: one, or those of a wrapper. */
function read(data, entry, budget) {
  const { offset, message } = readEntry(data, entry, { limit: budget.limit });
  if (!codecOf(message)) {
    budget.take(entry.start);
    return [plain(offset, message)];
  }
  const inner = opened(message, entry, budget);
  const shift = message.magic ? shiftOf(offset, inner.at(-1).offset, entry.start) : 0n;
  return inner.map((one) => innerRecord(int64(one.offset + shift), one.message, message));
}

function readEntry(data, entry, how) {
  return new Reader(data, how).read(find('message_set_entry'), entry.start, entry.end);
}

/** Returns the number of the codec of a message; 0 if it is no wrapper. */
function codecOf(message) {
  return message.attributes & mask(find('message_v1'), 'attributes', 'codec');
}

function opened(message, entry, budget) {
  const at = valueAt(message, entry);
  if (message.value === null) {
    const length = fieldOf(find(HEADS[message.magic]), 'value').type.least;
    throw fault('legacy.wrapper.value.not-null', 'a wrapper without a value', at - length, [
      ...VALUE,
      'length',
    ]);
  }
  const payload = changing(
    (error) => error.within(VALUE, { offset: at }),
    () => decompressed(message, budget.limit),
  );
  budget.limit -= payload.length;
  const inner = innerMessages(payload, message.magic, budget);
  if (!inner.length)
    throw fault('legacy.wrapper.not-empty', 'a wrapper without any inner message', at, VALUE);
  return inner;
}

/** Returns where the bytes of a message's value stand. */
function valueAt(message, entry) {
  const layout = find(HEADS[message.magic]);
  const lengths = fieldOf(layout, 'key').type.least + fieldOf(layout, 'value').type.least;
  return entry.start + frame().overhead + places(layout).end + lengths + (message.key?.length ?? 0);
}

function decompressed(message, limit) {
  return compression.decompress(compression.NAMES[codecOf(message)], message.value, {
    magic: message.magic,
    limit,
  });
}

function innerMessages(payload, magic, budget) {
  const messages = [];
  let end = 0;
  changing(
    (error) => error.within([...VALUE, messages.length], { payload: true }),
    () => {
      for (const entry of split(payload)) {
        budget.take(entry.start);
        messages.push(innerMessage(payload, entry, magic));
        end = entry.end;
      }
      if (end !== payload.length) {
        const detail = `${counted(payload.length - end, 'byte')} at the end ${payload.length - end === 1 ? 'is' : 'are'} not a whole message`;
        throw fault('legacy.wrapper.inner.whole', detail, end);
      }
    },
  );
  return messages;
}

function innerMessage(payload, entry, magic) {
  if (entry.magic !== magic) {
    const detail = `is ${entry.magic}, the wrapper's is ${magic}`;
    throw fault('legacy.wrapper.inner.magic', detail, entry.start + frame().magicAt, [
      'message',
      'magic',
    ]);
  }
  const found = readEntry(payload, entry, {});
  if (codecOf(found.message)) {
    const name = compression.NAMES[codecOf(found.message)];
    const at = entry.start + frame().overhead + places(find(HEADS[magic])).attributes;
    throw fault('legacy.wrapper.not-nested', `is compressed (${name}) inside a wrapper`, at, [
      'message',
      'attributes',
    ]);
  }
  return found;
}

/**
 * Returns what turns the inner offsets of a v1 wrapper into absolute ones. It is 0 for the wrapper
 * offset 0, which old producers send whatever the inner offsets are (KAFKA-5365).
 */
function shiftOf(wrapper, lastInner, start) {
  if (wrapper === 0n) return 0n;
  if (wrapper < lastInner) {
    const detail = `is ${wrapper}, less than the last inner offset ${lastInner}`;
    const rule = 'v1.wrapper.offset.is-last';
    throw new Fault(detail, { rule, stage: STAGES.SEMANTICS, offset: start, path: ['offset'] });
  }
  return wrapper - lastInner;
}

function fault(rule, detail, offset, path = []) {
  return new Fault(detail, { rule, offset, path });
}

function plain(offset, message) {
  if (message.magic === 0)
    return record({ offset, timestampType: -1, key: message.key, value: message.value });
  const { timestamp, key, value } = message;
  return record({ offset, timestamp, timestampType: typeOf(message), key, value });
}

function typeOf(message) {
  return Number(
    (message.attributes & mask(find('message_v1'), 'attributes', 'timestamp_type')) > 0,
  );
}

/**
 * Makes a record of an inner message: the type of its timestamp is the wrapper's, and an append
 * time too (KIP-32).
 */
function innerRecord(offset, message, wrapper) {
  const timestampType = wrapper.magic === 0 ? -1 : typeOf(wrapper);
  const timestamp = timestampType === 1 ? wrapper.timestamp : message.timestamp;
  return record({
    offset,
    timestamp,
    timestampType,
    key: message.key,
    value: message.value,
    codec: codecOf(wrapper),
  });
}

function record(own) {
  return {
    headers: [],
    producerId: -1n,
    producerEpoch: -1,
    sequence: -1,
    transactional: false,
    control: false,
    codec: 0,
    ...own,
    timestamp: own.timestamp ?? -1n,
  };
}

module.exports = { HEADS, codecOf, decompressed, read, record };
