/** The records that a script is to send: a line each, as lines.js prints them. */
'use strict';

const { readFileSync } = require('node:fs');

function octets(text) {
  return text === 'null' ? null : Buffer.from(text.replace('empty', ''), 'hex');
}

/** Headers by their names, as libraries want them: the last of a name. */
function named(headers = '') {
  return Object.fromEntries(headers.split(',').filter(Boolean).map((header) => {
    const [name, value] = header.split(':').map(octets);
    return [name.toString(), value];
  }));
}

function given(file) {
  return readFileSync(file, 'ascii').trimEnd().split('\n').map((line) => {
    const { timestamp, key, value, headers } = Object.fromEntries(line.split(' ').map((part) => part.split('=')));
    return { timestamp: BigInt(timestamp), key: octets(key), value: octets(value), headers: named(headers) };
  });
}

module.exports = { given };
