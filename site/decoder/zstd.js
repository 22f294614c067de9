/**
 * zstd (codec 4): one or more zstd frames, also skippable ones. Frames are walked here, their
 * blocks are libzstd's.
 */
'use strict';

const { NoLibraryError, broken, joined, overLimit } = require('./codec_faults.js');
const { counted, hex, integer, startsWith } = require('./numbers.js');
const { find, mask, places } = require('./spec.js');
const libraries = require('./libraries.js');

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
const SKIPPABLE = [0x2a, 0x4d, 0x18]; // after a first byte 50 to 5f
const WINDOW_LIMIT = 128 << 20; // ZSTD_WINDOWLOG_LIMIT_DEFAULT
const BLOCK_MAXIMUM = 128 << 10;
const [RLE, COMPRESSED, RESERVED] = [1, 2, 3];
// ZSTD_error_checksum_wrong, ZSTD_error_dstSize_tooSmall.
const [CHECKSUM_WRONG, TOO_SMALL] = [22, 70];

function decompress(data, _magic, limit) {
  const pieces = [];
  let [position, size] = [0, 0];
  while (!position || position < data.length) {
    const frame = readFrame(data, position);
    if (!frame.skippable) pieces.push(content(data, frame, limit, limit - size));
    size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    position = frame.end;
  }
  return joined(pieces);
}

/** Walks over the frame at `start`. */
function readFrame(data, start) {
  const magic = Array.from(data.subarray(start, start + MAGIC.length));
  const isSkippable = magic[0] >= 0x50 && magic[0] <= 0x5f;
  if (startsWith(magic, MAGIC)) return walk(data, start, readHeader(data, start));
  if (isSkippable && startsWith(magic.slice(1), SKIPPABLE)) return skip(data, start);
  const begins = startsWith(MAGIC, magic) || (isSkippable && startsWith(SKIPPABLE, magic.slice(1)));
  if (magic.length < MAGIC.length && begins) {
    const detail = magic.length ? 'the input ends inside the magic of a frame' : 'no frame';
    throw broken(start, 'compression.zstd.complete', detail);
  }
  throw broken(
    start,
    'compression.zstd.magic',
    `a frame starts with 28 b5 2f fd, here is ${hex(magic, ' ')}`,
  );
}

function skip(data, start) {
  const sizeAt = start + MAGIC.length;
  const end = within(data, sizeAt, 4, 'a skippable frame');
  const size = integer(data, sizeAt, { size: 4, little: true });
  return { start, end: within(data, end, size, 'a skippable frame'), skippable: true };
}

function readHeader(data, start) {
  const layout = find('zstd_frame_header');
  const descriptorAt = start + places(layout).descriptor;
  const windowAt = within(data, descriptorAt, 1, 'the frame header');
  const bits = data[descriptorAt];
  const has = (name) => bits & mask(layout, 'descriptor', name);
  const single = has('is_single_segment') > 0;
  const dictionaryAt = windowAt + (single ? 0 : 1);
  const sizeAt = dictionaryAt + [0, 1, 2, 4][has('dictionary_id_code')];
  const sizeSize = [0, 2, 4, 8][bits >> 6] || Number(single);
  const end = within(data, windowAt, sizeAt + sizeSize - windowAt, 'the frame header');
  if (has('reserved')) {
    throw broken(
      descriptorAt,
      'compression.zstd.reserved-bit',
      `bit 3 is set in the frame descriptor 0x${hex([bits])}`,
    );
  }
  if (data.subarray(dictionaryAt, sizeAt).some((byte) => byte)) {
    throw broken(
      dictionaryAt,
      'compression.zstd.dictionary',
      'the frame needs a dictionary',
      'Kafka uses none.',
    );
  }
  const size = sizeSize ? contentSize(data, sizeAt, sizeSize) : null;
  const window = single ? size : windowSize(data[windowAt]);
  if (window > WINDOW_LIMIT) {
    throw broken(
      windowAt,
      'compression.zstd.window',
      `window of ${window} bytes, the most is ${WINDOW_LIMIT}`,
    );
  }
  return { end, window: Number(window), size, hasChecksum: has('has_checksum') > 0 };
}

function contentSize(data, at, size) {
  return BigInt(integer(data, at, { size, little: true })) + (size === 2 ? 256n : 0n);
}

function windowSize(descriptor) {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + Math.floor(base / 8) * (descriptor & 7);
}

function walk(data, start, header) {
  const maximum = Math.min(header.window, BLOCK_MAXIMUM);
  let [position, bound, last] = [header.end, 0, 0];
  while (!last) {
    const end = within(data, position, 3, 'a block header');
    const field = data[position] | (data[position + 1] << 8) | (data[position + 2] << 16);
    const [kind, size] = [(field >> 1) & 3, field >> 3];
    last = field & 1;
    if (kind === RESERVED)
      throw broken(position, 'compression.zstd.block-type', 'block type 3 is reserved');
    if (size > maximum) {
      throw broken(
        position,
        'compression.zstd.block-size',
        `block of ${size} bytes, the most is ${maximum}`,
      );
    }
    bound += kind === COMPRESSED ? maximum : size;
    position = within(data, end, kind === RLE ? 1 : size, 'a block');
  }
  if (header.size !== null && header.size > bound) {
    const detail = `the header announces ${counted(header.size, 'byte')} of content, the blocks have at most ${bound}`;
    throw broken(start + MAGIC.length, 'compression.zstd.content-size', detail);
  }
  const end = header.hasChecksum ? within(data, position, 4, 'the checksum') : position;
  return { start, end, bound, size: header.size };
}

function within(data, start, size, what) {
  if (size > data.length - start)
    throw broken(start, 'compression.zstd.complete', `the input ends inside ${what}`);
  return start + size;
}

/** Decompresses one frame into memory of its own. */
function content(data, frame, limit, room) {
  if (frame.size !== null && frame.size > room) throw overLimit(frame.start, limit);
  const most = Math.max(1, Math.min(frame.bound, room + 1));
  const found = (libraries.zstd ?? missing()).decompress(
    data.subarray(frame.start, frame.end),
    most,
  );
  if (found.error === CHECKSUM_WRONG) {
    throw broken(
      frame.end - 4,
      'compression.zstd.checksum',
      'the checksum does not fit the content',
    );
  }
  if (found.error === TOO_SMALL && frame.bound > room) throw overLimit(frame.start, limit);
  if (found.error)
    throw broken(
      frame.start,
      'compression.zstd.data',
      `the frame is damaged (error ${found.error})`,
    );
  if (found.content.length > room) throw overLimit(frame.start, limit);
  return found.content;
}

function missing() {
  throw new NoLibraryError('zstd needs libzstd, which the build of this page could not bring');
}

module.exports = { decompress };
