/** Writes orders with kafka-ts: `node producer.js HOST:PORT < orders`. */
'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { createKafkaClient, setLogger } = require('kafka-ts');

const folder = join(require.resolve('kafka-ts'), '../..');
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const WAIT = 15000;

async function write(address, order) {
  const [host, port] = address.split(':');
  const client = createKafkaClient({ clientId: 'producer', bootstrapServers: [{ host, port: Number(port) }] });
  const producer = client.createProducer({ maxRetries: 0, allowTopicAutoCreation: true });
  if (order.codec !== 'none') throw new Error('it compresses nothing');
  if (order.records.some(({ headers }) => new Set(headers.map(([name]) => name)).size < headers.length)) {
    throw new Error('its headers are an object, in which a name cannot stand twice');
  }
  await producer.send(order.records.map((record) => ({
    topic: order.topic,
    partition: 0,
    timestamp: BigInt(record.timestamp),
    key: record.key,
    value: record.value,
    headers: Object.fromEntries(record.headers),
  })));
  await producer.close();
}

/** Writes; a broker creates the topic and its coordinator first, and kafka-ts waits for neither. */
async function attempt(address, order) {
  const end = Date.now() + WAIT;
  for (;;) {
    try {
      return await write(address, order);
    } catch (error) {
      if (!/UNKNOWN_TOPIC|LOAD_IN_PROGRESS/.test(String(error)) || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** Fails after a while: not every answer calls back. */
function late() {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), WAIT));
}

async function main() {
  const silent = () => {};
  setLogger({ debug: silent, info: silent, warn: silent, error: silent });
  for (const order of JSON.parse(readFileSync(0, 'utf8'))) {
    const failures = [];
    await Promise.race([attempt(process.argv[2], order), late()]).catch((error) => failures.push(String(error)));
    console.log(JSON.stringify({ order: order.name, version: `kafka-ts ${version}`, failures }));
  }
  process.exit(0);
}

main();
