// What the decoder in the page makes of inputs: one JSON object a line in and one out. `kind` is
// records, v07, request or response; the last two have an `api` and a `version`, the first may have
// a `topic`, the first two a `limit`. Other kinds of the page are only explained; of those, structure
// and schema_record have a `layout` and a `version`. With `text` instead of `hex`, it says how that is read.
// With `elsewhere`, it says what begins at a later byte. With `as` page, it is explained as the page does that takes many requests at once;
// with `as` cut, nothing is decoded. With `recognised`, it says what bytes are. Whatever is
// thrown and is no fault ends the process.
'use strict';

const path = require('node:path');

for (const name of ['libraries.js', 'specification.js', 'protocol.js', 'decoder.js'])
  require(path.join(process.argv[2], name));
const { Fault, NoLibraryError, elsewhere, input, kinds, libraries, lines, messages, recognition, records, v07 } =
  globalThis.kafkaDecoder;

const hex = (data) => (data === null ? null : Buffer.from(data).toString('hex'));

function recordFields(record) {
  const {
    offset,
    timestamp,
    timestampType,
    key,
    value,
    headers,
    producerId,
    producerEpoch,
    sequence,
  } = record;
  return [
    String(offset),
    String(timestamp),
    timestampType,
    hex(key),
    hex(value),
    headers.map((one) => one.map(hex)),
    String(producerId),
    producerEpoch,
    sequence,
    record.transactional,
    record.control,
    record.codec,
  ];
}

const DECODE = {
  records: (data, { limit }) => records.decode(data, { limit }).map(recordFields),
  v07: (data, { limit }) => v07.decode(data, { limit }).map(recordFields),
  request: (data, { api, version }) => void messages.decode('request', data, api, version),
  response: (data, { api, version }) => void messages.decode('response', data, api, version),
};

const EXPLAIN = {
  records: (data, { topic = '' }) =>
    lines.explainEntries(data, 'records', { ...lines.LIMITS, topic }),
  v07: (data) => lines.explainEntries(data, 'v07'),
  request: (data, how) => messages.explainRequest(data, how),
  response: (data, how) => messages.explainResponse(data, how),
};

function parsed(text) {
  try {
    const { data, notes } = recognition.readText(text);
    return { hex: hex(data), notes };
  } catch (error) {
    if (!(error instanceof input.InputError)) throw error;
    return { complaint: error.message };
  }
}

function facts({ rule, stage, offset, pathText, payload, entry, detail }) {
  return { rule, stage, offset, path: pathText, payload, entry, detail };
}

function answer(question) {
  if (question.text !== undefined) return parsed(question.text);
  const data = Uint8Array.from(Buffer.from(question.hex, 'hex'));
  if (question.recognised) {
    const { candidates, why } = recognition.recognise(data);
    return candidates.length ? { ...candidates[0], said: recognition.saidOf(candidates) } : { why };
  }
  if (question.elsewhere) return elsewhere.elsewhere(data);
  const found = { records: null, fault: null, guess: kinds.guessKind(data) };
  try {
    if (!question.as)
      found.records = DECODE[question.kind]?.(data, question) ?? null;
  } catch (error) {
    if (error instanceof Fault) found.fault = facts(error);
    else if (!(error instanceof NoLibraryError)) throw error;
  }
  if (question.lines) {
    const own = question.as === 'page' ? undefined : EXPLAIN[question.kind];
    const explain = own ?? kinds.KINDS[question.kind].explain;
    const { closed, fault, lines: explained, missing = 0 } = explain(data, question);
    Object.assign(found, { closed, missing });
    found.fault ??= fault && facts(fault);
    found.lines = explained.map((line) => [
      line.entry,
      line.path,
      line.start,
      hex(line.raw),
      line.value,
      line.payload,
      line.fault !== null,
    ]);
    found.doubted = explained.map((line) => Boolean(line.doubted));
  }
  return found;
}

async function main() {
  await libraries.load();
  const questions = require('node:fs').readFileSync(0, 'utf8').trim().split('\n');
  process.stdout.write(
    questions.map((line) => `${JSON.stringify(answer(JSON.parse(line)))}\n`).join(''),
  );
}

main();
