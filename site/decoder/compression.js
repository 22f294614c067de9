/**
 * The codecs of compressed payloads, strictly: what is special about Kafka's use of each is checked
 * here, as the reference does, and each fault has its rule and its place. Inflating and zstd are
 * left to libraries, which the build brings (libraries.js); where it could not, such payloads stay
 * closed, and `NoLibraryError` says so.
 */
'use strict';

const gzip = require('./gzip.js');
const lz4 = require('./lz4.js');
const snappy = require('./snappy.js');
const zstd = require('./zstd.js');

/** Codec names; the index of a name is its number in the attributes. */
const NAMES = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

const CODECS = { gzip, snappy, lz4, zstd };

/**
 * Decompresses a payload.
 *
 * `magic` is that of the format that it comes from, `limit` the most bytes that the result may
 * have. Offsets in faults count inside `data`. Nothing is allocated for a size before it is held
 * against the limit and against what so many bytes can grow to.
 */
function decompress(codec, data, { magic = 2, limit }) {
  return codec === 'none' ? data : CODECS[codec].decompress(data, magic, limit);
}

module.exports = { NAMES, decompress };
