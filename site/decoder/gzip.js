/**
 * gzip (codec 1): RFC 1952 members, one or more, read as one stream. The deflate data is read raw
 * and the header and trailer by hand: then each fault has its own rule and its place.
 */
'use strict';

const { NoLibraryError, broken, joined, overLimit } = require('./codec_faults.js');
const { checksum, counted, hex, integer, startsWith } = require('./numbers.js');
const { find, mask, places } = require('./spec.js');
const libraries = require('./libraries.js');

const MAGIC = [0x1f, 0x8b];
const DEFLATE = 8;
const FIRST_WINDOW = 8 << 10;
const WINDOW = 64 << 10;
const PIECE = 16 << 10;
const UINT32 = { size: 4, little: true };

function decompress(data, _magic, limit) {
  const pieces = [];
  let [start, size] = [0, 0];
  for (;;) {
    const deflated = headerEnd(data, start);
    const inflated = inflate(data, deflated, limit, limit - size);
    const end = trailerEnd(data, inflated.end, inflated.content);
    pieces.push(inflated.content);
    size += inflated.content.length;
    if (end === data.length) return joined(pieces);
    if (!startsWith(data, MAGIC, end)) {
      const detail = `bytes after the last member, and no further member: ${data.length - end}`;
      throw broken(end, 'compression.gzip.trailing-bytes', detail);
    }
    start = end;
  }
}

function headerEnd(data, start) {
  const layout = find('gzip_header');
  const { method, flags, end } = places(layout);
  if (!startsWith(data, MAGIC, start)) {
    const hint = data[start] === 0x78 ? 'This is a zlib stream.' : '';
    throw broken(start, 'compression.gzip.magic', 'a gzip member starts with 1f 8b', hint);
  }
  if (data.length < start + end) {
    throw broken(start, 'compression.gzip.complete', `a gzip header has ${end} bytes or more`);
  }
  if (data[start + method] !== DEFLATE) {
    const detail = `compression method ${data[start + method]}, only 8 (deflate) is known`;
    throw broken(start + method, 'compression.gzip.method', detail);
  }
  const bits = data[start + flags];
  if (bits & mask(layout, 'flags', 'reserved')) {
    const detail = `reserved bits are set in FLG 0x${hex([bits])}`;
    throw broken(start + flags, 'compression.gzip.reserved-flags', detail);
  }
  return optionalEnd(data, start, start + end, (name) => bits & mask(layout, 'flags', name));
}

/** Returns the end of what the flags of a header announce after it. */
function optionalEnd(data, start, fixedEnd, has) {
  let end = fixedEnd;
  if (has('has_extra_field'))
    end = within(data, end, 2 + ((data[end] ?? 0) | ((data[end + 1] ?? 0) << 8)));
  for (const text of ['has_name', 'has_comment']) {
    if (has(text)) end = within(data, end, data.indexOf(0, end) + 1 - end);
  }
  if (has('has_header_checksum')) {
    const computed = checksum('crc32', data.subarray(start, end)) & 0xffff;
    const stored = data.subarray(end, end + 2);
    if (stored.length === 2 && integer(stored, 0, { size: 2, little: true }) !== computed) {
      throw broken(
        end,
        'compression.gzip.header-checksum',
        `stored ${hex(stored)} does not fit the header`,
      );
    }
    end = within(data, end, 2);
  }
  return end;
}

function within(data, start, size) {
  if (size > 0 && size <= data.length - start) return start + size;
  throw broken(
    start,
    'compression.gzip.complete',
    'the input ends inside this field of the gzip header',
  );
}

/** Inflates what begins at `start`: the content, and where the deflate data ends. */
function inflate(data, start, limit, room) {
  const { Inflate } = libraries.pako ?? missing();
  const [inflater, pieces] = [new Inflate({ raw: true, chunkSize: PIECE }), []];
  let [size, position, window] = [0, start, FIRST_WINDOW];
  inflater.onData = (piece) => {
    pieces.push(piece);
    size += piece.length;
    if (size > room) throw overLimit(start, limit);
  };
  while (!inflater.ended) {
    if (position >= data.length) {
      throw broken(
        data.length,
        'compression.gzip.complete',
        'the input ends inside the deflate data',
      );
    }
    inflater.push(data.subarray(position, position + window), false);
    if (inflater.err)
      throw broken(start, 'compression.gzip.data', `the deflate data is damaged (${inflater.msg})`);
    position = Math.min(position + window, data.length);
    window = Math.min(2 * window, WINDOW);
  }
  return { content: joined(pieces), end: position - inflater.strm.avail_in };
}

function missing() {
  throw new NoLibraryError('gzip needs pako, which the build of this page could not bring');
}

function trailerEnd(data, start, content) {
  const { crc, content_size: sizeAt, end } = places(find('gzip_trailer'));
  if (data.length < start + end)
    throw broken(start, 'compression.gzip.complete', `a gzip trailer has ${end} bytes`);
  const [stored, computed] = [integer(data, start + crc, UINT32), checksum('crc32', content)];
  if (stored !== computed) {
    const [was, is] = [stored, computed].map((number) => number.toString(16).padStart(8, '0'));
    throw broken(
      start + crc,
      'compression.gzip.checksum',
      `stored CRC-32 ${was}, the content has ${is}`,
    );
  }
  const length = integer(data, start + sizeAt, UINT32);
  if (length !== content.length) {
    const detail = `stored length ${length}, the content has ${counted(content.length, 'byte')}`;
    throw broken(start + sizeAt, 'compression.gzip.length', detail);
  }
  return start + end;
}

module.exports = { decompress };
