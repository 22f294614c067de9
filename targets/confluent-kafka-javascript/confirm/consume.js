/**
 * @confluentinc/kafka-javascript: what `run` of its promisified consumer gives of a partition, and what it logs as an
 * error. Arguments: the broker's address, the topic, a file that is not read, the isolation level.
 */
'use strict';

const { Kafka, logLevel } = require('@confluentinc/kafka-javascript').KafkaJS;
const { show } = require('../../common/confirm/lines.js');

const QUIET_MILLISECONDS = 5000;

let timer;
function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => process.exit(0), QUIET_MILLISECONDS);
}

async function main([address, topic, , isolation]) {
  const error = (message) => {
    console.log(`error: ${message.split(' : ')[0]}`); // the rest is where it was thrown
    process.exit(0);
  };
  const quiet = () => {};
  const logger = { debug: quiet, info: quiet, warn: quiet, error, setLogLevel: quiet, namespace: () => logger };
  const kafka = new Kafka({ kafkaJS: { brokers: [address], logger, logLevel: logLevel.ERROR } });
  const consumer = kafka.consumer({
    kafkaJS: { groupId: 'confirm', fromBeginning: true, readUncommitted: isolation !== 'read_committed' },
    'check.crcs': true,
  });
  await consumer.connect();
  await consumer.subscribe({ topic });
  wait();
  await consumer.run({
    eachMessage: async ({ message: { offset, timestamp, key, value, headers } }) => {
      show({ offset: BigInt(offset), timestamp, key, value, headers: Object.entries(headers ?? {}) });
      wait();
    },
  });
}

main(process.argv.slice(2));
