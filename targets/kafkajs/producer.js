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

const SOON = { initialRetryTime: 50, maxRetryTime: 100, retries: 30 };

/** What an application does in a conversation, one thing after another (docs/your-client.md). */
async function take(address, order) {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, requestTimeout: 2000, retry: SOON });
  const transaction = order.transactional ? { transactionalId: order.topic } : {};
  const producer = kafka.producer({ idempotent: order.idempotent, maxInFlightRequests: 1, ...transaction });
  const told = [];
  const send = async (sender, values) => {
    for (const value of values) await sender.send({ topic: order.topic, messages: [{ value, partition: 0 }] });
  };
  try {
    await producer.connect();
    for (const [what, ...values] of order.steps) {
      if (what === 'send') {
        for (const value of values) {
          await send(producer, [value]).then(
            () => told.push(`sent ${value}`), (error) => told.push(`unsent ${value} ${error.type ?? error.name}`));
        }
        continue;
      }
      const begun = await producer.transaction();
      try {
        await send(begun, values);
        if (what === 'abandon') {
          await begun.abort();
          told.push('aborted');
        } else {
          await begun.commit();
          told.push(...values.map((value) => `sent ${value}`), 'committed');
        }
      } catch (error) {
        told.push(`failed ${error.type ?? error.name}`);
        await begun.abort();
        told.push('aborted');
      }
    }
  } catch (error) {
    told.push(`dead ${error.type ?? error.name}`);
  }
  await producer.disconnect().catch(() => {});
  return told;
}

/** The headers as an object, in which a name that comes twice has a list. */
function headers(pairs) {
  const found = {};
  for (const [name, value] of pairs) found[name] = name in found ? [found[name], value].flat() : value;
  return found;
}

async function main() {
  for (const order of JSON.parse(readFileSync(0, 'utf8'))) {
    const failures = order.steps ? await take(process.argv[2], order) : [];
    if (!order.steps) await write(process.argv[2], order).catch((error) => failures.push(String(error)));
    console.log(JSON.stringify({ order: order.name, version: `kafkajs ${version}`, failures }));
  }
}

main();
