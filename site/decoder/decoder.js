/** All of the decoder that pages, tests and the adapter use. */
'use strict';

const { NoLibraryError } = require('./codec_faults.js');
const { Fault } = require('./fault.js');

module.exports = {
  Fault,
  NoLibraryError,
  apis: require('./apis.js'),
  elsewhere: require('./elsewhere.js'),
  input: require('./input.js'),
  kinds: require('./kinds.js'),
  libraries: require('./libraries.js'),
  lines: require('./lines.js'),
  messages: require('./messages.js'),
  numbers: require('./numbers.js'),
  recognition: require('./recognition.js'),
  records: require('./records.js'),
  spec: require('./spec.js'),
  v07: require('./v07.js'),
};

if (typeof document !== 'undefined') require('./page.js').start();
