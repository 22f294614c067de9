/**
 * A consumer in JavaScript behind the suite, with Node's own modules alone: copy this file, and call your client in
 * `Client`. Then: kafka-conformance smoke 'cmd:node consumer.js', and `run` the same.
 */
'use strict';

const HELLO = {
  protocol: 1, kind: 'consumer', name: 'mine', version: '1.0', language: 'JavaScript', checks_crc: true,
  formats: ['v0', 'v1', 'v2'], codecs: ['none', 'gzip', 'snappy', 'lz4', 'zstd'],
  fields: ['offset', 'timestamp', 'key', 'value', 'headers'],
  directions: ['decode'], requests: ['deliver'], partial: true,
  // settings: ['reset', 'max_bytes', 'timeout', 'rack', 'group'], // those that `settings` may name: conversations
};

/**
 * Your client. `lines.record` and `lines.error` say what the application gets, at any time; what a method throws is an
 * error that the application is told.
 */
class Client {
  /** For a broker `host:port`, an isolation level (read_uncommitted or read_committed), and a Map of settings. */
  constructor(broker, isolation, settings, lines) { Object.assign(this, { broker, isolation, settings, lines }); }

  /** Consumes partition 0 of these topics, a Map of names to offsets (bigint), and no others. */
  async assign(topics) { this.topics = topics; }

  /** Ends it. */
  async close() {}
}

/** What an application gets, until the suite asks for it. */
class Lines {
  #lines = [];
  #wake = null;

  /** `headers` are pairs of a name and a value; timestampType is 0 create time, 1 log append time. */
  record(topic, { offset, timestamp, timestampType, key, value, headers }) {
    const words = (headers ?? []).flatMap(([name, content]) => [hex(name), hex(content)]);
    this.#add(['record', topic, offset, timestamp ?? -1, timestampType ?? 0, hex(key), hex(value), ...words].join('\t'));
  }

  /** `topic` is '?' for an error that names none. */
  error(topic, error) {
    this.#add(`error\t${topic}\t${`${error.name}: ${error.message}`.split(/\s+/).join(' ').slice(0, 500)}`);
  }

  /** The lines that are there, or come within a tenth of a second. */
  async take(milliseconds = 100) {
    if (this.#lines.length === 0) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => { clearTimeout(timer); resolve(); };
      });
      this.#wake = null;
    }
    return this.#lines.splice(0).join('\n');
  }

  #add(line) {
    this.#lines.push(line);
    this.#wake?.();
  }
}

/** Answers the suite until its input ends; what is printed meanwhile goes to standard error. */
async function serve(hello, create) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const lines = new Lines();
  let client = null;
  const end = async () => { const ending = client; client = null; await ending?.close(); };
  const answers = {
    H: async () => JSON.stringify(hello),
    A: async (text) => {
      await end();
      await lines.take(0);
      const [[broker, isolation, ...settings], ...topics] = text.split('\n').map((line) => line.split('\t'));
      client = await create(broker, isolation, new Map(settings.map((setting) => setting.split('='))), lines);
      await client.assign(new Map(topics.map(([topic, offset]) => [topic, BigInt(offset)])));
      return '';
    },
    P: () => lines.take(),
    Z: async () => { await end(); return lines.take(0); },
  };
  for await (const frame of frames(process.stdin)) {
    const kind = String.fromCharCode(frame[0]);
    const said = await answers[kind](frame.toString('utf8', 1)).catch((error) => { lines.error('?', error); return ''; });
    const body = Buffer.from(kind + said);
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length);
    await new Promise((done) => write(Buffer.concat([length, body]), done));
  }
  process.exit(0); // whatever timers and handles the client has left
}

async function* frames(input) {
  let held = Buffer.alloc(0);
  for await (const chunk of input) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4 && held.length >= 4 + held.readInt32BE()) {
      const end = 4 + held.readInt32BE();
      yield held.subarray(4, end);
      held = held.subarray(end);
    }
  }
}

function hex(content) {
  return content === null || content === undefined ? '-' : Buffer.from(content).toString('hex');
}

if (require.main === module) serve(HELLO, (...given) => new Client(...given));

module.exports = { serve };
