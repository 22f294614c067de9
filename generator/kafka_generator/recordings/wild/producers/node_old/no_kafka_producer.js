/** Writes orders with no-kafka: `node no_kafka_producer.js HOST:PORT < orders`. */
'use strict';

const { readFileSync } = require('node:fs');
const Kafka = require('no-kafka');
const { version } = require('no-kafka/package.json');

const CODECS = { none: Kafka.COMPRESSION_NONE, gzip: Kafka.COMPRESSION_GZIP, snappy: Kafka.COMPRESSION_SNAPPY };
const WAIT = 15000;

async function write(address, order) {
  const producer = new Kafka.Producer({ connectionString: address, logger: { logLevel: 0 } });
  await producer.init();
  const messages = order.records.map(({ key, value }) => ({ topic: order.topic, partition: 0, message: { key, value } }));
  const results = await producer.send(messages, { codec: CODECS[order.codec] });
  await producer.end();
  for (const { error } of results) if (error) throw error;
}

/** Fail after a while: not every answer calls back. */
function late() {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), WAIT));
}

async function main() {
  for (const order of JSON.parse(readFileSync(0, 'utf8'))) {
    const failures = [];
    if (!(order.codec in CODECS)) failures.push('it has no such codec');
    else await Promise.race([write(process.argv[2], order), late()]).catch((error) => failures.push(String(error)));
    console.log(JSON.stringify({ order: order.name, version: `no-kafka ${version}`, failures }));
  }
  process.exit(0);
}

main();
