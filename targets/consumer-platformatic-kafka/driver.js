/**
 * The `Consumer` of @platformatic/kafka and its stream of messages, in mode `manual`. An error ends the stream; the
 * application makes another one, which goes on where the last one was.
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

let groups = 0;

class Client {
  #consumer;
  #lines;
  #positions = new Map();
  #stream = null;
  #stopped = false;

  constructor({ Consumer }, broker, isolation, lines) {
    groups += 1;
    this.#lines = lines;
    this.#consumer = new Consumer({
      groupId: `group-${groups}`,
      clientId: 'consumer',
      bootstrapBrokers: [broker],
      isolationLevel: ISOLATION[isolation],
      autocommit: false,
      maxWaitTime: POLL_MILLISECONDS,
      retries: 0,
    });
    this.#consumer.on('error', (error) => lines.error('?', error));
  }

  async assign(topics) {
    this.#positions = new Map(topics);
    await this.#consume();
  }

  async #consume() {
    const offsets = [...this.#positions].map(([topic, offset]) => ({ topic, partition: 0, offset }));
    const stream = await this.#consumer.consume({ topics: [...this.#positions.keys()], mode: 'manual', offsets });
    this.#stream = stream;
    stream.on('error', (error) => {
      this.#lines.error('?', error);
      setTimeout(() => this.#goOn(), POLL_MILLISECONDS);
    });
    stream.on('data', (message) => {
      this.#positions.set(message.topic, message.offset + 1n);
      this.#lines.record(message.topic, { ...message, headers: message.headerEntries });
    });
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

async function main() {
  const entry = require.resolve('@platformatic/kafka');
  const library = await import(entry); // it is an ES module
  const { version } = JSON.parse(readFileSync(join(entry, '../../package.json'), 'utf8'));
  serve({
    name: 'platformatic-kafka', version, language: 'JavaScript', url: 'https://github.com/platformatic/kafka',
    formats: ['v2'], checks_crc: false,
    codecs: ['none', 'gzip', 'snappy', 'lz4', 'zstd'].filter((name) => library.compressionsAlgorithms[name].available),
  }, (broker, isolation, settings, lines) => new Client(library, broker, isolation, lines));
}

main();
