/** @platformatic/kafka: what `producer.send` sends. Arguments: the broker's address, the topic, the records, the codec. */
'use strict';

const { given } = require('../../common/confirm/records.js');
require('../../common/confirm/with-resolvers.js');

async function main([address, topic, file, compression]) {
  const { Producer } = await import(require.resolve('@platformatic/kafka')); // it is an ES module
  const producer = new Producer({ clientId: 'confirm', bootstrapBrokers: [address], retries: 0 });
  await producer.send({ messages: given(file).map((one) => ({ ...one, topic, partition: 0 })), acks: 1, compression });
  await producer.close();
}

main(process.argv.slice(2));
