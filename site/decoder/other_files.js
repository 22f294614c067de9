/** Files that people drop and this page does not read: what they are, and what reads them. */
'use strict';

const { hex } = require('./numbers.js');

/** Files of a data directory that are text. */
const TEXTS = /(^|[/\\])(.+-checkpoint|meta\.properties|partition\.metadata|quorum-state|\.kafka_cleanshutdown)$/;

/** The first bytes of captures: pcap in both byte orders, with micro- or nanoseconds, and pcapng. */
const CAPTURES = ['d4c3b2a1', 'a1b2c3d4', '4d3cb2a1', 'a1b23c4d', '0a0d0d0a'];

/** Returns what to do with a file that is none of those which the page reads; null for the others. */
function advice(name, data) {
  if (TEXTS.test(name))
    return `${name} is text: \`kafka-format log explain ${name}\` says what each line of it is.`;
  if (CAPTURES.includes(hex(data.subarray(0, 4))))
    return (
      `${name} is a capture of network traffic: \`kafka-format capture ${name}\` shows the ` +
      'requests and responses in it. Or paste the bytes of one packet.'
    );
  return null;
}

module.exports = { advice };
