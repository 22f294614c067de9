/**
 * kafkajs: what `consumer.run` gives of a partition, and whether it fetches on without end. Arguments: the broker's
 * address, the topic, a file that is not read, the isolation level, settings as name=value: `rack`, and `group`, whose
 * member commits often.
 */
'use strict';

const { Kafka, logLevel } = require('kafkajs');
const { show, showError } = require('../../common/confirm/lines.js');

const MANY = 100; // an idle consumer waits for records, and makes twenty fetches in the time

async function main([address, topic, , isolation, ...given]) {
  const { rack = '', group } = Object.fromEntries(given.map((setting) => setting.split('=')));
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, retry: { retries: 0 } });
  const readUncommitted = isolation !== 'read_committed';
  const member = group ? { heartbeatInterval: 100, retry: { retries: 5 } } : {}; // the library's own number of retries
  const consumer = kafka.consumer({
    groupId: group ?? 'confirm', rackId: rack, readUncommitted, maxWaitTimeInMs: 2000, ...member,
  });
  let fetches = 0;
  consumer.on(consumer.events.CRASH, ({ payload: { error } }) => {
    showError(error);
    process.exit(0);
  });
  consumer.on(consumer.events.FETCH, () => {
    fetches += 1;
    if (fetches < MANY) return;
    console.log(`${MANY} fetches, and nothing new`);
    process.exit(0);
  });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    ...(group ? { autoCommitInterval: 100 } : {}),
    eachMessage: async ({ message: { offset, timestamp, key, value } }) => {
      show({ offset: BigInt(offset), timestamp: Number(timestamp), key, value });
    },
  });
  setTimeout(() => process.exit(0), 20_000);
}

main(process.argv.slice(2));
