/**
 * kafka-ts behind the adapter protocol: the record batches as it parses them out of a fetch response
 * (dist/api/fetch/common.js), and from there the steps of its consumer, Consumer.process in dist/consumer/consumer.js,
 * which adds up offsets and timestamps and makes an object of the headers. Only the hiding of control batches is left
 * out, because the records below it are the library's work and worth checking.
 *
 * Keys, values and headers are strings there, decoded from UTF-8: they are passed on as such, and bytes that are not
 * UTF-8 do not come back as they were. All codecs are the library's own or Node's; zstd needs a Node that has it,
 * 22.15 or newer.
 */
'use strict';

const zlib = require('node:zlib');
const { decodeRecordBatch, withDecompressions } = require('kafka-ts/dist/api/fetch/common');
const { createBatch } = require('kafka-ts/dist/api/produce/common');
const { ProducerBuffer } = require('kafka-ts/dist/producer/producer-buffer');
const { Decoder } = require('kafka-ts/dist/utils/decoder');
const { version } = require('kafka-ts/package.json');
const { serve, NotSupported } = require('../../adapters/javascript/adapter.js');
const { message: readMessage } = require('./messages.js');
const { sequenceOf, withOffsets, checkProducible, text } = require('../common/javascript/broker.js');

const TIMESTAMP_TYPES = ['CreateTime', 'LogAppendTime'];

async function decode(data) {
  const decoder = new Decoder(data);
  const batches = await withDecompressions((pending) => decodeRecordBatch(decoder, data.length, pending));
  return batches.flatMap((batch) => batch.records.map((message) => ({
    offset: batch.baseOffset + BigInt(message.offsetDelta),
    timestamp: batch.baseTimestamp + BigInt(message.timestampDelta),
    timestampType: TIMESTAMP_TYPES.indexOf(batch.timestampType),
    key: message.key ?? null, value: message.value ?? null, headers: Object.entries(toHeaders(message.headers)),
    producerId: batch.producerId, producerEpoch: batch.producerEpoch,
    sequence: sequenceOf(batch.baseSequence, message.offsetDelta),
    transactional: batch.isTransactional, control: batch.isControlBatch, codec: batch.compression,
  })));
}

/** toHeaders of dist/consumer/consumer.js, which does not export it. */
function toHeaders(headers) {
  const result = {};
  for (const { key, value } of headers) result[key] = value;
  return result;
}

/** What its producer puts into a Produce request (dist/producer/producer-buffer.js); it never compresses. */
async function encode(magic, codec, records) {
  if (magic !== 2 || codec) throw new NotSupported('only format v2 is written, and never compressed');
  checkProducible(records, { dense: true });
  const [{ offset, producerId, producerEpoch, sequence, transactional }] = records;
  if (transactional) throw new NotSupported('the producer has no transactions');
  const state = { isInitialized: true, producerId, producerEpoch, getSequence: () => sequence };
  const buffer = new ProducerBuffer({ state, metadata: { getTopicIdByName: () => '' } });
  const { topicData: [{ partitionData: [batch] }] } = await buffer.createRequest(records.map(message));
  return withOffsets(Buffer.from(createBatch(batch).value()), [offset]);
}

function message({ key, value, timestamp, headers }) {
  const pairs = headers.map((pair) => pair.map(string));
  const given = Object.fromEntries(pairs);
  if (Object.keys(given).join('\n') !== pairs.map(([name]) => name).join('\n')) {
    throw new NotSupported('headers are given as an object, which does not keep these keys in this order');
  }
  return { topic: 't', partition: 0, key: string(key), value: string(value), timestamp, headers: given };
}

function string(data) {
  return data === null ? null : text(data);
}

serve({
  name: 'kafka-ts', version, language: 'TypeScript', url: 'https://github.com/priitkaard/kafka-ts',
  formats: ['v2'],
  codecs: ['none', 'gzip', 'snappy', 'lz4', ...(zlib.zstdDecompress ? ['zstd'] : [])],
  fields: ['offset', 'timestamp', 'timestamp_type', 'key', 'value', 'headers', 'producer_id', 'producer_epoch',
    'sequence', 'transactional', 'control', 'codec'],
  checks_crc: false,
  apis: { form: 'json' },
}, decode, encode, readMessage);
