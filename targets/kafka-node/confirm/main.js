/** kafka-node: what `Consumer` gives of a partition. Arguments: the broker's address, the topic. */
'use strict';

const { callbackify } = require('node:util');
const { show, showError, quiet } = require('../../common/confirm/lines.js');
const snappy = require('snappy');

for (const name of ['compress', 'uncompress']) snappy[name] = callbackify(snappy[name]); // as in snappy 6, which it wants

const { Consumer, KafkaClient } = require('kafka-node');

const [address, topic] = process.argv.slice(2);
const options = { autoCommit: false, fromOffset: true, encoding: 'buffer', keyEncoding: 'buffer' };
const consumer = new Consumer(new KafkaClient({ kafkaHost: address }), [{ topic, partition: 0, offset: 0 }], options);
quiet();
consumer.on('error', showError);
consumer.on('message', ({ offset, timestamp, key, value }) => {
  quiet();
  show({ offset, timestamp: timestamp?.getTime(), key, value });
});
