/**
 * node-rdkafka's `KafkaConsumer`, librdkafka through its library for Node.js, assigned to many topics, with
 * `check.crcs`. Each assignment gets a new client: librdkafka asks about topics that it did not know when it connected
 * only once a second.
 */
'use strict';

const { KafkaConsumer, features } = require('node-rdkafka');
const { version } = require('node-rdkafka/package.json'); // v3.6.1
const { POLL_MILLISECONDS, serve } = require('../common/javascript/consumer.js');

const MOST = 1000;
const CONFIGURATION = {
  'group.id': 'conformance',
  'check.crcs': true,
  'enable.auto.commit': false,
  'enable.auto.offset.store': false,
  'fetch.error.backoff.ms': 50,
  log_level: 0,
};
/** It belongs to topics: with a configuration of theirs, the library passes over what the client's says of it. */
const RESET = 'auto.offset.reset';
/** Settings of conversations, and what they are called here. */
const NAMES = {
  reset: RESET,
  max_bytes: 'fetch.message.max.bytes',
  timeout: 'socket.timeout.ms',
  rack: 'client.rack',
  group: 'group.id',
  instance: 'group.instance.id',
};
/** A member of a group commits by itself, and often. */
const MEMBER = {
  'enable.auto.commit': true,
  'enable.auto.offset.store': true,
  'auto.commit.interval.ms': 100,
  'heartbeat.interval.ms': 100,
  'session.timeout.ms': 10000,
};

class Client {
  #configuration;
  #isMember;
  #lines;
  #consumer = null;
  #consuming = Promise.resolve();
  #stopped = false;

  constructor(broker, isolation, settings, lines) {
    this.#isMember = settings.has('group');
    const asked = Object.fromEntries([...settings].map(([name, value]) => [NAMES[name], numeric(value)]));
    this.#configuration = {
      ...CONFIGURATION, ...(this.#isMember ? MEMBER : {}), ...asked,
      'metadata.broker.list': broker, 'isolation.level': isolation,
    };
    this.#lines = lines;
  }

  async assign(topics) {
    const { [RESET]: reset = 'error', ...configuration } = this.#configuration;
    const consumer = new KafkaConsumer(configuration, { [RESET]: reset });
    this.#consumer = consumer;
    consumer.setDefaultConsumeTimeout(POLL_MILLISECONDS);
    consumer.on('event.error', (error) => this.#tell(error));
    await new Promise((resolve, reject) => {
      consumer.connect({}, (error) => (error ? reject(error) : resolve()));
    });
    if (this.#isMember) consumer.subscribe([...topics.keys()]);
    else consumer.assign([...topics].map(([topic, offset]) => ({ topic, partition: 0, offset: Number(offset) })));
    this.#consuming = this.#consume();
  }

  async stop() {
    this.#stopped = true;
    await this.#consuming;
    if (this.#consumer.isConnected()) await new Promise((resolve) => this.#consumer.disconnect(resolve));
  }

  async #consume() {
    while (!this.#stopped) {
      await new Promise((resolve) => {
        this.#consumer.consume(MOST, (error, messages) => {
          if (error) this.#tell(error);
          for (const message of messages ?? []) {
            this.#lines.record(message.topic, { ...message, headers: pairs(message.headers) });
          }
          resolve();
        });
      });
    }
  }

  /** An application that has ended hears nothing: the next one's broker is another. */
  #tell(error) {
    if (!this.#stopped) this.#lines.error('?', error); // it does not say of which topic
  }
}

/** The library gives each header as an object with one key. */
function pairs(headers) {
  return (headers ?? []).flatMap(Object.entries);
}

function numeric(value) {
  return /^\d+$/.test(value) ? Number(value) : value;
}

serve({
  name: 'node-rdkafka', version: version.replace('v', ''), language: 'JavaScript (C)',
  url: 'https://github.com/Blizzard/node-rdkafka', formats: ['v0', 'v1', 'v2'], checks_crc: true,
  codecs: ['none', ...['gzip', 'snappy', 'lz4', 'zstd'].filter((codec) => features.includes(codec))],
  settings: Object.keys(NAMES),
}, (broker, isolation, settings, lines) => new Client(broker, isolation, settings, lines));
