/**
 * kafka-node behind the adapter protocol: its decoder of a fetch response of version 1 (decodeFetchResponseV1 in
 * lib/protocol/protocol.js, which KafkaClient uses for versions 1 and 2), with `encoding: 'buffer'`, so that keys and
 * values come as bytes. An error that it emits for a partition refuses the bytes; what it throws where its users could
 * not catch it, inside a callback of a codec, ends this program as it would end theirs.
 *
 * gzip is Node's. Of snappy, the framing of snappy-java is the library's work; the blocks are those of its optional
 * package `snappy`. Version 6 of that, for which kafka-node was written, has to be compiled, and npm no longer does
 * that unasked; version 7 comes compiled, but gives promises, and is handed to kafka-node with the callbacks of 6.
 */
'use strict';

const { callbackify } = require('node:util');
const snappy = require('snappy');

for (const name of ['compress', 'uncompress']) snappy[name] = callbackify(snappy[name]); // before kafka-node loads it

const protocol = require('kafka-node/lib/protocol');
const { version } = require('kafka-node/package.json');
const { serve, NotSupported } = require('../../adapters/javascript/adapter.js');
const { message: readMessage } = require('./messages.js');
const { withOffsets, checkProducible } = require('../common/javascript/broker.js');

const MAX_TICK_MESSAGES = 1000; // the default of its consumers
const RESPONSE_HEAD = Buffer.from([
  '000000000000000000000000', // size, correlation id, throttle time: not looked at
  '00000001000174', // one topic, t
  '000000010000000000000000000000000000', // one partition: 0, no error, high watermark 0
].join(''), 'hex');

function decode(data) {
  const size = Buffer.alloc(4);
  size.writeInt32BE(data.length);
  return new Promise((resolve, reject) => {
    const messages = [];
    let refusal = null;
    const take = (error, type, message) => {
      if (error) refusal ??= error;
      else if (type === 'message') messages.push(message);
      else if (type === 'done' && refusal) reject(refusal);
      else if (type === 'done') resolve(messages.map(fromMessage));
    };
    protocol.decodeFetchResponseV1(take, MAX_TICK_MESSAGES)(Buffer.concat([RESPONSE_HEAD, size, data]));
  });
}

function fromMessage({ offset, timestamp, key, value }) {
  return { offset, timestamp: timestamp?.getTime(), key, value };
}

/** What its producer puts into a Produce request: lib/protocol/protocol.js, encodeMessageSet. */
function encode(magic, codec, records) {
  if (magic === 2) throw new NotSupported('only formats v0 and v1 are written');
  if (codec) throw new NotSupported('every message in a wrapper gets offset 0: the broker has to write the set again');
  checkProducible(records, { dense: false });
  const messages = records.map(({ key, value, timestamp }) => (
    new protocol.Message(0, 0, key, value, Number(timestamp))));
  return withOffsets(protocol.encodeMessageSet(messages, magic), records.map(({ offset }) => offset));
}

serve({
  name: 'kafka-node', version, language: 'JavaScript', url: 'https://github.com/SOHU-Co/kafka-node',
  formats: ['v0', 'v1'],
  codecs: ['none', 'gzip', 'snappy'],
  fields: ['offset', 'timestamp', 'key', 'value'],
  checks_crc: false,
  apis: { form: 'verdict' },
}, decode, encode, readMessage);
