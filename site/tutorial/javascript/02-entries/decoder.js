'use strict';

const { NotSupported, serve } = require('./adapter.js');
const { entries } = require('./entries.js');

const HELLO = {
  name: 'tutorial',
  version: '1',
  language: 'JavaScript',
  formats: ['v2'],
  codecs: ['none'],
  fields: ['offset', 'timestamp', 'timestamp_type', 'key', 'value'],
  checks_crc: false,
};

/** Gives the records of a fetch response. */
function decode(data) {
  for (const { magic } of entries(data))
    throw new NotSupported(`it reads no entry of magic ${magic} yet`);
  return [];
}

serve(HELLO, decode);
