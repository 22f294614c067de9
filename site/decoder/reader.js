/**
 * Reads by walking a layout, field by field: what the reference's interpreter does, in its order of
 * checks: is the field whole, is the varint canonical, constant, minimum, names of its bits, does
 * its frame fit, checksum.
 */
'use strict';

const checks = require('./checks.js');
const compression = require('./compression.js');
const { changing } = require('./fault.js');
const { checksum, integer, utf8Fault, varint } = require('./numbers.js');

/** Bytes that payloads may decompress to, unless the caller says otherwise. */
const LIMIT = 64 << 20;

const INT32_MAX = 2 ** 31 - 1;

/**
 * Keeps where fields are: each a span with path, start, end, value, raw bytes, field, and whether
 * it lies in a decompressed payload. After `most` it keeps no more; `left` counts those.
 */
class Spans {
  constructor(most = Infinity) {
    Object.assign(this, { all: [], most, left: 0 });
  }

  add(span) {
    if (this.all.length < this.most) this.all.push(span);
    else this.left += 1;
  }
}

/** Walks layouts over bytes. `at` is where it stands, `payloadSize` what it decompressed. */
class Reader {
  /**
   * `spans` keeps where the fields are, if it is given. `payload` says that the bytes are a
   * decompressed payload.
   */
  constructor(data, { limit = LIMIT, payload = false, spans = null } = {}) {
    Object.assign(this, { data, limit, payload, spans, at: 0, payloadSize: 0 });
  }

  /**
   * Reads the structure in `data[start:end]`, and returns its fields by name; `at` is after it
   * then.
   */
  read(layout, start, end, path = []) {
    this.at = start;
    return changing(
      (fault) => fault.within([], { payload: this.payload }),
      () => this.structure(layout, end, path),
    );
  }

  structure(layout, end, path) {
    const place = { layout, path, end, frame: null, values: {}, starts: {} };
    for (const field of layout.fields) {
      place.starts[field.name] = this.at;
      this.field(field, place);
    }
    if (place.frame && this.at !== place.end) {
      throw checks.trailing(place.frame, [...path, place.frame.name], this.at, place.end - this.at);
    }
    return place.values;
  }

  note(path, start, value, field) {
    this.spans?.add({
      path,
      start,
      end: this.at,
      value,
      raw: this.data.subarray(start, this.at),
      payload: this.payload,
      field,
    });
  }

  field(field, place) {
    const path = [...place.path, field.name];
    place.values[field.name] = field.when.every((one) => holds(one, place.values))
      ? this.present(field, field.type, path, place)
      : null;
  }

  present(field, kind, path, place) {
    switch (kind.kind) {
      case 'nested':
        return this.structure(kind.layout, place.end, path);
      case 'choice':
        return this.choice(field, kind, path, place.end);
      case 'array':
        return this.array(field, kind, place);
      default:
        return this.simple(field, kind, path, place);
    }
  }

  simple(field, kind, path, place) {
    const start = this.at;
    const value = this.plain(field, kind, place.end, path);
    if (kind.kind !== 'form') this.note(path, start, value, field);
    if (kind.kind === 'integer' || kind.kind === 'varint')
      this.check(field, start, value, path, place);
    return value;
  }

  /** Reads what is no structure: a number, a form, or the rest. */
  plain(field, kind, end, path) {
    const start = this.at;
    switch (kind.kind) {
      case 'integer':
        this.sized(field, kind.size, end, path);
        return integer(this.data, start, kind);
      case 'fixed':
        return this.sized(field, kind.size, end, path);
      case 'varint':
        return this.varint(field, kind, end, path);
      case 'form':
        return this.form(field, kind, end, path);
      default:
        this.at = end;
        return this.data.subarray(start, end);
    }
  }

  sized(field, size, end, path) {
    const start = this.at;
    if (start + size > end) throw checks.truncated(field, path, start, size, end - start);
    this.at = start + size;
    return this.data.subarray(start, this.at);
  }

  varint(field, kind, end, path) {
    const raw = varint(this.data, this.at, end, kind);
    if (raw === null) throw checks.varintCut(field, path, this.at);
    if (raw.end < 0) throw checks.tooLong(field, path, this.at, kind);
    if (raw.excess) throw checks.excess(field, path, this.at, kind);
    if (raw.overlong) throw checks.overlong(field, path, this.at);
    this.at = raw.end;
    return raw.value;
  }

  form(field, kind, end, path) {
    const lengthPath = [...path, 'length'];
    const start = this.at;
    const length = this.plain(field, kind.length, end, lengthPath);
    this.note(lengthPath, start, length, field);
    if (length > INT32_MAX) throw checks.beyondInt32(lengthPath, start, length);
    if (length < 0) {
      if (length === kind.null) return null;
      throw checks.negative(field, lengthPath, start, length, kind.null !== undefined);
    }
    if (length > end - this.at)
      throw checks.lengthWithin(field, lengthPath, start, length, end - this.at);
    return this.content(field, kind, length, path);
  }

  content(field, kind, length, path) {
    const start = this.at;
    this.at += length;
    const content = this.data.subarray(start, this.at);
    if (length) this.note(path, start, content, field);
    if (kind.content === 'utf8') this.utf8(field, content, start, path);
    return content;
  }

  utf8(field, content, start, path) {
    const fault = utf8Fault(content);
    if (fault >= 0) throw checks.utf8(field, path, start + fault);
  }

  /** Makes the checks of a number, and narrows the structure if the number frames it. */
  check(field, start, value, path, place) {
    if (field.const !== undefined && value !== field.const)
      throw checks.const(field, path, start, value);
    if (field.minimum !== undefined && value < field.minimum)
      throw checks.minimum(field, path, start, value);
    for (const bits of field.bits) {
      const part = partOf(value, bits);
      if (bits.enum && !(part in bits.enum.values)) {
        throw checks.enum(field, [...path, bits.name], start, part, bits.enum.values);
      }
    }
    if (field.frames) {
      if (value > place.end - this.at)
        throw checks.within(field, path, start, value, place.end - this.at);
      place.end = this.at + value;
      place.frame = field;
    }
    if (field.checksum) this.checksum(field, start, value, path, place);
  }

  checksum(field, start, stored, path, place) {
    const first = this.at + gap(place.layout, field);
    const actual = checksum(field.checksum.algorithm, this.data.subarray(first, place.end));
    if (stored !== actual) throw checks.checksum(field, path, start, stored, actual);
  }

  choice(field, kind, path, end) {
    const deciding = this.at + kind.at;
    const byPath = [...path, kind.by];
    if (deciding >= end) throw checks.truncated(field, byPath, deciding, 1, end - deciding);
    const number = integer(this.data, deciding, { size: 1, signed: true });
    if (!(number in kind.cases)) throw checks.choose(field, kind, byPath, deciding, number);
    return this.structure(kind.cases[number], end, path);
  }

  array(field, kind, place) {
    const counter = place.layout.fields.find((one) => one.name === kind.count);
    const [path, count, at] = [
      [...place.path, kind.count],
      place.values[kind.count],
      place.starts[kind.count],
    ];
    if (kind.nullable && count === -1) return null;
    if (count < 0) throw checks.countNegative(counter, path, at, count);
    const codec = codecOf(place.values, field);
    const payload = codec === 'none' ? null : this.payloadOf(field, codec, place);
    const left = payload === null ? place.end - this.at : payload.data.length;
    if (count * (kind.item.least ?? 0) > left)
      throw checks.countWithin(counter, path, at, count, kind.item.least, left);
    if (payload !== null) return this.compressedItems(payload, field, kind, count, counter, place);
    const items = this.items(field, kind.item, place.end, place.path, count);
    if (count === 0 && field.compressed_by && this.at !== place.end) {
      throw checks.empty(counter, [...place.path, field.name], this.at, place.end - this.at);
    }
    return items;
  }

  items(field, kind, end, path, count) {
    const items = [];
    for (let index = 0; index < count; index += 1) {
      items.push(this.item(field, kind, end, [...path, field.name, index]));
    }
    return items;
  }

  item(field, kind, end, path) {
    if (kind.kind === 'nested') return this.structure(kind.layout, end, path);
    const start = this.at;
    const value = this.plain(field, kind, end, path);
    if (kind.kind !== 'form') this.note(path, start, value, field);
    return value;
  }

  /** Decompresses the rest of the structure, and returns a reader of it. */
  payloadOf(field, codec, place) {
    const [path, start] = [[...place.path, field.name], this.at];
    this.at = place.end;
    const compressed = this.data.subarray(start, place.end);
    this.note(path, start, compressed, field);
    const payload = changing(
      (fault) => fault.within(path, { offset: start }),
      () => compression.decompress(codec, compressed, { limit: this.limit }),
    );
    this.payloadSize += payload.length;
    return new this.constructor(payload, { limit: this.limit, payload: true, spans: this.spans });
  }

  /** Reads the items in a payload, which are all that may be in it. */
  compressedItems(payload, field, kind, count, counter, place) {
    const [path, end] = [[...place.path, field.name], payload.data.length];
    return changing(
      (fault) => fault.within([], { payload: true }),
      () => {
        const items = payload.items(field, kind.item, end, place.path, count);
        if (payload.at !== end) {
          if (count === 0) throw checks.empty(counter, path, payload.at, end - payload.at);
          if (place.frame) throw checks.trailing(place.frame, path, payload.at, end - payload.at);
        }
        return items;
      },
    );
  }
}

function holds({ by, low, mask, values }, known) {
  return values.includes((known[by] >> low) & mask);
}

function partOf(value, bits) {
  return (value >> bits.low) & bits.mask;
}

/** Returns the name of the codec that compresses an array, from the attributes read before it. */
function codecOf(values, field) {
  const by = field.compressed_by;
  return by ? by.names[(values[by.attributes] >> by.low) & by.mask] : 'none';
}

/** Returns how many bytes lie between a checksum and the first field that it covers. */
function gap(layout, field) {
  const names = layout.fields.map((one) => one.name);
  const between = layout.fields.slice(
    names.indexOf(field.name) + 1,
    names.indexOf(field.checksum.first),
  );
  return between.reduce((sum, one) => sum + one.type.least, 0);
}

module.exports = { Reader, Spans, LIMIT, INT32_MAX, codecOf, partOf };
