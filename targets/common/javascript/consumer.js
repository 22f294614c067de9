/** What drivers of consumers in JavaScript share: the frames, and records as lines (docs/broker.md). */
'use strict';

const POLL_MILLISECONDS = 100;

/** What an application gets, until the suite asks for it. */
class Lines {
  #lines = [];
  #wake = null;

  /** Says that the application got a record; `headers` are pairs of a key and a value. Format v0 has no timestamp. */
  record(topic, { offset, timestamp, key, value, headers }) {
    const words = headers.flatMap(([name, content]) => [text(Buffer.from(name)), text(content)]);
    this.#add(['record', topic, offset, timestamp ?? -1, 0, text(key), text(value), ...words].join('\t'));
  }

  /** Says that the application was told an error; `?` is the topic of one that names none. */
  error(topic, error) {
    this.#add(`error\t${topic}\t${`${error.name}: ${error.message}`.split(/\s+/).join(' ').slice(0, 500)}`);
  }

  /** The lines of a moment. */
  async take() {
    if (this.#lines.length === 0) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, POLL_MILLISECONDS);
        this.#wake = () => (clearTimeout(timer), resolve());
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

/**
 * Answers the suite until its input ends. `create(broker, isolation, settings, lines)` makes a client with `assign` of
 * a Map of topics to offsets, and `stop`; it says what it gets with `lines`, at any time.
 */
async function serve(hello, create) {
  const lines = new Lines();
  let client = null;
  const answers = {
    H: () => JSON.stringify(helloOf(hello)),
    async A(body) {
      await client?.stop();
      client = null;
      await lines.take();
      const [[broker, isolation, ...settings], ...topics] = body.split('\n').map((line) => line.split('\t'));
      try {
        client = await create(broker, isolation, new Map(settings.map((setting) => setting.split('='))), lines);
        await client.assign(new Map(topics.map(([topic, offset]) => [topic, BigInt(offset)])));
      } catch (error) {
        lines.error('?', error);
      }
      return '';
    },
    P: () => lines.take(),
    async Z() {
      await client?.stop();
      client = null;
      return lines.take();
    },
  };
  for await (const frame of frames(process.stdin)) {
    const kind = String.fromCharCode(frame[0]);
    const body = Buffer.from(kind + (await answers[kind](frame.toString('utf8', 1))));
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length);
    process.stdout.write(Buffer.concat([length, body]));
  }
  process.exit(0);
}

function helloOf(hello) {
  return {
    protocol: 1,
    codecs: ['none', 'gzip', 'snappy', 'lz4', 'zstd'],
    fields: ['offset', 'timestamp', 'key', 'value', 'headers'],
    directions: ['decode'],
    requests: ['deliver'],
    partial: true,
    ...hello,
  };
}

async function* frames(stream) {
  let left = Buffer.alloc(0);
  for await (const chunk of stream) {
    left = Buffer.concat([left, chunk]);
    while (left.length >= 4 && left.length >= 4 + left.readInt32BE(0)) {
      const end = 4 + left.readInt32BE(0);
      yield left.subarray(4, end);
      left = left.subarray(end);
    }
  }
}

function text(content) {
  return content === null || content === undefined ? '-' : Buffer.from(content).toString('hex');
}

module.exports = { POLL_MILLISECONDS, serve };
