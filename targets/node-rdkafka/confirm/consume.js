/**
 * node-rdkafka: what `KafkaConsumer.consume(number, callback)` gives of a partition. Arguments: the broker's address,
 * the topic, a file that is not read, the isolation level.
 */
'use strict';

const { KafkaConsumer } = require('node-rdkafka');
const { show, showError } = require('../../common/confirm/lines.js');

const MOST = 100;
const QUIET_MILLISECONDS = 5000; // for the first message; then it waits as long for the next

function main([address, topic, , isolation]) {
  const settings = { 'group.id': 'confirm', 'check.crcs': true, log_level: 0 };
  const consumer = new KafkaConsumer(
    { ...settings, 'metadata.broker.list': address, 'isolation.level': isolation },
    {},
  );
  consumer.setDefaultConsumeTimeout(QUIET_MILLISECONDS);
  const next = () => consumer.consume(MOST, (error, messages) => {
    if (error) {
      showError(error);
      process.exit(0);
    }
    for (const { offset, timestamp, key, value, headers } of messages) {
      show({ offset, timestamp, key, value, headers: (headers ?? []).flatMap(Object.entries) });
    }
    if (messages.length === 0) process.exit(0);
    next();
  });
  consumer.connect({}, () => {
    consumer.assign([{ topic, partition: 0, offset: 0 }]);
    next();
  });
}

main(process.argv.slice(2));
