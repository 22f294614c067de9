'use strict';

const { NotSupported, serve } = require('./adapter.js');

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
function decode() {
  throw new NotSupported('it reads nothing yet');
}

serve(HELLO, decode);
