/**
 * Reading to the last byte where bytes are missing, or are not to be trusted. The end that was
 * promised is taken for the end; reading stops where the bytes do, and what there is of a field is
 * kept. Checksums are not looked at.
 */
'use strict';

const { Reader, codecOf } = require('./reader.js');
const { VersionReader } = require('./version_reader.js');
const { decompressStart } = require('./partial.js');

/** An end that no bytes reach, for what does not say where it ends. */
const ENDLESS = 2 ** 31;

/** The bytes are at their end, and the structure is not: `missing` bytes at least. */
class CutError extends Error {
  constructor(missing, path) {
    super(`${missing} bytes are missing`);
    Object.assign(this, { missing, path });
  }
}

/** Runs `work`; returns the CutError that it ends in, null if it ends well. Faults go through. */
function cutOf(work) {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof CutError) return error;
    throw error;
  }
}

const cutting = (Base) =>
  class extends Base {
    /** Keeps what there is of a field, and ends. */
    stop(field, path, start, end) {
      if (start < this.data.length) {
        this.at = this.data.length;
        this.note(path, start, this.data.subarray(start), field);
      }
      throw new CutError(end - this.data.length, path);
    }

    plain(field, kind, end, path) {
      if (kind.kind === 'rest' && end > this.data.length) this.stop(field, path, this.at, end);
      return super.plain(field, kind, end, path);
    }

    sized(field, size, end, path) {
      const after = this.at + size;
      if (this.data.length < after && after <= end) this.stop(field, path, this.at, after);
      return super.sized(field, size, end, path);
    }

    varint(field, kind, end, path) {
      const there = this.data.subarray(this.at, this.at + kind.most);
      if (end > this.data.length && there.length < kind.most && there.every((one) => one & 0x80))
        this.stop(field, path, this.at, this.at + there.length + 1);
      return super.varint(field, kind, end, path);
    }

    content(field, kind, length, path) {
      const end = this.at + length;
      if (length && end > this.data.length) this.stop(field, path, this.at, end);
      return super.content(field, kind, length, path);
    }

    unknown(field, size, path) {
      const end = this.at + size;
      if (end > this.data.length) this.stop(field, [...path, 'content'], this.at, end);
      return super.unknown(field, size, path);
    }

    choice(field, kind, path, end) {
      const deciding = this.at + kind.at;
      if (this.data.length <= deciding && deciding < end)
        this.stop(field, path, this.at, deciding + 1);
      return super.choice(field, kind, path, end);
    }

    checksum() {}

    array(field, kind, place) {
      const [codec, count] = [codecOf(place.values, field), place.values[kind.count]];
      if (codec === 'none' || count <= 0) return super.array(field, kind, place);
      const [path, start] = [[...place.path, field.name], this.at];
      this.at = Math.min(place.end, this.data.length);
      const compressed = this.data.subarray(start, this.at);
      this.note(path, start, compressed, field);
      const payload = new this.constructor(decompressStart(codec, compressed, this.limit), {
        limit: this.limit,
        payload: true,
        spans: this.spans,
      });
      const items = payload.items(field, kind.item, ENDLESS, place.path, count);
      if (place.end > this.data.length) throw new CutError(place.end - this.data.length, path);
      this.at = place.end;
      return items;
    }
  };

module.exports = {
  CutError,
  CutReader: cutting(Reader),
  CutVersionReader: cutting(VersionReader),
  ENDLESS,
  cutOf,
};
