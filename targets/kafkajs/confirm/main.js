/** kafkajs: what `consumer.run` gives of a partition. Arguments: the broker's address, the topic. */
'use strict';

const { Kafka, logLevel } = require('kafkajs');
const { show, showError, quiet } = require('../../common/confirm/lines.js');

async function main([address, topic]) {
  const kafka = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, retry: { retries: 0 } });
  const consumer = kafka.consumer({ groupId: 'confirm' });
  consumer.on(consumer.events.CRASH, ({ payload: { error } }) => {
    showError(error);
    process.exit(0);
  });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message: { offset, timestamp, key, value, headers } }) => {
      quiet();
      const pairs = Object.entries(headers ?? {}).map(([name, one]) => (
        [name, Array.isArray(one) ? one.map((inner) => [typeof inner, inner]) : one]));
      show({ offset: BigInt(offset), timestamp: Number(timestamp), key, value, headers: pairs });
    },
  });
  quiet();
}

main(process.argv.slice(2));
