/** kafkajs: what `producer.send` sends. Arguments: the broker's address, the topic, the records, the codec. */
'use strict';

const { Kafka, CompressionTypes, logLevel } = require('kafkajs');
const { showError } = require('../../common/confirm/lines.js');
const { given, listed } = require('../../common/confirm/records.js');

const CODECS = { none: CompressionTypes.None, gzip: CompressionTypes.GZIP };

async function main([address, topic, file, codec]) {
  const producer = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING, retry: { retries: 0 } }).producer();
  await producer.connect();
  const messages = given(file, listed).map((one) => ({ ...one, timestamp: String(one.timestamp), partition: 0 }));
  await producer.send({ topic, messages, acks: 1, compression: CODECS[codec] }).catch(showError);
  await producer.disconnect();
}

main(process.argv.slice(2));
