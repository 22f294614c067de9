/**
 * kafkajs behind the adapter protocol: what its consumer does with the records of a fetch response of version 4 or
 * newer, src/protocol/requests/fetch/v4/decodeMessages.js. Only the hiding of control records (src/consumer/batch.js)
 * is left out, because the records below it are the library's work and worth checking. Where a response mixes formats,
 * the library stops at the first batch that follows messages, and its consumer gets the rest with its next fetch: the
 * vectors of such runs show records as missing that its users do get.
 */
'use strict';

const Decoder = require('kafkajs/src/protocol/decoder');
const decodeMessages = require('kafkajs/src/protocol/requests/fetch/v4/decodeMessages');
const { version } = require('kafkajs/package.json');
const { serve, NotSupported } = require('../../adapters/javascript/adapter.js');
require('./codecs.js');
const { message: readMessage } = require('./messages.js');
const { sequenceOf, withOffsets, checkProducible, text } = require('../common/javascript/broker.js');

const LOG_APPEND_TIME = 0x08;

async function decode(data) {
  const size = Buffer.alloc(4);
  size.writeInt32BE(data.length);
  const messages = await decodeMessages(new Decoder(Buffer.concat([size, data])));
  return messages.map((message) => (message.batchContext ? fromBatch(message) : fromMessageSet(message)));
}

function fromBatch({ offset, timestamp, key, value, headers, isControlRecord, batchContext }) {
  const { firstOffset, firstSequence, timestampType, producerId, producerEpoch, inTransaction } = batchContext;
  return {
    offset, timestamp, timestampType, key, value, headers: pairs(headers), producerId, producerEpoch,
    sequence: sequenceOf(firstSequence, Number(BigInt(offset) - BigInt(firstOffset))),
    transactional: inTransaction,
    control: isControlRecord,
  };
}

/** A message of format v0 or v1; its time's type is told by the attributes alone, which users get as they are. */
function fromMessageSet({ magicByte, attributes, offset, timestamp, key, value }) {
  const timestampType = attributes & LOG_APPEND_TIME ? 1 : 0;
  return { offset, timestamp, timestampType: magicByte === 0 ? -1 : timestampType, key, value };
}

/** The library gives headers as an object, and an array as the value of a key that stood there twice. */
function pairs(headers) {
  return Object.entries(headers).flatMap(([key, value]) => [value].flat().map((one) => [key, one]));
}

/** Bytes of a Produce request before its records, with no transactional id and a topic name of one letter. */
const PRODUCE_HEAD = { 0: 25, 1: 25, 2: 27 };
const PRODUCE = [0, 2, 3].map((number) => require(`kafkajs/src/protocol/requests/produce/v${number}/request`));

/** What its producer puts into a Produce request: version 0 for format v0, 2 for v1, 3 and newer for v2. */
async function encode(magic, codec, records) {
  if (magic === 0 && codec) throw new NotSupported('the producer does not compress in format v0');
  checkProducible(records, { dense: magic === 2 || codec });
  const [{ producerId, producerEpoch, sequence, transactional }] = records;
  const messages = records.map(({ key, value, timestamp, headers }) => (
    { key, value, timestamp: timestamp.toString(), headers: object(headers) }));
  const transaction = transactional ? { transactionalId: 'x' } : {};
  const request = PRODUCE[magic]({
    acks: -1, timeout: 0, compression: codec, producerId: producerId.toString(), producerEpoch, ...transaction,
    topicData: [{ topic: 't', partitions: [{ partition: 0, firstSequence: sequence, messages }] }],
  });
  const { buffer } = await request.encode();
  const run = Buffer.from(buffer.subarray(PRODUCE_HEAD[magic] + (transactional ? 1 : 0)));
  if (magic === 2) return withOffsets(run, [records[0].offset]);
  return withOffsets(run, codec ? [records.at(-1).offset] : records.map(({ offset }) => offset));
}

function object(headers) {
  const names = headers.map(([key]) => text(key));
  const values = new Map(names.map((name) => [name, []]));
  headers.forEach(([, value], index) => values.get(names[index]).push(value));
  const given = Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  if (pairs(given).some(([name], index) => name !== names[index])) {
    throw new NotSupported('headers are given as an object, which does not keep this order of keys');
  }
  return given;
}

const [major, minor] = version.split('.').map(Number);
const NOT_TOLD = major === 1 && minor < 13 ? ['timestamp_type'] : [];

serve({
  name: 'kafkajs', version, language: 'JavaScript', url: 'https://github.com/tulios/kafkajs',
  formats: ['v0', 'v1', 'v2'],
  codecs: ['none', 'gzip', 'snappy', 'lz4', 'zstd'],
  fields: ['offset', 'timestamp', 'timestamp_type', 'key', 'value', 'headers', 'producer_id', 'producer_epoch',
    'sequence', 'transactional', 'control'].filter((field) => !NOT_TOLD.includes(field)),
  checks_crc: false,
  apis: { form: 'json' },
}, decode, encode, readMessage);
