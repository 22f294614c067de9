/** Writes orders with kafkajs: `node producer.js HOST:PORT < orders`. */
'use strict';

const { readFileSync } = require('node:fs');
const zstd = require('@mongodb-js/zstd');
const LZ4 = require('@2l/kafkajs-lz4');
const { Kafka, CompressionCodecs, CompressionTypes, logLevel } = require('kafkajs');
const snappy = require('kafkajs-snappy');
const { version } = require('kafkajs/package.json');

const TYPES = {
  none: CompressionTypes.None, gzip: CompressionTypes.GZIP, snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4, zstd: CompressionTypes.ZSTD,
};
CompressionCodecs[CompressionTypes.Snappy] = snappy;
CompressionCodecs[CompressionTypes.LZ4] = new LZ4().codec;
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: (encoder) => zstd.compress(encoder.buffer), decompress: (buffer) => zstd.decompress(buffer),
});

async function write(address, order) {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING });
  const transaction = order.transactional ? { transactionalId: order.topic } : {};
  const producer = kafka.producer({ idempotent: order.idempotent, maxInFlightRequests: 1, ...transaction });
  await producer.connect();
  const messages = order.records.map((record) => ({
    key: record.key, value: record.value, partition: 0, timestamp: String(record.timestamp),
    headers: headers(record.headers),
  }));
  const sender = order.transactional ? await producer.transaction() : producer;
  await sender.send({ topic: order.topic, messages, acks: order.acks ?? -1, compression: TYPES[order.codec] });
  if (order.transactional) await sender.commit();
  await producer.disconnect();
}

/** The headers as an object, in which a name that comes twice has a list. */
function headers(pairs) {
  const found = {};
  for (const [name, value] of pairs) found[name] = name in found ? [found[name], value].flat() : value;
  return found;
}

async function main() {
  for (const order of JSON.parse(readFileSync(0, 'utf8'))) {
    const failures = [];
    await write(process.argv[2], order).catch((error) => failures.push(String(error)));
    console.log(JSON.stringify({ order: order.name, version: `kafkajs ${version}`, failures }));
  }
}

main();
