/** Writes orders with @platformatic/kafka: `node producer.mjs HOST:PORT < orders`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

Promise.withResolvers ??= function () { // Node.js 20 does not have it, and the library needs it
  let resolve, reject;
  const promise = new Promise((...both) => { [resolve, reject] = both; });
  return { promise, resolve, reject };
};

const { Producer } = await import('@platformatic/kafka');
const main = createRequire(import.meta.url).resolve('@platformatic/kafka');
const { version } = JSON.parse(readFileSync(join(dirname(main), '..', 'package.json'), 'utf8'));

async function write(address, order) {
  const transaction = order.transactional ? { transactionalId: order.topic } : {};
  const idempotence = order.idempotent ? { idempotent: true, ...transaction } : {};
  const producer = new Producer({ clientId: 'wild', bootstrapBrokers: [address], autocreateTopics: true, ...idempotence });
  const messages = order.records.map((record) => ({
    topic: order.topic, partition: 0, timestamp: BigInt(record.timestamp),
    key: buffer(record.key), value: buffer(record.value),
    headers: new Map(record.headers.map(([name, value]) => [Buffer.from(name), buffer(value)])),
  }));
  const handle = order.transactional ? await producer.beginTransaction() : producer;
  await handle.send({ messages, acks: order.acks ?? -1, compression: order.codec });
  if (order.transactional) await handle.commit();
  await producer.close();
}

const buffer = (text) => (text === null ? null : Buffer.from(text));

for (const order of JSON.parse(readFileSync(0, 'utf8'))) {
  const failures = [];
  await write(process.argv[2], order).catch((error) => failures.push(String(error)));
  console.log(JSON.stringify({ order: order.name, version: `@platformatic/kafka ${version}`, failures }));
}
process.exit();
