/** @platformatic/kafka: what the stream of `consumer.consume` gives. Arguments: the broker's address, the topic. */
'use strict';

const { show, showError, quiet } = require('../../common/confirm/lines.js');
require('../../common/confirm/with-resolvers.js');

async function main([address, topic]) {
  const { Consumer } = await import(require.resolve('@platformatic/kafka')); // it is an ES module
  const consumer = new Consumer({ groupId: 'confirm', clientId: 'confirm', bootstrapBrokers: [address], retries: 0 });
  quiet();
  const stream = await consumer.consume({ topics: [topic], mode: 'earliest', autocommit: false, maxWaitTime: 100 });
  for await (const { offset, timestamp, key, value, headers } of stream) {
    quiet();
    show({ offset, timestamp, key, value, headers: [...headers].map(([name, one]) => [name.toString(), one]) });
  }
}

main(process.argv.slice(2)).catch((error) => {
  showError(error);
  process.exit(0);
});
