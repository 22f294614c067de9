/**
 * Puts a JavaScript decoder behind adapter protocol 1, with Node's own modules alone. For yours, copy this file:
 *
 *     const { serve } = require('./adapter.js');
 *     serve({ name: 'mine', version: '1.0.0', language: 'JavaScript', url: 'https://...', checks_crc: true,
 *             formats: ['v2'], codecs: ['none', 'gzip'], fields: ['offset', 'key', 'value'] }, decode);
 *
 * `decode` takes the records of a fetch response, a Buffer, and gives (or promises) an iterable of records:
 * { offset, timestamp, timestampType: 0 create time, 1 log append time, key, value, headers: [[key, value], ...],
 *   producerId, producerEpoch, sequence, transactional, control, codec }. What the library does not tell is left out
 * and not declared. An int64 may be a bigint, a number or decimal digits. Whatever is thrown refuses the bytes, except
 * NotSupported: the library does not claim to do this. `encode`, which may be left out, takes magic, codec and such
 * records, and gives (or promises) the bytes of one batch or message set. `message`, for a library that reads requests
 * and responses, takes the kind (0 request, 1 response), API key, version, and a Buffer of header and body; it gives (or
 * promises) JSON or the bytes written again, as `apis` in the hello declares: { apis: { form: 'json' } }.
 */
'use strict';

class NotSupported extends Error { toString() { return this.message; } }

const [HELLO, DECODE, MESSAGE] = Buffer.from('HDM');
const [INT64_MIN, INT64_MAX] = [-(2n ** 63n), 2n ** 63n - 1n];

async function serve(hello, decode, encode, message) {
  const reply = ownOutput();
  const directions = Object.entries({ decode, encode }).filter(([, given]) => given).map(([name]) => name);
  const document = JSON.stringify({ protocol: 1, ...hello, directions });
  for await (const body of frames(process.stdin)) {
    await reply(body[0] === HELLO ? [Buffer.from(`H${document}`)] : await block(body, { decode, encode, message }));
  }
  process.exit(0); // whatever timers and handles the library has left
}

/** Keeps standard output for replies: what a library prints goes to standard error, and spoils no frame. */
function ownOutput() {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (parts) => new Promise((done) => write(bytes(Buffer.concat(parts)), done));
}

async function* frames(input) {
  let held = Buffer.alloc(0);
  for await (const chunk of input) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4 && held.length >= 4 + held.readInt32BE()) {
      const body = held.subarray(4, 4 + held.readInt32BE());
      held = held.subarray(4 + body.length);
      yield body;
    }
  }
}

async function block(body, { decode, encode, message }) {
  const [decodes, reads] = [body[0] === DECODE, body[0] === MESSAGE];
  const reader = new Reader(body, decodes ? 6 : 5); // a block to decode has the kind of its inputs here: always 0
  const count = reader.int(4);
  const parts = [body.subarray(0, 5), int32(count)];
  for (let index = 0; index < count; index += 1) {
    const sizes = decodes ? [] : reads ? [1, 2, 2] : [1, 1]; // kind, API and version, or magic and codec
    const head = sizes.map((size) => reader.int(size));
    const input = reader.bytes();
    const work = async () => {
      if (decodes) return packed(await decode(input));
      return reads ? message(...head, input) : encode(...head, unpacked(input));
    };
    const failure = (error) => [error instanceof NotSupported ? 2 : 1, String(error)];
    const [status, content] = await work().then((done) => [0, done], failure);
    parts.push(Buffer.from([status]), bytes(content));
  }
  return parts;
}

function packed(records) {
  const parts = Array.from(records, (record) => {
    const [head, tail, pairs] = [Buffer.alloc(17), Buffer.alloc(16), record.headers ?? []];
    head.writeBigInt64BE(int64(record.offset));
    head.writeBigInt64BE(int64(record.timestamp), 8);
    head.writeInt8(record.timestampType ?? -1, 16);
    tail.writeBigInt64BE(int64(record.producerId));
    tail.writeInt16BE(record.producerEpoch ?? -1, 8);
    tail.writeInt32BE(record.sequence ?? -1, 10);
    tail.writeInt8((record.transactional ? 1 : 0) | (record.control ? 2 : 0), 14);
    tail.writeInt8(record.codec ?? 0, 15);
    const [key, value, ...headers] = [record.key, record.value, ...pairs.flat()].map(bytes);
    return Buffer.concat([head, key, value, int32(pairs.length), ...headers, tail]);
  });
  return Buffer.concat([int32(parts.length), ...parts]);
}

function unpacked(answer) {
  const reader = new Reader(answer, 0);
  return Array.from({ length: reader.int(4) }, () => {
    const record = { offset: reader.int64(), timestamp: reader.int64(), timestampType: reader.int(1) };
    Object.assign(record, { key: reader.bytes(), value: reader.bytes() });
    record.headers = Array.from({ length: reader.int(4) }, () => [reader.bytes(), reader.bytes()]);
    Object.assign(record, { producerId: reader.int64(), producerEpoch: reader.int(2), sequence: reader.int(4) });
    const flags = reader.int(1);
    return { ...record, transactional: (flags & 1) > 0, control: (flags & 2) > 0, codec: reader.int(1) };
  });
}

class Reader {
  constructor(data, place) { Object.assign(this, { data, place }); }
  take(size) { this.place += size; return this.data.subarray(this.place - size, this.place); }
  int(size) { return this.take(size).readIntBE(0, size); }
  int64() { return this.take(8).readBigInt64BE(); }
  bytes() { const size = this.int(4); return size < 0 ? null : this.take(size); }
}

const int32 = (value) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);

/** The nearest int64, for sums that only a bigint can hold; the least for what is no whole number at all. */
function int64(value = -1n) {
  const whole = typeof value === 'number' && !Number.isInteger(value) ? INT64_MIN : BigInt(value);
  return whole < INT64_MIN ? INT64_MIN : whole > INT64_MAX ? INT64_MAX : whole;
}

/** Length and bytes, -1 for none; what a library gives instead of bytes is shown as its text. */
function bytes(item) {
  if (item === null || item === undefined) return int32(-1);
  const data = item instanceof Uint8Array ? item : Buffer.from(String(item));
  return Buffer.concat([int32(data.length), data]);
}

module.exports = { serve, NotSupported };
