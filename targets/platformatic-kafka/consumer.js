/**
 * The `Consumer` of @platformatic/kafka and its stream of messages, in mode `manual`. An error ends the stream; the
 * application makes another one, which goes on where the last one was. As a member of a group the mode is `committed`,
 * and the library commits by itself; after an error, it goes on behind the last record that it gave.
 */
'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { POLL_MILLISECONDS, serve } = require('../common/javascript/consumer.js');

const ISOLATION = { read_uncommitted: 0, read_committed: 1 };

// The library wants Node 22. On 20, this is what its consumer misses.
Promise.withResolvers ??= () => {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
};

// It tries again to join a group that is being rebalanced, as often as by default; else an error is told at once.
const MEMBER = { autocommit: 100, heartbeatInterval: 100, sessionTimeout: 10000, retries: 3 };
const SETTINGS = ['reset', 'max_bytes', 'timeout', 'rack', 'group', 'instance'];

let groups = 0;

class Client {
  #consumer;
  #settings;
  #lines;
  #positions = new Map();
  #topics = [];
  #stream = null;
  #stopped = false;

  constructor({ Consumer }, broker, isolation, settings, lines) {
    groups += 1;
    this.#settings = settings;
    this.#lines = lines;
    this.#consumer = new Consumer({
      groupId: settings.get('group') ?? `group-${groups}`,
      clientId: 'consumer',
      bootstrapBrokers: [broker],
      isolationLevel: ISOLATION[isolation],
      autocommit: false,
      maxWaitTime: POLL_MILLISECONDS,
      retries: 0,
      ...chosen(settings),
    });
    this.#consumer.on('error', (error) => lines.error('?', error));
  }

  async assign(topics) {
    this.#topics = [...topics.keys()];
    if (!this.#settings.has('group')) this.#positions = new Map(topics);
    await this.#goOn();
  }

  async #consume() {
    const offsets = [...this.#positions].map(([topic, offset]) => ({ topic, partition: 0, offset }));
    const place = offsets.length > 0 ? { mode: 'manual', offsets } : { mode: 'committed' };
    const fallbackMode = this.#settings.get('reset') ?? 'fail';
    const stream = await this.#consumer.consume({ topics: this.#topics, fallbackMode, ...place });
    this.#stream = stream;
    stream.on('error', (error) => {
      this.#lines.error('?', error);
      if (!this.#settings.has('group') && stream.readableLength === 0) this.#passOver(stream);
      setTimeout(() => this.#goOn(), POLL_MILLISECONDS);
    });
    stream.on('data', (message) => {
      this.#positions.set(message.topic, message.offset + 1n);
      // Before 2.11, an application has the headers as a map alone.
      const headers = message.headerEntries ?? [...message.headers];
      this.#lines.record(message.topic, { ...message, headers });
    });
  }

  /** Takes over where a stream was: it has passed over batches without records, of which nothing tells here. */
  #passOver(stream) {
    for (const [topic, offset] of this.#positions) {
      const next = stream.offsetsToFetch.get(`${topic}:0`) ?? offset;
      if (next > offset) this.#positions.set(topic, next);
    }
  }

  async #goOn() {
    if (this.#stopped) return;
    try {
      await this.#consume();
    } catch (error) {
      this.#lines.error('?', error);
      setTimeout(() => this.#goOn(), POLL_MILLISECONDS);
    }
  }

  async stop() {
    this.#stopped = true;
    this.#stream?.on('error', () => {});
    await this.#consumer.close(true).catch(() => {});
  }
}

/** The options of the library that the suite's settings are. */
function chosen(settings) {
  const options = settings.has('group') ? { ...MEMBER } : {};
  if (settings.has('rack')) options.clientRack = settings.get('rack');
  if (settings.has('instance')) options.groupInstanceId = settings.get('instance');
  if (settings.has('max_bytes')) options.maxBytesPerPartition = Number(settings.get('max_bytes'));
  if (settings.has('timeout')) options.requestTimeout = Number(settings.get('timeout'));
  return options;
}

async function main() {
  const entry = require.resolve('@platformatic/kafka');
  const library = await import(entry); // it is an ES module
  const { version } = JSON.parse(readFileSync(join(entry, '../../package.json'), 'utf8'));
  serve({
    name: 'platformatic-kafka', version, language: 'JavaScript', url: 'https://github.com/platformatic/kafka',
    formats: ['v2'], checks_crc: false, settings: SETTINGS,
    codecs: ['none', 'gzip', 'snappy', 'lz4', 'zstd'].filter((name) => library.compressionsAlgorithms[name].available),
  }, (broker, isolation, settings, lines) => new Client(library, broker, isolation, settings, lines));
}

main();
