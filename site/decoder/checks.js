/** One function a check: the fault that it finds, by the rule that the layout names for it. */
'use strict';

const { counted, leftText } = require('./numbers.js');
const { Fault, STAGES } = require('./fault.js');

function broken(field, check, path, offset, detail, stage = STAGES.STRUCTURE) {
  return new Fault(detail, { rule: field.rules[check], stage, offset, path });
}

const plain = (rule, path, offset, detail) => new Fault(detail, { rule, offset, path });
const byteCount = (count) => counted(count, 'byte');
const hex32 = (number) => `0x${number.toString(16).padStart(8, '0')}`;

module.exports = {
  byteCount,
  hex32,

  truncated: (field, path, offset, need, left) =>
    broken(field, 'truncated', path, offset, `needs ${byteCount(need)}, ${Math.max(left, 0)} left`),
  varintCut: (field, path, offset) =>
    broken(field, 'truncated', path, offset, 'the varint goes on past the end of its structure'),
  tooLong: (field, path, offset, kind) =>
    broken(
      field,
      'too_long',
      path,
      offset,
      `a ${kind.name} has at most ${kind.most} bytes, this one goes on`,
    ),
  excess: (field, path, offset, kind) =>
    broken(
      field,
      'excess',
      path,
      offset,
      `the last byte of the ${kind.name} has bits beyond ${kind.bits}`,
    ),
  overlong: (field, path, offset) =>
    broken(
      field,
      'overlong',
      path,
      offset,
      'the varint ends in a zero byte, so fewer bytes would do',
    ),
  negative: (field, path, offset, length, nullable) =>
    broken(
      field,
      'negative',
      path,
      offset,
      `length ${length}: ${nullable ? 'only -1 means null' : 'null is not allowed here'}`,
    ),
  lengthWithin: (field, path, offset, length, left) =>
    broken(field, 'length_within', path, offset, `length ${length}, but ${leftText(left)}`),
  beyondInt32: (path, offset, number) =>
    plain('protocol.length.int32', path, offset, `is ${number}, which no int32 can hold`),
  utf8: (field, path, offset) => broken(field, 'utf8', path, offset, 'is not UTF-8'),
  const: (field, path, offset, value) =>
    broken(field, 'const', path, offset, `is ${value}, must be ${field.const}`, field.stage),
  minimum: (field, path, offset, value) =>
    broken(
      field,
      'minimum',
      path,
      offset,
      `is ${value}, must be ${field.minimum} or more`,
      field.stage,
    ),
  enum: (field, path, offset, value, values) =>
    broken(
      field,
      'enum',
      path,
      offset,
      `is ${value}, known are ${Object.entries(values)
        .map((pair) => pair.join(' '))
        .join(', ')}`,
      field.stage,
    ),
  within: (field, path, offset, length, left) =>
    broken(
      field,
      'within',
      path,
      offset,
      `says that ${counted(length, 'byte')} follow${length === 1 ? 's' : ''}, ${left} do`,
      field.stage,
    ),
  trailing: (field, path, offset, left) =>
    broken(field, 'trailing', path, offset, `${byteCount(left)} left after the last field`),
  checksum: (field, path, offset, stored, computed) =>
    broken(
      field,
      'checksum',
      path,
      offset,
      `stored ${hex32(stored)}, the bytes give ${hex32(computed)}`,
      STAGES.CHECKSUM,
    ),
  countNegative: (field, path, offset, count) =>
    broken(field, 'count_negative', path, offset, `is ${count}`),
  countWithin: (field, path, offset, count, least, left) =>
    broken(
      field,
      'count_within',
      path,
      offset,
      `${counted(count, 'item')} of at least ${counted(least, 'byte')} cannot be in ${counted(left, 'byte')}`,
    ),
  empty: (field, path, offset, left) =>
    broken(field, 'empty', path, offset, `${byteCount(left)} for no items`),
  choose: (field, choice, path, offset, value) =>
    broken(
      field,
      'choose',
      path,
      offset,
      `is ${value}, known are ${Object.keys(choice.cases).join(', ')}`,
      field.stage,
    ),
  inputTrailing: (offset, left) =>
    plain('input.exact', [], offset, `${byteCount(left)} after the structure`),

  // What only the protocol checks.
  boolean: (path, offset, value) =>
    plain('protocol.boolean', path, offset, `is ${value}, must be 0 or 1`),
  longest: (path, offset, length, most) =>
    plain(
      'protocol.string.longest',
      path,
      offset,
      `has ${length} bytes, must have ${most} or fewer`,
    ),
  nullArray: (path, offset) =>
    plain('protocol.array.not-null', path, offset, 'is null, which is not allowed here'),
  count: (path, offset, number) =>
    plain('protocol.array.count', path, offset, `is ${number}: only -1 means null`),
  itemsWithin: (path, offset, number, least, left) =>
    plain(
      'count.within',
      path,
      offset,
      `${counted(number, 'item')} of at least ${counted(least, 'byte')} cannot be in ${counted(left, 'byte')}`,
    ),
  marker: (kind, path, offset, value) =>
    plain('protocol.marker', path, offset, `is ${value}: ${kind.null} is null, 1 is a structure`),
  tagCount: (path, offset, number) =>
    plain('protocol.tags.count', path, offset, `is ${number}, which no int32 can hold`),
  tagOrder: (path, offset, tag, last) =>
    tag === last
      ? plain('protocol.tags.once', path, offset, `tag ${tag} appears twice`)
      : plain('protocol.tags.ascending', path, offset, `tag ${tag} comes after tag ${last}`),
  tagVersion: (path, offset, tag) =>
    plain('protocol.tag.version', path, offset, `tag ${tag} is a field of other versions only`),
  tagSize: (path, offset, left) =>
    plain('protocol.tag.size', path, offset, `${byteCount(left)} left inside its size`),
  bodyTrailing: (offset, left) =>
    plain('protocol.body.exact', [], offset, `${byteCount(left)} after the last field`),
};
