/**
 * What is wrong with bytes: which rule they break, at which stage, at which byte, in which field.
 */
'use strict';

const STAGES = {
  FRAMING: 'framing',
  CHECKSUM: 'checksum',
  DECOMPRESSION: 'decompression',
  STRUCTURE: 'structure',
  SEMANTICS: 'semantics',
  RESOURCE: 'resource',
};

/**
 * Bytes that break a rule. It is a value: `within` returns another.
 *
 * `offset` counts from the start of the input, or of the decompressed payload if `payload`; `path`
 * is the way to the field, names and indexes; `entry` the index of the entry, null if that is not
 * known; `hint` what to do next.
 */
class Fault extends Error {
  constructor(
    detail,
    { rule, stage = STAGES.STRUCTURE, offset, path = [], hint = '', entry = null, payload = false },
  ) {
    super(detail);
    Object.assign(this, { detail, rule, stage, offset, path, hint, entry, payload });
  }

  /**
   * Returns the fault as seen from what the bytes lie in, `path` and `offset` being their place
   * there.
   */
  within(path, { offset = 0, entry = null, payload = false } = {}) {
    return new Fault(this.detail, {
      ...this,
      offset: this.payload ? this.offset : this.offset + offset,
      path: [...path, ...this.path],
      entry: entry ?? this.entry,
      payload: this.payload || payload,
    });
  }

  get pathText() {
    return pathText(this.path);
  }

  toString() {
    const place = `byte ${this.offset}${this.payload ? ' of the decompressed payload' : ''}`;
    const entry = this.entry === null ? '' : `, entry ${this.entry}`;
    const field = this.path.length ? `, ${this.pathText}` : '';
    const hint = this.hint ? ` ${this.hint}` : '';
    return `${this.stage} error at ${place}${entry}${field}: ${this.detail} [${this.rule}]${hint}`;
  }
}

/** Returns a path as people write it: `records[2].key.length`. */
function pathText(path) {
  let text = '';
  for (const part of path)
    text += typeof part === 'number' ? `[${part}]` : text ? `.${part}` : part;
  return text;
}

/** Runs `work`, and has a fault of it pass through `change` on its way out. */
function changing(change, work) {
  try {
    return work();
  } catch (error) {
    throw error instanceof Fault ? change(error) : error;
  }
}

/** Returns the fault that `work` ends in; null if it ends well. */
function faultOf(work) {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

module.exports = { Fault, STAGES, changing, faultOf, pathText };
