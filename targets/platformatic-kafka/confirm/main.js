/**
 * @platformatic/kafka: what the stream of `consumer.consume` gives. Arguments: the broker's address, the topic, a file
 * that is not read, the isolation level, settings as name=value: `group`, where the group has committed, and `instance`.
 */
'use strict';

const { show, showError, quiet } = require('../../common/confirm/lines.js');
require('../../common/confirm/with-resolvers.js');

const MEMBER_MILLISECONDS = 3000; // so long a member consumes, and is closed then

async function main([address, topic, , isolation, ...given]) {
  const { group, instance } = Object.fromEntries(given.map((setting) => setting.split('=')));
  const { Consumer } = await import(require.resolve('@platformatic/kafka')); // it is an ES module
  const isolationLevel = isolation === 'read_committed' ? 1 : 0;
  const common = { clientId: 'confirm', bootstrapBrokers: [address], isolationLevel };
  const member = { groupId: group, groupInstanceId: instance, heartbeatInterval: 100, sessionTimeout: 10000 };
  const consumer = new Consumer(group ? { ...common, ...member } : { ...common, groupId: 'confirm', retries: 0 });
  const place = group ? { mode: 'committed', fallbackMode: 'earliest', autocommit: 100 } : { mode: 'earliest', autocommit: false };
  if (group) setTimeout(() => consumer.close(true).finally(() => process.exit(0)), MEMBER_MILLISECONDS);
  else quiet();
  const stream = await consumer.consume({ topics: [topic], ...place, maxWaitTime: 100 });
  for await (const { offset, timestamp, key, value, headers } of stream) {
    if (!group) quiet();
    show({ offset, timestamp, key, value, headers: [...headers].map(([name, one]) => [name.toString(), one]) });
  }
}

main(process.argv.slice(2)).catch((error) => {
  showError(error);
  process.exit(0);
});
