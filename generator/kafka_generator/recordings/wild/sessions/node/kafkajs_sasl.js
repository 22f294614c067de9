// Logs in with kafkajs, with PLAIN, SCRAM and a wrong password, and lists topics.
const { Kafka, logLevel } = require("kafkajs");

async function main(address) {
  for (const [mechanism, password] of [["plain", "not-secret"], ["scram-sha-256", "not-secret"], ["plain", "wrong"]]) {
    const sasl = { mechanism, username: "alice", password };
    const retry = { retries: 0 };
    const kafka = new Kafka({ clientId: "kafkajs-sasl", brokers: [address], sasl, retry, logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    try {
      await admin.connect();
      await admin.listTopics();
      await admin.disconnect();
    } catch (error) {
      console.error(`  ${mechanism}: ${error.message}`);
    }
  }
}

main(process.argv[2]).then(() => process.exit(0));
