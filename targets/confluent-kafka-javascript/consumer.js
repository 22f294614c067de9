/**
 * @confluentinc/kafka-javascript's promisified consumer, librdkafka below an API like kafkajs': `subscribe` and `run`
 * with `eachMessage`, with `check.crcs`. It has no assignment by hand, so it is the only member of a group, and its
 * `rebalance_cb` begins where its application is. Its errors come to the logger alone, so that is what tells them.
 * Asked to be a member of a group by name, it commits by itself instead, and often.
 */
'use strict';

const { KafkaJS, features } = require('@confluentinc/kafka-javascript');
const { version } = require('@confluentinc/kafka-javascript/package.json');
const { serve } = require('../common/javascript/consumer.js');

const CONFIGURATION = {
  'check.crcs': true,
  'enable.auto.commit': false,
  'auto.offset.reset': 'error',
  'fetch.error.backoff.ms': 50,
};
/** Settings of conversations, and what they are called here. */
const NAMES = {
  reset: 'auto.offset.reset',
  max_bytes: 'fetch.message.max.bytes',
  timeout: 'socket.timeout.ms',
  rack: 'client.rack',
  group: 'group.id',
  instance: 'group.instance.id',
  protocol: 'group.protocol',
};
/** A member of a group commits by itself, and often. */
const MEMBER = { 'enable.auto.commit': true, 'auto.commit.interval.ms': 100 };
/** What a member chooses that the broker chooses for one of KIP-848. */
const CLASSIC = { 'heartbeat.interval.ms': 100, 'session.timeout.ms': 10000 };

let groups = 0;

class Client {
  #configuration;
  #isMember;
  #lines;
  #positions = new Map();
  #consumer = null;
  #stopped = false;

  constructor(broker, isolation, settings, lines) {
    groups += 1;
    this.#isMember = settings.has('group');
    const asked = Object.fromEntries([...settings].map(([name, value]) => [NAMES[name], numeric(value)]));
    this.#configuration = {
      'group.id': `group-${groups}`, ...CONFIGURATION, ...(this.#isMember ? MEMBER : {}),
      ...(this.#isMember && settings.get('protocol') !== 'consumer' ? CLASSIC : {}), ...asked,
      'bootstrap.servers': broker, 'isolation.level': isolation,
    };
    this.#lines = lines;
  }

  async assign(topics) {
    this.#positions = topics;
    const begin = { rebalance_cb: (event, assigned, functions) => this.#rebalance(event, assigned, functions) };
    const kafkaJS = { logger: this.#logger() };
    this.#consumer = new KafkaJS.Kafka({ kafkaJS }).consumer({ ...this.#configuration, ...(this.#isMember ? {} : begin) });
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [...topics.keys()] });
    await this.#consumer.run({
      eachMessage: async ({ topic, message }) => {
        this.#positions.set(topic, BigInt(message.offset) + 1n);
        const timestamp = message.timestamp || -1; // it is '' where the library sees none
        this.#lines.record(topic, { ...message, timestamp, headers: pairs(message.headers) });
      },
    });
  }

  async stop() {
    this.#stopped = true;
    await this.#consumer.disconnect();
  }

  #rebalance(event, assigned, functions) {
    if (event.code !== KafkaJS.ErrorCodes.ERR__ASSIGN_PARTITIONS) return;
    functions.assign(assigned.map((one) => ({ ...one, offset: Number(this.#positions.get(one.topic)) })));
  }

  /** What the library logs as an error; an application that has ended hears nothing. */
  #logger() {
    const quiet = () => {};
    const error = (message) => {
      if (!this.#stopped) this.#lines.error('?', { name: 'logged', message });
    };
    const logger = { debug: quiet, info: quiet, warn: quiet, error, setLogLevel: quiet, namespace: () => logger };
    return logger;
  }
}

/** The library gives headers as an object, and an array as the value of a key that stood there twice. */
function pairs(headers) {
  return Object.entries(headers ?? {}).flatMap(([key, value]) => [value].flat().map((content) => [key, content]));
}

function numeric(value) {
  return /^\d+$/.test(value) ? Number(value) : value;
}

serve({
  name: 'confluent-kafka-javascript', version, language: 'JavaScript (C)',
  url: 'https://github.com/confluentinc/confluent-kafka-javascript', formats: ['v0', 'v1', 'v2'], checks_crc: true,
  codecs: ['none', ...['gzip', 'snappy', 'lz4', 'zstd'].filter((codec) => features.includes(codec))],
  settings: [...Object.keys(NAMES).filter((name) => name !== 'protocol'), 'consumer-protocol'],
}, (broker, isolation, settings, lines) => new Client(broker, isolation, settings, lines));
