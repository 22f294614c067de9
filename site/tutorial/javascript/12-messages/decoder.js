'use strict';

const { serve } = require('./adapter.js');
const batch = require('./batch.js');
const { entries } = require('./entries.js');
const message = require('./message.js');

const HELLO = {
  name: 'tutorial',
  version: '1',
  language: 'JavaScript',
  formats: ['v0', 'v1', 'v2'],
  codecs: ['none', 'gzip', 'snappy', 'lz4'],
  fields: [
    ...['offset', 'timestamp', 'timestamp_type', 'key', 'value', 'headers'],
    ...[
      'producer_id',
      'producer_epoch',
      'sequence',
      'transactional',
      'control',
      'codec',
    ],
  ],
  checks_crc: true,
};

/** Gives the records of a fetch response. */
function* decode(data) {
  for (const entry of entries(data)) {
    yield* (entry.magic === 2 ? batch : message).records(entry.data);
  }
}

serve(HELLO, decode);
