/**
 * kafka-ts' consumer, one for each topic, without a group: it starts where the log begins, and cannot be told another
 * offset. It tells its logger of errors, and starts again a second later, from the beginning.
 */
'use strict';

const { AsyncLocalStorage } = require('node:async_hooks');
const { createKafkaClient, setLogger } = require('kafka-ts');
const { join } = require('node:path');
const { readFileSync } = require('node:fs');
const { setTimeout } = require('node:timers/promises');
const zlib = require('node:zlib');
const { POLL_MILLISECONDS, serve } = require('../common/javascript/consumer.js');

const PAUSE_MILLISECONDS = 15;
const ISOLATION = { read_uncommitted: 0, read_committed: 1 };

/** The topic whose consumer is running: what it logs names none. */
const current = new AsyncLocalStorage();

class Client {
  #client;
  #isolation;
  #lines;
  #consumers = [];
  #stopped = false;

  constructor(broker, isolation, lines) {
    const [host, port] = broker.split(':');
    this.#client = createKafkaClient({ clientId: 'consumer', bootstrapServers: [{ host, port: Number(port) }] });
    this.#isolation = ISOLATION[isolation];
    this.#lines = lines;
    const silent = () => {};
    const tell = (message, error) => {
      if (this.#stopped) return; // to close takes the connection from fetches that are on the way
      lines.error(current.getStore() ?? '?', error instanceof Error ? error : { name: 'Error', message });
    };
    setLogger({ debug: silent, info: silent, warn: tell, error: tell });
  }

  async assign(topics) {
    this.#start([...topics.keys()]);
  }

  /** Starts the consumers one after another: one that takes the process with it is then the last that was served. */
  async #start(topics) {
    for (const topic of topics) {
      if (this.#stopped) return;
      current.run(topic, () => this.#consume(topic));
      await setTimeout(PAUSE_MILLISECONDS);
    }
  }

  async #consume(topic) {
    const consumer = await this.#client.startConsumer({
      topics: [topic],
      fromBeginning: true,
      isolationLevel: this.#isolation,
      maxWaitMs: POLL_MILLISECONDS,
      onBatch: (messages) => {
        for (const message of messages) {
          this.#lines.record(topic, { ...message, headers: Object.entries(message.headers) });
        }
      },
    });
    this.#consumers.push(consumer);
  }

  async stop() {
    this.#stopped = true;
    await Promise.all(this.#consumers.map((consumer) => consumer.close(true).catch(() => {})));
  }
}

const folder = join(require.resolve('kafka-ts'), '../..');
serve({
  name: 'kafka-ts', language: 'TypeScript', url: 'https://github.com/priitkaard/kafka-ts',
  version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version,
  formats: ['v2'], checks_crc: false,
  codecs: ['none', 'gzip', 'snappy', 'lz4', ...('zstdDecompressSync' in zlib ? ['zstd'] : [])],
}, (broker, isolation, settings, lines) => new Client(broker, isolation, lines));
