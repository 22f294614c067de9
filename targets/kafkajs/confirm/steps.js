/**
 * kafkajs: what its producer tells an application that sends and commits, step by step. Arguments: the broker's
 * address, the topic, a file with steps (`send a b`, `transaction a b`, `abandon a b`), settings as `name=value`.
 */
'use strict';

const { readFileSync } = require('node:fs');
const { Kafka, logLevel } = require('kafkajs');

const RETRY = { initialRetryTime: 50, maxRetryTime: 100, retries: 30 };

async function did(what, step) {
  try {
    const result = await step();
    console.log(`${what}: ok`);
    return result ?? true;
  } catch (error) {
    console.log(`${what}: ${error.name}: ${error.message}`.slice(0, 200));
    return null;
  }
}

async function main([address, topic, file, ...settings]) {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, requestTimeout: 2000, retry: RETRY });
  const transaction = settings.includes('transactional=true') ? { transactionalId: topic } : {};
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1, ...transaction });
  await did('connect', () => producer.connect());
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [kind, ...values] = line.split(' ');
    const sender = kind === 'send' ? producer : await did('begin', () => producer.transaction());
    if (sender === null) return;
    let sent = true;
    for (const value of values) {
      sent = await did(`send ${value}`, () => sender.send({ topic, messages: [{ value, partition: 0 }] })) && sent;
    }
    if (kind === 'transaction' && sent) sent = await did('commit', () => sender.commit());
    if (kind === 'abandon' || (kind === 'transaction' && !sent)) await did('abort', () => sender.abort());
  }
  await producer.disconnect();
}

main(process.argv.slice(2)).finally(() => process.exit(0));
