/**
 * The decoder in the page behind the adapter protocol, so that the suite judges it like any other:
 *
 *     kafka-conformance run "cmd:node site/decoder/adapter.js FOLDER"
 *
 * FOLDER has the scripts that the build made: `_static/decoder` of the site.
 */
'use strict';

const path = require('node:path');
const { serve, NotSupported } = require('../../adapters/javascript/adapter.js');

const folder = path.resolve(
  process.argv[2] ?? path.join(__dirname, '../../build/site/html/_static/decoder'),
);
for (const name of ['libraries.js', 'specification.js', 'protocol.js', 'decoder.js'])
  require(path.join(folder, name));
const { NoLibraryError, apis, libraries, messages, records, spec } = globalThis.kafkaDecoder;

const KINDS = ['request', 'response'];
// A Buffer may lie anywhere in its memory, and `subarray` of it is a Buffer.
const plain = (data) => new Uint8Array(data);

async function decode(data) {
  await libraries.load();
  try {
    return records.decode(plain(data));
  } catch (error) {
    throw error instanceof NoLibraryError ? new NotSupported(error.message) : error;
  }
}

function message(number, api, version, data) {
  const kind = KINDS[number];
  if (
    !kind ||
    !(api in spec.names('api')) ||
    !apis.layoutOf(api, kind).versions.includes(version)
  ) {
    throw new NotSupported(`there is no ${kind} ${api} of version ${version}`);
  }
  const { header, body } = messages.decode(kind, plain(data), api, version);
  return JSON.stringify({ header, body }, json);
}

/**
 * Writes values as the suite wants them: an int64 as decimal text, bytes as hex, unknown tags by
 * Kafka's name.
 */
function json(key, value) {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (value?.unknown_tagged_fields) {
    const { unknown_tagged_fields: unknown, ...rest } = value;
    return { ...rest, _unknownTaggedFields: unknown };
  }
  return Number.isFinite(value) || typeof value !== 'number' ? value : String(value);
}

serve(
  {
    name: 'decoder-in-the-page',
    version: '1',
    language: 'JavaScript',
    formats: ['v0', 'v1', 'v2'],
    codecs: ['none', 'gzip', 'snappy', 'lz4', 'zstd'],
    fields: [
      'offset',
      'timestamp',
      'timestamp_type',
      'key',
      'value',
      'headers',
      'producer_id',
      'producer_epoch',
      'sequence',
      'transactional',
      'control',
      'codec',
    ],
    checks_crc: true,
    apis: { form: 'json' },
  },
  decode,
  undefined,
  async (...question) => message(...question),
);
