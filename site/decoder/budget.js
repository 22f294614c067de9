/**
 * What one call may take: bytes of decompressed payloads, and records. Without limits, 100 bytes
 * can ask for gigabytes.
 */
'use strict';

const { Fault, STAGES } = require('./fault.js');
const { LIMIT } = require('./reader.js');

const RECORDS = 1 << 20;

/** What is left of both limits. */
class Budget {
  constructor({ limit = LIMIT, records = RECORDS } = {}) {
    Object.assign(this, { limit, records });
  }

  /** Takes one record off; `offset` says where it is. */
  take(offset) {
    if (this.records <= 0) throw this.exceeded(offset);
    this.records -= 1;
  }

  exceeded(offset, path = []) {
    const hint = 'Take fewer entries at once.';
    const detail = `more than the ${this.records} records that are left of the limit`;
    return new Fault(detail, {
      rule: 'compression.limit',
      stage: STAGES.RESOURCE,
      offset,
      path,
      hint,
    });
  }
}

module.exports = { Budget };
