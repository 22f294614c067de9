/**
 * The codecs of kafkajs, which its users register.
 *
 * The library itself brings gzip. Snappy, LZ4 and zstd are plug-ins that its users register, as here:
 * - snappy: kafkajs-snappy, the one that kafkajs's documentation names. It unpacks the framing of snappy-java itself,
 *   the blocks with snappyjs.
 * - LZ4: @2l/kafkajs-lz4, which hands whole frames to lz4-napi (lz4_flex). The one that the documentation names has to
 *   be compiled, and npm no longer does that unasked.
 * - zstd: no plug-in installs any more on the Nodes of today (@kafkajs/zstd does not compile), so the six lines below
 *   hand whole frames to @mongodb-js/zstd (libzstd).
 */
'use strict';

const zstd = require('@mongodb-js/zstd');
const LZ4 = require('@2l/kafkajs-lz4');
const { CompressionCodecs, CompressionTypes } = require('kafkajs');
const snappy = require('kafkajs-snappy');

CompressionCodecs[CompressionTypes.Snappy] = snappy;
CompressionCodecs[CompressionTypes.LZ4] = new LZ4().codec;
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: (encoder) => zstd.compress(encoder.buffer),
  decompress: (buffer) => zstd.decompress(buffer),
});
