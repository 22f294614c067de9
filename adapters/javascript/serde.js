/**
 * Puts a reader of keys and values behind adapter protocol 1, with Node's own modules alone. For yours, copy this file:
 *
 *     const { serve } = require('./serde.js');
 *     serve('mine', '1.0.0', { confluent: ['schema_id', 'payload'], long: ['value'] }, read);
 *
 * The third argument has the kinds of content that are read, each with the parts that answers have. `read` takes a
 * question and gives (or promises) an answer. A question is { content, data, headers, schema }: the kind of content, a
 * Buffer or null, pairs of a name and a Buffer or null, and the Avro schema of the payload, for readers that do not give
 * the payload itself. An answer has schema_id, guid (hex), indexes, payload (hex), value. Whatever is thrown refuses the
 * value, except NotSupported: the library does not claim to do this.
 */
'use strict';

class NotSupported extends Error { toString() { return this.message; } }

async function serve(name, version, serdes, read) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr); // what a library prints spoils no frame
  const none = { formats: [], codecs: [], fields: [], directions: [] };
  const hello = JSON.stringify({ protocol: 1, name, version, language: 'JavaScript', serdes, checks_crc: true, ...none });
  for await (const body of frames(process.stdin)) {
    const reply = body[0] === 'H'.charCodeAt(0) ? Buffer.from(`H${hello}`) : await block(body, read);
    await new Promise((done) => write(sized(reply), done));
  }
  process.exit(0); // whatever timers and handles the library has left
}

async function* frames(input) {
  let held = Buffer.alloc(0);
  for await (const chunk of input) {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4 && held.length >= 4 + held.readInt32BE()) {
      const body = held.subarray(4, 4 + held.readInt32BE());
      held = held.subarray(4 + body.length);
      yield body;
    }
  }
}

async function block(body, read) {
  const parts = [body.subarray(0, 9)]; // the kind, the number of the block, and how many questions it has
  for (let place = 9; place < body.length;) {
    const end = place + 4 + body.readInt32BE(place);
    const asked = JSON.parse(body.subarray(place + 4, end));
    const headers = asked.headers.map(([key, value]) => [key, octets(value)]);
    const work = async () => read({ ...asked, data: octets(asked.data), headers });
    const failure = (error) => [error instanceof NotSupported ? 2 : 1, String(error)];
    const [status, content] = await work().then((answer) => [0, JSON.stringify(answer)], failure);
    parts.push(Buffer.from([status]), sized(Buffer.from(content)));
    place = end;
  }
  return Buffer.concat(parts);
}

const octets = (hex) => (hex === null ? null : Buffer.from(hex, 'hex'));

function sized(data) {
  const size = Buffer.alloc(4);
  size.writeInt32BE(data.length);
  return Buffer.concat([size, data]);
}

module.exports = { serve, NotSupported };
