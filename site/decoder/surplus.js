/**
 * Bytes behind the last field of a request: what widely used clients leave there is no error.
 */
'use strict';

const checks = require('./checks.js');
const { hex } = require('./numbers.js');

/** Returns the client that leaves these bytes behind a layout; undefined if none is known. */
function writerOf(layout, rest) {
  const digits = hex(rest);
  return (layout.surplus ?? []).find(([contents]) => contents.includes(digits))?.[1];
}

/** Throws unless bytes end with the last field of a layout, or with what a client leaves there. */
function checkEnd(layout, data, end) {
  if (end < data.length && writerOf(layout, data.subarray(end)) === undefined) {
    throw checks.bodyTrailing(end, data.length - end);
  }
}

/** Returns what is said of bytes behind all that was read: which client leaves them, if one does. */
function ignored(layout, rest) {
  const writer = layout === null ? undefined : writerOf(layout, rest);
  return writer === undefined ? 'ignored' : `ignored, as all releases do; from ${writer}`;
}

module.exports = { checkEnd, ignored };
