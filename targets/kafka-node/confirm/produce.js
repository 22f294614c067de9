/**
 * kafka-node: what `Producer.send` sends of payloads with a key and a time each.
 * Arguments: the broker's address, the topic, the records, the codec.
 */
'use strict';

const { KafkaClient, Producer } = require('kafka-node');
const { showError } = require('../../common/confirm/lines.js');
const { given } = require('../../common/confirm/records.js');

const CODECS = { none: 0, gzip: 1 };

const [address, topic, file, codec] = process.argv.slice(2);
const client = new KafkaClient({ kafkaHost: address, versions: { requestTimeout: 10000 } });
const producer = new Producer(client, { requireAcks: 1 });
const payloads = given(file).map(({ key, value, timestamp }) => ({
  topic, partition: 0, key, messages: [value], timestamp: Number(timestamp), attributes: CODECS[codec],
}));
producer.on('ready', () => client.refreshMetadata([topic], () => producer.send(payloads, (error) => {
  if (error) showError(error);
  client.close();
})));
