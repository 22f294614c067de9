/**
 * Message sets of Kafka 0.7: payloads, and byte positions where later formats have offsets. A
 * wrapper may hold wrappers again; all its messages but the last come with the position of the
 * wrapper itself.
 */
'use strict';

const compression = require('./compression.js');
const { Budget } = require('./budget.js');
const { Fault, STAGES, changing } = require('./fault.js');
const { counted, integer } = require('./numbers.js');
const { Reader } = require('./reader.js');
const { find, mask, places } = require('./spec.js');
const { record } = require('./legacy.js');

const INT32 = { size: 4, signed: true };
const LAYOUTS = ['v07_message_0', 'v07_message_1'];
const INSIDE = ['message', 'payload'];

function overhead() {
  return places(find('v07_entry')).end;
}

/** Returns the sizes that framing needs: of what a size does not count, and of the smallest message. */
function frame() {
  const { fields } = find('v07_message_0');
  return { overhead: overhead(), smallest: fields.reduce((sum, { type }) => sum + (type.least ?? 0), 0) };
}

/**
 * Yields the whole entries of a message set; one that is cut off after a whole one is left out.
 */
function* split(data) {
  const { smallest } = frame();
  let [position, index] = [0, 0];
  while (data.length - position >= overhead()) {
    const size = integer(data, position, INT32);
    const end = position + overhead() + size;
    if (end > data.length) {
      if (index > 0) return;
      const there = data.length - overhead();
      const detail = `is ${size}, and ${counted(there, 'byte')} ${there === 1 ? 'was' : 'were'} fetched`;
      throw framing('v07.first-entry.whole', detail, position, index, 'Fetch more bytes at once.');
    }
    if (size < smallest) {
      throw framing(
        'v07.size.minimum',
        `is ${size}, the smallest message has ${smallest} bytes`,
        position,
        index,
      );
    }
    yield { start: position, end, index };
    position = end;
    index += 1;
  }
}

function framing(rule, detail, offset, entry, hint = '') {
  return new Fault(detail, { rule, stage: STAGES.FRAMING, offset, path: ['size'], entry, hint });
}

/** Returns all messages of a message set that was fetched at offset 0. */
function decode(data, limits = {}) {
  return [...iterate(data, limits)].flat();
}

/** Yields the messages of each entry. With `each`, limits hold for every entry by itself. */
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
  const message = messageAt(data, entry);
  if (!codecOf(message)) {
    budget.take(entry.start);
    return [recordOf(entry.end, message.payload, 0)];
  }
  const found = inside(message, entry.start, budget);
  return found.map(([payload, codec], index) =>
    recordOf(index === found.length - 1 ? entry.end : entry.start, payload, codec),
  );
}

function messageAt(data, entry) {
  return new Reader(data).read(find('v07_entry'), entry.start, entry.end).message;
}

/** Returns the number of the codec of a message; 0 if it is no wrapper. */
function codecOf(message) {
  return message.magic
    ? message.attributes & mask(find('v07_message_1'), 'attributes', 'codec')
    : 0;
}

function recordOf(offset, payload, codec) {
  return record({ offset: BigInt(offset), timestampType: -1, key: null, value: payload, codec });
}

/**
 * Returns payload and codec of all messages in a wrapper, depth first; a list holds the open ones,
 * so any depth will do.
 */
function inside(outermost, start, budget) {
  const found = [];
  const opened = [open(outermost, start, budget)];
  while (opened.length) {
    changing(
      (fault) => placed(fault, opened),
      () => step(opened, found, budget),
    );
  }
  return found;
}

/** Takes the next message of the innermost wrapper, or closes it. */
function step(opened, found, budget) {
  const wrapper = opened.at(-1);
  const message = nextMessage(wrapper);
  if (message !== null && codecOf(message)) {
    opened.push(open(message, wrapper.entry.start, budget));
    return;
  }
  if (message === null) {
    opened.pop();
  } else {
    budget.take(wrapper.entry.start);
    found.push([message.payload, wrapper.codec]);
  }
  if (opened.length) opened.at(-1).done += 1;
}

function open(message, start, budget) {
  const offset = start + overhead() + places(find(LAYOUTS[message.magic])).end;
  const payload = changing(
    (fault) => fault.within(INSIDE, { offset }),
    () => decompressed(message, budget.limit),
  );
  budget.limit -= payload.length;
  return {
    payload,
    entries: split(payload),
    codec: codecOf(message),
    entry: { start: 0, end: 0 },
    done: 0,
  };
}

function decompressed(message, limit) {
  return compression.decompress(compression.NAMES[codecOf(message)], message.payload, {
    magic: 0,
    limit,
  });
}

/** Reads the next message of a wrapper; null at its end. */
function nextMessage(wrapper) {
  const { done, value } = wrapper.entries.next();
  if (!done) {
    wrapper.entry = value;
    return messageAt(wrapper.payload, value);
  }
  const { end } = wrapper.entry;
  if (end !== wrapper.payload.length) {
    const detail = `${counted(wrapper.payload.length - end, 'byte')} at the end ${wrapper.payload.length - end === 1 ? 'is' : 'are'} not a whole entry`;
    throw new Fault(detail, { rule: 'v07.wrapper.inner.whole', offset: end });
  }
  return null;
}

function placed(fault, opened) {
  return opened.reduceRight(
    (inner, wrapper) => inner.within([...INSIDE, wrapper.done], { payload: true }),
    fault,
  );
}

module.exports = { codecOf, decode, decompressed, frame, iterate, split };
