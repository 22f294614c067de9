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

/** Shows what a library gives of a message: JSON, with bytes in hex. */
function showMessage(message) {
  console.log(JSON.stringify(message, function replace(name) {
    const value = this[name]; // before a Buffer turns itself into an object
    return Buffer.isBuffer(value) ? value.toString('hex') : typeof value === 'bigint' ? value.toString() : value;
  }));
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

module.exports = { show, showMessage, showError, quiet };
