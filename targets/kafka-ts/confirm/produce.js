/** kafka-ts: what `Producer.send` sends. Arguments: the broker's address, the topic, the records. */
'use strict';

const { createKafkaClient } = require('kafka-ts');
const { showError } = require('../../common/confirm/lines.js');
const { given } = require('../../common/confirm/records.js');

async function main([address, topic, file]) {
  const [host, port] = address.split(':');
  const client = createKafkaClient({ clientId: 'confirm', bootstrapServers: [{ host, port: Number(port) }] });
  const producer = client.createProducer({});
  await producer.send(given(file).map((record) => ({ ...record, topic, partition: 0 }))).catch(showError);
  await producer.close();
}

main(process.argv.slice(2));
