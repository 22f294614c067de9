/** The records that a script is to send: a line each, as lines.js prints them. */
'use strict';

const { readFileSync } = require('node:fs');

function octets(text) {
  return text === 'null' ? null : Buffer.from(text.replace('empty', ''), 'hex');
}

function given(file) {
  return readFileSync(file, 'ascii').trimEnd().split('\n').map((line) => {
    const { timestamp, key, value } = Object.fromEntries(line.split(' ').map((part) => part.split('=')));
    return { timestamp: BigInt(timestamp), key: octets(key), value: octets(value) };
  });
}

module.exports = { given };
