/** The records that a script is to send: a line each, as lines.js prints them. */
'use strict';

const { readFileSync } = require('node:fs');

function octets(text) {
  return text === 'null' ? null : Buffer.from(text.replace('empty', ''), 'hex');
}

/** Headers as pairs of name and value, in their order. */
function pairs(headers = '') {
  return headers.split(',').filter(Boolean).map((header) => {
    const [name, value] = header.split(':').map(octets);
    return [name.toString(), value];
  });
}

/** Headers by their names, for libraries that take a list of values. */
function listed(headers) {
  const found = {};
  for (const [name, value] of headers) found[name] = name in found ? [found[name], value].flat() : value;
  return found;
}

/** The records of a file; their headers by their names, the last of a name, unless the library wants others. */
function given(file, headersOf = Object.fromEntries) {
  return readFileSync(file, 'ascii').trimEnd().split('\n').map((line) => {
    const { timestamp, key, value, headers } = Object.fromEntries(line.split(' ').map((part) => part.split('=')));
    return { timestamp: BigInt(timestamp), key: octets(key), value: octets(value), headers: headersOf(pairs(headers)) };
  });
}

module.exports = { given, listed };
