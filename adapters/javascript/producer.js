/**
 * A producer in JavaScript behind the suite, with Node's own modules alone: copy this file, and call your client in
 * `produce`. Then: kafka-conformance smoke 'cmd:node producer.js', and `run` the same.
 */
'use strict';

const HELLO = {
  protocol: 1, kind: 'producer', name: 'mine', version: '1.0', language: 'JavaScript', checks_crc: true,
  formats: ['v2'], codecs: ['none', 'gzip', 'snappy', 'lz4', 'zstd'],
  fields: ['offset', 'timestamp', 'timestamp_type', 'key', 'value', 'headers'],
  directions: ['encode'], requests: ['produce'],
  settings: ['headers'], // what it can be asked to do, also: 'idempotent', 'transactional', 'level', 'acks'
};

/**
 * Writes all records of an order to partition 0 of its topic, waits until they are sent, and gives a list of what the
 * application is told of failures; what it throws is such a failure. An order is { topic, records, codec, level, acks,
 * idempotent, transactional }; undefined is the client's own way; a transaction has the topic's name as its id, and is
 * committed. A record is { timestamp (bigint), key, value, headers }: Buffers or null, and pairs of a name and a value.
 */
async function produce(broker, order) {
  return [`nothing writes ${order.records.length} records to ${order.topic} of ${broker}`];
}

/** Answers the suite until its input ends; what is printed meanwhile goes to standard error. */
async function serve(hello, write) {
  const output = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const reply = (text) => new Promise((done) => {
    const body = Buffer.from(text);
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length);
    output(Buffer.concat([length, body]), done);
  });
  for await (const frame of frames(process.stdin)) {
    if (frame[0] === 0x48) {
      await reply(`H${JSON.stringify(hello)}`);
      continue;
    }
    const [[broker], ...rows] = frame.toString('utf8', 1).split('\n').map((line) => line.split('\t'));
    for (const order of orders(rows)) {
      const failures = await write(broker, order).catch((error) => [`${error.name}: ${error.message}`]);
      await reply(`O${failures.map((text) => String(text).split(/\s+/).join(' ')).join('\n')}`);
    }
  }
  process.exit(0); // whatever timers and handles the client has left
}

function orders(rows) {
  const all = [];
  for (const [word, first, ...rest] of rows) {
    if (word === 'order') {
      const asked = Object.fromEntries(rest.map((field) => field.split('=')));
      const number = (name) => (name in asked ? Number(asked[name]) : undefined);
      const flags = { idempotent: 'idempotent' in asked, transactional: 'transactional' in asked };
      all.push({ topic: first, records: [], codec: asked.codec, level: number('level'), acks: number('acks'), ...flags });
    } else {
      const [key, value, ...headers] = rest.map(bytes);
      const pairs = headers.flatMap((name, at) => (at % 2 ? [] : [[name, headers[at + 1]]]));
      all.at(-1).records.push({ timestamp: BigInt(first), key, value, headers: pairs });
    }
  }
  return all;
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

function bytes(text) {
  return text === '-' ? null : Buffer.from(text, 'hex');
}

if (require.main === module) serve(HELLO, produce);

module.exports = { serve };
