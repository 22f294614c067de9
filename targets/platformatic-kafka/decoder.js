/**
 * @platformatic/kafka behind the adapter protocol: the record batches as it parses them out of a fetch response
 * (parseResponse in dist/apis/consumer/fetch-v*.js), and from there the steps of its consumer, #pushRecords in
 * dist/clients/consumer/messages-stream.js, which adds up offsets and timestamps and passes keys, values and headers
 * on as they are. Only the hiding of control batches is left out, because the records below it are the library's work
 * and worth checking. It says of itself that it does not use the timestamp type, so that is not declared.
 *
 * All codecs are the library's own or Node's; zstd needs a Node that has it, 22.15 or newer.
 */
'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { serve, NotSupported } = require('../../adapters/javascript/adapter.js');
const { reader } = require('./messages.js');
const { sequenceOf, withOffsets, checkProducible } = require('../common/javascript/broker.js');

const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

async function main() {
  const entry = require.resolve('@platformatic/kafka');
  const library = await import(entry); // it is an ES module
  const { version } = JSON.parse(readFileSync(join(entry, '../../package.json'), 'utf8'));
  serve({
    name: 'platformatic-kafka', version, language: 'JavaScript', url: 'https://github.com/platformatic/kafka',
    formats: ['v2'],
    codecs: CODECS.filter((name) => library.compressionsAlgorithms[name].available),
    fields: ['offset', 'timestamp', 'key', 'value', 'headers', 'producer_id', 'producer_epoch', 'sequence',
      'transactional', 'control', 'codec'],
    checks_crc: false,
    apis: { form: 'json' },
  }, (data) => decode(library, data), (...asked) => encode(library, ...asked), reader(library));
}

function decode({ Reader, readRecordsBatches, IS_TRANSACTIONAL, IS_CONTROL, IS_COMPRESSED }, data) {
  return readRecordsBatches(Reader.from(data)).flatMap((batch) => batch.records.map((record) => ({
    offset: batch.firstOffset + BigInt(record.offsetDelta),
    timestamp: batch.firstTimestamp + record.timestampDelta,
    key: record.key, value: record.value, headers: record.headers,
    producerId: batch.producerId, producerEpoch: batch.producerEpoch,
    sequence: sequenceOf(batch.firstSequence, record.offsetDelta),
    transactional: batch.attributes & IS_TRANSACTIONAL,
    control: batch.attributes & IS_CONTROL,
    codec: batch.attributes & IS_COMPRESSED,
  })));
}

/** What its producer puts into a Produce request (dist/apis/producer/produce-v*.js). */
function encode({ createRecordsBatch }, magic, codec, records) {
  if (magic !== 2) throw new NotSupported('only format v2 is written');
  checkProducible(records, { dense: true });
  const [{ offset, producerId, producerEpoch, sequence, transactional }] = records;
  const messages = records.map(({ key, value, timestamp, headers }) => (
    { topic: 't', partition: 0, key, value, timestamp, headers: new Map(headers) }));
  const batch = createRecordsBatch(messages, {
    compression: CODECS[codec],
    producerId,
    producerEpoch,
    sequences: { getWithDefault: () => sequence },
    transactionalId: transactional ? 'x' : undefined,
  });
  return withOffsets(Buffer.from(batch.buffer), [offset]);
}

main();
