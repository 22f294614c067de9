/**
 * kafkajs' consumer: `subscribe`, `run` with `eachMessage`, and `seek`. It has no assignment by hand, so it is the only
 * member of a group. Whenever it joins, it seeks to where its application is, as one does that keeps its own offsets.
 * After an error it starts again, as its option `restartOnFailure` has it. It does not after one that it takes for
 * final; then the application makes another consumer, as one does that is started again when it ends.
 * Asked to be a member of a group by name, it commits by itself instead, and often. It always resets an offset that is
 * gone: to the end only if it is told so.
 */
'use strict';

const { Kafka, logLevel } = require('kafkajs');
const { version } = require('kafkajs/package.json');
const { POLL_MILLISECONDS, serve } = require('../common/javascript/consumer.js');
require('./codecs.js');

const SOON = { initialRetryTime: 50, maxRetryTime: 100, retries: 0 };
const MEMBER = { heartbeatInterval: 100, sessionTimeout: 10000 };
const MEMBER_RETRIES = 5; // the library's own; what a coordinator asks to be asked again, it does not tell then
const RELEASE = version.split('.').map(Number);
const HAS_RACK = RELEASE[0] > 1 || RELEASE[1] >= 13;
const SETTINGS = ['reset', 'max_bytes', 'timeout', ...(HAS_RACK ? ['rack'] : []), 'group'];

let groups = 0;

class Client {
  #kafka;
  #isolation;
  #settings;
  #lines;
  #positions = new Map();
  #consumer = null;
  #stopped = false;

  constructor(broker, isolation, settings, lines) {
    const requestTimeout = Number(settings.get('timeout') ?? 30000);
    this.#kafka = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING, retry: SOON, requestTimeout });
    this.#isolation = isolation;
    this.#settings = settings;
    this.#lines = lines;
  }

  async assign(topics) {
    this.#positions = new Map(topics);
    await this.#goOn();
  }

  async stop() {
    this.#stopped = true;
    await this.#consumer?.disconnect();
  }

  async #consume() {
    groups += 1;
    const group = this.#settings.get('group');
    const consumer = this.#kafka.consumer({
      groupId: group ?? `group-${groups}`,
      ...(group ? MEMBER : {}),
      rackId: this.#settings.get('rack') ?? '',
      maxBytesPerPartition: Number(this.#settings.get('max_bytes') ?? 1 << 20),
      readUncommitted: this.#isolation !== 'read_committed',
      maxWaitTimeInMs: POLL_MILLISECONDS,
      retry: { ...SOON, ...(group ? { retries: MEMBER_RETRIES } : {}), restartOnFailure: async () => !this.#stopped },
    });
    this.#consumer = consumer;
    if (!group) consumer.on(consumer.events.GROUP_JOIN, () => this.#seek(consumer));
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { topic, lastOffset } }) => {
      this.#positions.set(topic, BigInt(lastOffset) + 1n); // after control records, too
    });
    consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
      this.#tell(error);
      if (!restart) setTimeout(() => this.#goOn(), POLL_MILLISECONDS);
    });
    await consumer.connect();
    if (this.#stopped) return consumer.disconnect();
    const fromBeginning = this.#settings.get('reset') !== 'latest';
    await subscribe(consumer, [...this.#positions.keys()], fromBeginning);
    await consumer.run({
      autoCommit: group !== undefined,
      autoCommitInterval: POLL_MILLISECONDS,
      eachMessage: async ({ topic, message }) => {
        this.#positions.set(topic, BigInt(message.offset) + 1n);
        this.#lines.record(topic, { ...message, headers: pairs(message.headers) });
      },
    });
  }

  #seek(consumer) {
    for (const [topic, offset] of this.#positions) consumer.seek({ topic, partition: 0, offset: offset.toString() });
  }

  async #goOn() {
    if (this.#stopped) return;
    await this.#consumer?.disconnect().catch(() => {});
    try {
      await this.#consume();
    } catch (error) {
      this.#tell(error);
      setTimeout(() => this.#goOn(), POLL_MILLISECONDS);
    }
  }

  /** An application that has ended hears nothing: the next one's broker is another. */
  #tell(error) {
    if (!this.#stopped) this.#lines.error('?', error);
  }
}

/** Releases before 2.0 subscribe to one topic at a time. */
async function subscribe(consumer, topics, fromBeginning) {
  if (RELEASE[0] >= 2) return consumer.subscribe({ topics, fromBeginning });
  for (const topic of topics) await consumer.subscribe({ topic, fromBeginning });
}

/** The library gives headers as an object, and an array as the value of a key that stood there twice. */
function pairs(headers) {
  return Object.entries(headers ?? {}).flatMap(([key, value]) => [value].flat().map((content) => [key, content]));
}

serve({
  name: 'kafkajs', version, language: 'JavaScript', url: 'https://github.com/tulios/kafkajs',
  formats: ['v0', 'v1', 'v2'], checks_crc: false, settings: SETTINGS,
}, (broker, isolation, settings, lines) => new Client(broker, isolation, settings, lines));
