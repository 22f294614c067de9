/** What all codecs share: their faults, and content that grows under a limit. */
'use strict';

const { counted } = require('./numbers.js');
const { Fault, STAGES } = require('./fault.js');

/** Returns the fault of compressed bytes that break a rule; the caller adds where they are. */
function broken(offset, rule, detail, hint = '') {
  return new Fault(detail, { rule, stage: STAGES.DECOMPRESSION, offset, hint });
}

/** Returns the fault of a payload that is too large, at its member, chunk, block or frame. */
function overLimit(offset, limit) {
  const detail = `decompresses to more than the limit of ${counted(limit, 'byte')}`;
  const hint = 'Raise the limit if payloads may be that large.';
  return new Fault(detail, { rule: 'compression.limit', stage: STAGES.RESOURCE, offset, hint });
}

/** Joins pieces of content. */
function joined(pieces) {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * Thrown where a payload cannot be opened because the build had no library for its codec; no fault
 * of the bytes.
 */
class NoLibraryError extends Error {}

module.exports = { NoLibraryError, broken, joined, overLimit };
