'use strict';

const zlib = require('node:zlib');

const { NotSupported } = require('./adapter.js');
const { unlz4 } = require('./lz4.js');
const { unsnappy } = require('./snappy.js');

const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/** Gives the content; the codec is not 0, and `magic` is that of the entry. */
function decompress(codec, data, magic) {
  switch (CODECS[codec]) {
    case 'gzip':
      return zlib.gunzipSync(data);
    case 'snappy':
      return unsnappy(data);
    case 'lz4':
      return unlz4(data, magic);
    default:
      throw new NotSupported(`it does not read ${CODECS[codec]} yet`);
  }
}

module.exports = { CODECS, decompress };
