// Writes a transaction with kafkajs, reads it as a member of a group, and asks for what its admin client can.
const { Kafka, logLevel, ConfigResourceTypes } = require("kafkajs");

const topic = "orders-kafkajs";
const groupId = "group-kafkajs";

async function attempt(what, call) {
  try {
    return await call();
  } catch (error) {
    console.error(`  ${what}: ${error.message}`); // what the broker refuses is a response, too
  }
}

async function main(address) {
  const kafka = new Kafka({ clientId: "kafkajs", brokers: [address], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await attempt("create", () => admin.createTopics({ topics: [{ topic, numPartitions: 1 }] }));
  const producer = kafka.producer({ transactionalId: "tx-kafkajs", idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  const transaction = await producer.transaction();
  await transaction.send({ topic, messages: [{ key: "k1", value: "order 1", headers: { n: "1" } }, { value: null }] });
  await transaction.commit();
  await producer.disconnect();
  const consumer = kafka.consumer({ groupId });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise((resolve) => {
    let found = 0;
    consumer.run({ eachMessage: async () => void (++found === 2 && resolve()) });
    setTimeout(resolve, 20000);
  });
  await consumer.commitOffsets([{ topic, partition: 0, offset: "2" }]);
  await new Promise((resolve) => setTimeout(resolve, 4000));
  await attempt("group", () => admin.describeGroups([groupId]));
  await consumer.disconnect();
  await attempt("topics", () => admin.fetchTopicMetadata({ topics: [topic] }));
  await attempt("latest", () => admin.fetchTopicOffsets(topic));
  await attempt("at a time", () => admin.fetchTopicOffsetsByTimestamp(topic, 0));
  await attempt("cluster", () => admin.describeCluster());
  await attempt("groups", () => admin.listGroups());
  await attempt("offsets", () => admin.fetchOffsets({ groupId, topics: [topic] }));
  const place = { type: ConfigResourceTypes.TOPIC, name: topic };
  await attempt("configs", () => admin.describeConfigs({ resources: [place] }));
  const configEntries = [{ name: "retention.ms", value: "3600000" }];
  await attempt("alter", () => admin.alterConfigs({ resources: [{ ...place, configEntries }] }));
  await attempt("partitions", () => admin.createPartitions({ topicPartitions: [{ topic, count: 2 }] }));
  const partitions = [{ partition: 0, offset: "1" }];
  await attempt("delete records", () => admin.deleteTopicRecords({ topic, partitions }));
  const acl = { resourceType: 2, resourceName: "orders", resourcePatternType: 3, principal: "User:reader", host: "*" };
  await attempt("allow", () => admin.createAcls({ acl: [{ ...acl, operation: 3, permissionType: 3 }] }));
  await attempt("acls", () => admin.describeAcls({ ...acl, operation: 1, permissionType: 1 }));
  await attempt("forget", () => admin.deleteAcls({ filters: [{ ...acl, operation: 1, permissionType: 1 }] }));
  await attempt("reassign", () =>
    admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment: [{ partition: 0, replicas: [1] }] }] }));
  await attempt("reassignments", () => admin.listPartitionReassignments({ topics: [{ topic, partitions: [0] }] }));
  await attempt("delete group", () => admin.deleteGroups([groupId]));
  await attempt("delete", () => admin.deleteTopics({ topics: [topic] }));
  await admin.disconnect();
}

main(process.argv[2]).then(() => process.exit(0));
