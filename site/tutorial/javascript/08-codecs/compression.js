'use strict';

const zlib = require('node:zlib');

const { NotSupported } = require('./adapter.js');

const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/** Gives the content; the codec is not 0. */
function decompress(codec, data) {
  switch (CODECS[codec]) {
    case 'gzip':
      return zlib.gunzipSync(data);
    default:
      throw new NotSupported(`it does not read ${CODECS[codec]} yet`);
  }
}

module.exports = { CODECS, decompress };
