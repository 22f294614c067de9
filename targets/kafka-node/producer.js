/** Writes orders with kafka-node: `node producer.js HOST:PORT < orders`. */
'use strict';

const { readFileSync } = require('node:fs');
const { callbackify } = require('node:util');
const snappy = require('snappy');

if (!require('snappy/package.json').version.startsWith('6.')) { // kafka-node wants the callbacks of 6
  for (const name of ['compress', 'uncompress']) snappy[name] = callbackify(snappy[name]);
}

const { KafkaClient, Producer } = require('kafka-node');
const { version } = require('kafka-node/package.json');

const CODECS = { none: 0, gzip: 1, snappy: 2 };
const WAIT = 15000;

async function write(address, order) {
  // After half a second without an answer to ApiVersions it takes a broker for one of 0.9; a busy machine needs more.
  const versions = { requestTimeout: 10000 };
  const client = new KafkaClient({ kafkaHost: address, autoConnect: true, versions });
  const producer = new Producer(client, { requireAcks: 1 });
  await new Promise((resolve, reject) => producer.on('ready', resolve).on('error', reject));
  while (!client.topicMetadata[order.topic]) { // the question makes the topic
    await done((then) => client.refreshMetadata([order.topic], then)).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const payloads = order.records.map(({ key, value, timestamp }) => ( // those of one partition go together
    { topic: order.topic, partition: 0, key, messages: [value], timestamp, attributes: CODECS[order.codec] }));
  await done((then) => producer.send(payloads, then));
  client.close();
}

/** Wait for what calls back. */
function done(start) {
  return new Promise((resolve, reject) => start((error, result) => (error ? reject(error) : resolve(result))));
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
    console.log(JSON.stringify({ order: order.name, version: `kafka-node ${version}`, failures }));
  }
  process.exit(0);
}

main();
