/** How a script tells what its library gave: a line a record, in the words of the specification; bytes in hex. */
'use strict';

function text(value) {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (Buffer.isBuffer(value)) return value.toString('hex') || 'empty';
  if (Array.isArray(value)) return value.map(([name, inner]) => `${name}:${text(inner)}`).join(',') || 'none';
  return typeof value === 'function' ? 'function' : String(value);
}

function show(fields) {
  console.log(Object.entries(fields).map(([name, value]) => `${name}=${text(value)}`).join(' '));
}

function showError(error) {
  const { name, message } = error.cause ?? error;
  console.log(`error: ${name}: ${message.replace(/\s+/g, ' ')}`);
}

/** Ends the program when no record came for two seconds: there are no more. */
let timer;
function quiet() {
  clearTimeout(timer);
  timer = setTimeout(() => process.exit(0), 2000);
}

module.exports = { show, showError, quiet };
