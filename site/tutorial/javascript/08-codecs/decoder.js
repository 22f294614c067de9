'use strict';

const { NotSupported, serve } = require('./adapter.js');
const batch = require('./batch.js');
const { entries } = require('./entries.js');

const HELLO = {
  name: 'tutorial',
  version: '1',
  language: 'JavaScript',
  formats: ['v2'],
  codecs: ['none', 'gzip'],
  fields: [
    ...['offset', 'timestamp', 'timestamp_type', 'key', 'value', 'headers'],
    ...['producer_id', 'producer_epoch', 'sequence', 'transactional', 'codec'],
  ],
  checks_crc: true,
};

/** Gives the records of a fetch response. */
function* decode(data) {
  for (const entry of entries(data)) {
    if (entry.magic !== 2)
      throw new NotSupported(`it reads no entry of magic ${entry.magic} yet`);
    yield* batch.records(entry.data);
  }
}

serve(HELLO, decode);
