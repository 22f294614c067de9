/** Reads one version of a request, a response or another layout of the protocol by walking it. */
'use strict';

const checks = require('./checks.js');
const { Reader, INT32_MAX } = require('./reader.js');
const { text } = require('./numbers.js');

/** Bytes of the longest string, compact ones included (Kafka's generated classes refuse more). */
const LONGEST_STRING = 32767;

const LEAST_TAG = 2; // bytes of the shortest tagged field: its tag and its size
const UNSIGNED = { kind: 'varint', name: 'uvarint', bits: 32, most: 5, least: 1 };

/** Walks one version of a layout over bytes. */
class VersionReader extends Reader {
  field(field, place) {
    if (field.type.kind === 'tags') this.tags(field, field.type, place);
    else
      place.values[field.name] = this.value(field, field.type, place.end, [
        ...place.path,
        field.name,
      ]);
  }

  /** Reads one value of any type. */
  value(field, kind, end, path) {
    const start = this.at;
    switch (kind.kind) {
      case 'nested':
        return this.structure(kind.layout, end, path);
      case 'optional':
        return this.optional(field, kind, end, path);
      case 'counted':
        return this.counted(field, kind, end, path);
      case 'form':
        return this.form(field, kind, end, path);
      default:
        return this.noted(field, start, path, this.scalar(field, kind, end, path));
    }
  }

  noted(field, start, path, value) {
    this.note(path, start, value, field);
    return value;
  }

  scalar(field, kind, end, path) {
    if (kind.kind === 'bool') {
      const [byte] = this.sized(field, 1, end, path);
      if (byte > 1) throw checks.boolean(path, this.at - 1, byte);
      return byte === 1;
    }
    if (kind.kind === 'float64') {
      const raw = this.sized(field, 8, end, path);
      return new DataView(raw.buffer, raw.byteOffset, 8).getFloat64(0);
    }
    return this.plain(field, kind, end, path);
  }

  form(field, kind, end, path) {
    const start = this.at;
    const content = super.form(field, kind, end, path);
    if (kind.content !== 'text' || content === null) return content;
    if (content.length > LONGEST_STRING) {
      throw checks.longest([...path, 'length'], start, content.length, LONGEST_STRING);
    }
    this.utf8(field, content, this.at - content.length, path);
    return text(content);
  }

  /** Reads a count, a marker, a tag or a size. */
  number(field, kind, end, path) {
    const start = this.at;
    return this.noted(field, start, path, this.plain(field, kind, end, path));
  }

  optional(field, kind, end, path) {
    const [start, markerPath] = [this.at, [...path, 'marker']];
    const marker = this.number(field, kind.marker, end, markerPath);
    if (marker !== kind.null && marker !== 1) throw checks.marker(kind, markerPath, start, marker);
    return marker === kind.null ? null : this.structure(kind.layout, end, path);
  }

  counted(field, kind, end, path) {
    const [start, countPath] = [this.at, [...path, 'count']];
    const count = this.number(field, kind.length, end, countPath);
    if (count > INT32_MAX) throw checks.beyondInt32(countPath, start, count);
    if (count < 0) {
      if (!kind.nullable) throw checks.nullArray(countPath, start);
      if (count !== -1) throw checks.count(countPath, start, count);
      return null;
    }
    const [least, left] = [Math.max(kind.item.least ?? 0, 1), end - this.at];
    if (count * least > left) throw checks.itemsWithin(countPath, start, count, least, left);
    return Array.from({ length: count }, (_, index) =>
      this.value(field, kind.item, end, [...path, index]),
    );
  }

  /** Reads a tag section: the fields that the layout knows, and those that it does not. */
  tags(field, kind, place) {
    for (const known of kind.fields ?? []) place.values[known.name] = defaultOf(known);
    const [start, path] = [this.at, [...place.path, field.name]];
    const count = this.number(field, UNSIGNED, place.end, [...path, 'count']);
    if (count > INT32_MAX) throw checks.tagCount([...path, 'count'], start, count);
    const left = place.end - this.at;
    if (count * LEAST_TAG > left)
      throw checks.itemsWithin([...path, 'count'], start, count, LEAST_TAG, left);
    const unknown = [];
    let last = -1;
    for (let index = 0; index < count; index += 1) {
      last = this.tag(field, kind, place, [...path, index], last, unknown);
    }
    place.values[field.name] = unknown;
  }

  /** Reads one tagged field, and returns its tag. */
  tag(field, kind, place, path, last, unknown) {
    const start = this.at;
    const tag = this.number(field, UNSIGNED, place.end, [...path, 'tag']);
    if (tag <= last) throw checks.tagOrder([...path, 'tag'], start, tag, last);
    if (kind.elsewhere?.includes(tag)) throw checks.tagVersion([...path, 'tag'], start, tag);
    const sizeAt = this.at;
    const size = this.number(field, UNSIGNED, place.end, [...path, 'size']);
    const left = place.end - this.at;
    if (size > left) throw checks.lengthWithin(field, [...path, 'size'], sizeAt, size, left);
    const known = (kind.fields ?? []).find((one) => one.tag === tag);
    if (known) this.known(known, this.at + size, place);
    else unknown.push({ tag, content: this.unknown(field, size, path) });
    return tag;
  }

  known(field, end, place) {
    const path = [...place.path, field.name];
    place.values[field.name] = this.value(field, field.type, end, path);
    if (this.at !== end) throw checks.tagSize(path, this.at, end - this.at);
  }

  unknown(field, size, path) {
    const start = this.at;
    this.at += size;
    return this.noted(field, start, [...path, 'content'], this.data.subarray(start, this.at));
  }
}

/**
 * Returns what a tagged field is that is left out: what the layout says, else nothing of its type.
 */
function defaultOf({ default: given, type }) {
  const isWide = type.kind === 'integer' && type.size === 8;
  if (given) return isWide && given.value !== null ? BigInt(given.value) : given.value;
  switch (type.kind) {
    case 'nested':
    case 'optional':
      return Object.fromEntries(
        members(type.layout).map((field) => [field.name, defaultOf(field)]),
      );
    case 'counted':
    case 'tags':
      return [];
    case 'form':
      return type.content === 'text' ? '' : new Uint8Array(0);
    case 'fixed':
      return new Uint8Array(type.size);
    case 'bool':
      return false;
    default:
      return isWide ? 0n : 0;
  }
}

/** Returns the fields of a structure, tagged ones too. */
function members(layout) {
  return layout.fields.flatMap((field) =>
    field.type.kind === 'tags' ? [...(field.type.fields ?? []), field] : [field],
  );
}

module.exports = { VersionReader, members };
