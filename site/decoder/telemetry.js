/**
 * Metrics of clients (KIP-714), line by line: OpenTelemetry's messages, by the tables of fields that
 * the build took from the reference.
 */
'use strict';

const { NoLibraryError } = require('./codec_faults.js');
const { NAMES, decompress } = require('./compression.js');
const { Fault, STAGES, faultOf, pathText } = require('./fault.js');
const { bytesText, floatText } = require('./lines.js');
const { counted, integer, utf8Fault } = require('./numbers.js');
const { decompressStart } = require('./partial.js');

const [VARINT, FIXED64, BYTES, GROUP, END, FIXED32] = [0, 1, 2, 3, 4, 5];
const SIZES = { [FIXED64]: 8, [FIXED32]: 4 };
const EIGHT = ['double', 'fixed64', 'sfixed64'];
const NUMBERS = ['bool', 'enum', 'int64', 'sint32', 'uint32', 'uint64'];
const WIRE = Object.fromEntries([...NUMBERS.map((kind) => [kind, VARINT]), ...EIGHT.map((kind) => [kind, FIXED64])]);
const LONGEST = { bits: 64, most: 10 }; // of varints
const TEMPORALITY = ['unspecified', 'delta', 'cumulative'];

const tables = () => globalThis.kafkaSpecification.telemetry;

/** Explains metrics; returns lines, the fault, and why they could not be opened. */
function explainTelemetry(codec, data, { limit, isCut }) {
  if (NAMES[codec] === 'none') return explain(data, { payload: false, isCut });
  const whole = lineOf('compressed', 0, data, `${counted(data.length, 'byte')} of ${NAMES[codec]}`, false);
  let plain = null;
  try {
    const fault = faultOf(() => {
      plain = isCut ? decompressStart(NAMES[codec], data, limit) : decompress(NAMES[codec], data, { limit });
    })?.within(['compressed']);
    if (fault) return { lines: [{ ...whole, fault }], fault, closed: '' };
  } catch (error) {
    if (!(error instanceof NoLibraryError)) throw error;
    return { lines: [whole], fault: null, closed: error.message };
  }
  const inner = explain(plain, { payload: true, isCut });
  return { ...inner, lines: [whole, ...inner.lines] };
}

function explain(data, { payload, isCut }) {
  const reader = new MessageReader(data, payload);
  const found = faultOf(() => reader.fields(tables().message, { end: data.length, path: [], depth: 0, seen: {} }));
  const { lines } = reader;
  if (!data.length) lines.push(lineOf('', 0, data, 'no metrics', payload));
  if (!found) return { lines, fault: null, closed: '' };
  const fault = isCut ? null : found.within([], { payload });
  const end = lines.length ? lines.at(-1).start + lines.at(-1).raw.length : 0;
  const rest = data.subarray(end);
  if (rest.length || fault)
    lines.push({ ...lineOf(found.pathText, end, rest, rest.length ? 'not read' : 'missing', payload), fault });
  return { lines, fault, closed: '' };
}

function lineOf(path, start, raw, value, payload) {
  return { entry: null, path, start, raw, value, payload, field: null, fault: null };
}

/** Reads messages, and keeps a line for each field. */
class MessageReader {
  constructor(data, payload) {
    Object.assign(this, { data, payload, at: 0, lines: [] });
  }

  /** Reads a message; `seen` has how many there were of its repeated fields, and which went on. */
  fields(name, within) {
    const known = tables().messages[name];
    while (this.at < within.end) {
      const start = this.at;
      const [number, wire] = this.key(within);
      const field = known[number];
      const fits = field && (wire === (WIRE[field.kind] ?? BYTES) || (field.repeated && wire === BYTES));
      if (fits) this.field(field, wire, start, within);
      else this.skip(number, wire, start, within);
    }
  }

  field(field, wire, start, within) {
    const { name, kind, repeated } = field;
    const seen = within.seen;
    if (repeated) seen[name] ??= 0;
    const path = [...within.path, name, ...(repeated ? [seen[name]] : [])];
    const here = { ...within, path };
    if (kind in tables().messages) {
      this.inner(field, start, here);
    } else if (wire === BYTES && kind in WIRE) {
      const stop = this.size(here);
      this.note(here.path.slice(0, -1), start, counted(stop - this.at, 'byte'));
      while (this.at < stop) {
        const item = { ...here, end: stop, path: [...within.path, name, seen[name]] };
        const at = this.at;
        const value = this.scalar(kind, item);
        this.note(item.path, at, value);
        seen[name] += 1;
      }
      return;
    } else {
      this.note(path, start, this.scalar(kind, here));
    }
    if (repeated) seen[name] += 1;
  }

  inner({ name, kind, repeated, oneof }, start, within) {
    if (within.depth >= tables().deepest) this.fail(`lies in more than ${tables().deepest} messages`, start, within);
    const stop = this.size(within);
    this.note(within.path, start, counted(stop - this.at, 'byte'));
    const { seen } = within;
    const last = oneof ? `oneof ${oneof}` : '';
    const goesOn = !repeated && seen[`in ${name}`] && (!last || seen[last] === name);
    const inside = goesOn ? seen[`in ${name}`] : {};
    this.fields(kind, { end: stop, path: within.path, depth: within.depth + 1, seen: inside });
    if (!repeated) seen[`in ${name}`] = inside;
    if (last) seen[last] = name;
  }

  scalar(kind, within) {
    if (WIRE[kind] === VARINT) return numberText(kind, this.varint(within), within.path.at(-1));
    if (EIGHT.includes(kind)) return eightText(kind, this.take(8, within));
    const raw = this.take(this.size(within) - this.at, within);
    const bad = kind === 'string' ? utf8Fault(raw) : -1;
    if (bad >= 0) this.fail('is not UTF-8', this.at - raw.length + bad, within);
    return bytesText(raw);
  }

  /** Passes a field that is not known, with all that is in it. */
  skip(number, wire, start, within) {
    const groups = [];
    for (let known = [number, wire]; ; known = this.key(within)) {
      if (known[1] === VARINT) this.varint(within);
      else if (known[1] in SIZES) this.take(SIZES[known[1]], within);
      else if (known[1] === BYTES) this.at = this.size(within);
      else if (known[1] === GROUP && within.depth + groups.length < tables().deepest) groups.push(known[0]);
      else if (known[1] !== END || groups.pop() !== known[0]) this.fail(`has the wire type ${known[1]}`, start, within);
      if (!groups.length) break;
    }
    const raw = this.data.subarray(start, this.at);
    this.note(within.path, start, `${bytesText(raw)} (a field that is not known)`);
  }

  key(within) {
    const at = this.at;
    const key = Number(BigInt.asUintN(32, this.varint(within)));
    if (!(key >>> 3)) this.fail('is a field with the number 0', at, within);
    return [key >>> 3, key & 7];
  }

  /** Returns where what has a size in front ends. */
  size(within) {
    const at = this.at;
    const size = Number(BigInt.asUintN(32, this.varint(within)));
    const left = within.end - this.at;
    if (size > left) this.fail(`says ${counted(size, 'byte')}, where ${left} are left`, at, within);
    return this.at + size;
  }

  take(size, within) {
    if (size > within.end - this.at) this.fail('is cut off', this.at, within);
    this.at += size;
    return this.data.subarray(this.at - size, this.at);
  }

  /** Reads a varint as an unsigned number of 64 bits. */
  varint(within) {
    let number = 0n;
    for (let index = 0; index < LONGEST.most; index += 1) {
      if (this.at + index >= within.end) this.fail('is cut off', this.at, within);
      const group = this.data[this.at + index];
      number |= BigInt(group & 0x7f) << BigInt(7 * index);
      if (group < 0x80) {
        this.at += index + 1;
        return BigInt.asUintN(LONGEST.bits, number);
      }
    }
    return this.fail(`is a varint of more than ${LONGEST.most} bytes`, this.at, within);
  }

  note(path, start, value) {
    const most = tables().mostFields;
    if (this.lines.length >= most)
      throw new Fault(`has more than ${most} fields`, {
        rule: 'content.telemetry.limit',
        stage: STAGES.RESOURCE,
        offset: start,
        path,
      });
    this.lines.push(lineOf(pathText(path), start, this.data.subarray(start, this.at), value, this.payload));
  }

  fail(detail, offset, { path }) {
    throw new Fault(detail, { rule: tables().rule, offset, path });
  }
}

function numberText(kind, number, name) {
  if (kind === 'bool') return String(number !== 0n);
  if (kind === 'int64') return String(BigInt.asIntN(64, number));
  if (kind === 'uint64') return String(number);
  if (kind === 'uint32') return String(BigInt.asUintN(32, number));
  const low = Number(BigInt.asUintN(32, number));
  if (kind === 'sint32') return String((low >>> 1) ^ -(low & 1));
  const said = name === 'aggregation_temporality' ? ` (${TEMPORALITY[low] ?? 'no name'})` : '';
  return String(low | 0) + said;
}

function eightText(kind, raw) {
  if (kind !== 'double') return String(integer(raw, 0, { size: 8, signed: kind === 'sfixed64', little: true }));
  return floatText(new DataView(raw.buffer, raw.byteOffset, 8).getFloat64(0, true));
}

module.exports = { explainTelemetry };
