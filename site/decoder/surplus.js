/**
 * Bytes behind the last field of a request: what widely used clients leave there is no error.
 */
'use strict';

const checks = require('./checks.js');
const { hex } = require('./numbers.js');

const IGNORED = 'ignored';

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

/** Returns lines of which the last names the client, if it is what one leaves behind a request. */
function withWriter(lines, layout) {
  const last = lines.at(-1);
  const writer = last?.value === IGNORED ? writerOf(layout, last.raw) : undefined;
  if (writer === undefined) return lines;
  const value = `${IGNORED}, as all releases do; from ${writer}`;
  return [...lines.slice(0, -1), { ...last, value }];
}

module.exports = { checkEnd, withWriter };
