/** kafka-ts: what `startConsumer` gives of a topic. Arguments: the broker's address, the topic. */
'use strict';

const { createKafkaClient } = require('kafka-ts');
const { show, showError, quiet } = require('../../common/confirm/lines.js');

async function main([address, topic]) {
  const [host, port] = address.split(':');
  const client = createKafkaClient({ clientId: 'confirm', bootstrapServers: [{ host, port: Number(port) }] });
  quiet();
  await client.startConsumer({
    topics: [topic],
    fromBeginning: true,
    onBatch: (messages) => {
      quiet();
      for (const { offset, timestamp, key, value, headers } of messages) {
        show({ offset, timestamp, key, value, headers: Object.entries(headers) });
      }
    },
  });
}

main(process.argv.slice(2)).catch(showError);
