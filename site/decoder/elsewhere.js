/**
 * Where in the bytes something of Kafka begins, if not at the first byte: behind the headers of a
 * network packet, or in the middle of something else.
 */
'use strict';

const entries = require('./entries.js');
const lines = require('./lines.js');
const messages = require('./messages.js');
const { faultOf } = require('./fault.js');
const { guesses } = require('./guesses.js');
const { integer } = require('./numbers.js');

const FARTHEST_FRAME = 200; // bytes of Ethernet, IP and TCP in front of a request, and some more
const { SIZE } = messages;
const MOST_TRIES = 50; // places whose checksum is computed

/**
 * Returns the `kind` of what begins `at` a byte after the first: an entry whose checksum is right, or
 * requests or responses whose sizes reach the end exactly. Returns null if there is no such place.
 * The layouts of the protocol have to be there.
 */
function elsewhere(data) {
  return behindASize(data) ?? frameIn(data) ?? entryIn(data);
}

/** Returns a request or response of which some of the size in front is missing. */
function behindASize(data) {
  for (let at = 1; at < Math.min(SIZE, data.length - 2 * SIZE); at += 1) {
    const rest = data.subarray(at);
    let request = null;
    if (faultOf(() => (request = messages.decodeRequest(rest))) === null && request.header.client_id)
      return { kind: 'request', at };
    const said = data.subarray(0, at).reduce((number, one) => number * 256 + one, 0);
    const [best] = said === rest.length % 256 ** at ? guesses(data, at) : [];
    if (best?.isClean && best.isTold) return { kind: 'response', at };
  }
  return null;
}

function frameIn(data) {
  for (let at = 1; at < Math.min(data.length, FARTHEST_FRAME); at += 1) {
    const rest = data.subarray(at);
    if (!messages.isFramed(rest)) continue;
    const [first] = messages.split(rest);
    if (faultOf(() => messages.decodeRequest(first.subarray(SIZE))) === null)
      return { kind: 'request', at };
    if (guesses(first, SIZE).length) return { kind: 'response', at };
  }
  return null;
}

function entryIn(data) {
  const { magicAt, overhead, sizeAt, smallest } = entries.frame();
  let tries = 0;
  for (let at = 1; at + magicAt < data.length && tries < MOST_TRIES; at += 1) {
    if (data[at + magicAt] > entries.HIGHEST_MAGIC) continue;
    const size = integer(data, at + sizeAt, { size: 4, signed: true });
    const end = at + overhead + size;
    if (size < smallest || end > data.length) continue;
    tries += 1;
    const { fault, records } = lines.explainEntries(data.subarray(at, end));
    if (fault === null && records.length) return { kind: 'records', at };
  }
  return null;
}

module.exports = { elsewhere };
