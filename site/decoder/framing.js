/**
 * The framing of compressed payloads as fields: headers, lengths, blocks. Nothing is decompressed
 * and nothing refused; what cannot be read, or has no layout, is one piece at the end.
 */
'use strict';

const { faultOf } = require('./fault.js');
const { Reader, Spans } = require('./reader.js');
const { find, mask } = require('./spec.js');

// Bytes of an xxh32, after a block and after the frame (LZ4 frame format 1.6).
const CHECKSUM_SIZE = 4;
const MOST = 1000; // chunks or blocks that are shown one by one

/** A payload on the way to its pieces: `whole` is the span that they take the place of. */
class Frames {
  constructor(whole) {
    Object.assign(this, { whole, position: 0, pieces: [] });
  }

  /** Reads one structure and goes after it; returns its fields, or null if it cannot be read. */
  fields(layout, ...path) {
    const { raw, start, payload } = this.whole;
    const spans = new Spans();
    const reader = new Reader(raw, { spans });
    let values = null;
    const fault = faultOf(() => {
      values = reader.read(find(layout), this.position, raw.length, [...this.whole.path, ...path]);
    });
    if (fault) return null;
    this.position = reader.at;
    for (const span of spans.all) {
      this.pieces.push({ ...span, start: start + span.start, end: start + span.end, payload });
    }
    return values;
  }

  /** Takes bytes that no layout describes. */
  piece(size, ...path) {
    const raw = this.whole.raw.subarray(this.position, this.position + size);
    const start = this.whole.start + this.position;
    if (raw.length) {
      const place = { path: [...this.whole.path, ...path], start, end: start + raw.length };
      this.pieces.push({ ...this.whole, ...place, value: raw, raw });
    }
    this.position += raw.length;
  }
}

const CODECS = {
  gzip: (frames) => frames.fields('gzip_header', 'header'),
  zstd: (frames) => frames.fields('zstd_frame_header', 'header'),

  snappy(frames) {
    if (!frames.fields('xerial_header', 'header')) return;
    for (let index = 0; index < MOST && frames.fields('xerial_chunk', 'chunks', index); index += 1);
  },

  lz4(frames) {
    const header = frames.fields('lz4_frame_header', 'header');
    const has = (name) => header.flags & mask(find('lz4_frame_header'), 'flags', name);
    const length = mask(find('lz4_block_header'), 'size', 'length');
    for (let index = 0; header && index < MOST; index += 1) {
      const block = frames.fields('lz4_block_header', 'blocks', index);
      const size = block ? block.size & length : 0;
      if (!size) {
        if (block && has('has_content_checksum')) frames.piece(CHECKSUM_SIZE, 'content_checksum');
        return;
      }
      frames.piece(size, 'blocks', index);
      if (has('has_block_checksums')) frames.piece(CHECKSUM_SIZE, 'blocks', index, 'checksum');
    }
  },
};

/** Returns the pieces of a compressed payload, which together are all of its bytes. */
function framed(whole, codec) {
  const frames = new Frames(whole);
  CODECS[codec](frames);
  frames.piece(whole.raw.length);
  return frames.pieces;
}

module.exports = { framed };
