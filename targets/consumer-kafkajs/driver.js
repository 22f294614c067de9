/**
 * kafkajs' consumer: `subscribe`, `run` with `eachMessage`, and `seek`. It has no assignment by hand, so it is the only
 * member of a group. Whenever it joins, it seeks to where its application is, as one does that keeps its own offsets;
 * and it starts again after every error that it tells, as its option `restartOnFailure` has it.
 */
'use strict';

const { Kafka, logLevel } = require('kafkajs');
const { version } = require('kafkajs/package.json');
const { POLL_MILLISECONDS, serve } = require('../common/javascript/consumer.js');
require('../kafkajs/codecs.js');

const SOON = { initialRetryTime: 50, maxRetryTime: 100, retries: 0 };

let groups = 0;

function create(broker, isolation, settings, lines) {
  const kafka = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING, retry: SOON });
  groups += 1;
  const consumer = kafka.consumer({
    groupId: `group-${groups}`,
    readUncommitted: isolation !== 'read_committed',
    maxWaitTimeInMs: POLL_MILLISECONDS,
    retry: { ...SOON, restartOnFailure: async () => true },
  });
  const positions = new Map();
  const seek = () => {
    for (const [topic, offset] of positions) consumer.seek({ topic, partition: 0, offset: offset.toString() });
  };
  consumer.on(consumer.events.GROUP_JOIN, seek);
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { topic, lastOffset } }) => {
    positions.set(topic, BigInt(lastOffset) + 1n); // behind control records, too
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => lines.error('?', payload.error));

  return {
    async assign(topics) {
      topics.forEach((offset, topic) => positions.set(topic, offset));
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics.keys()], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        async eachMessage({ topic, message }) {
          positions.set(topic, BigInt(message.offset) + 1n);
          lines.record(topic, { ...message, headers: pairs(message.headers) });
        },
      });
    },
    stop: () => consumer.disconnect(),
  };
}

/** The library gives headers as an object, and an array as the value of a key that stood there twice. */
function pairs(headers) {
  return Object.entries(headers ?? {}).flatMap(([key, value]) => [value].flat().map((content) => [key, content]));
}

serve({
  name: 'kafkajs', version, language: 'JavaScript', url: 'https://github.com/tulios/kafkajs',
  formats: ['v0', 'v1', 'v2'], checks_crc: false,
}, create);
