/**
 * What surrounds bytes in a text, or spells them oddly, changed into what the readers know: by the
 * table of the reference.
 */
'use strict';

const { data } = require('./spec.js');

const YAML = '!!binary |';

let table;

/** Returns a text without what surrounds bytes, and with their numbers as most languages have them. */
function tidied(text) {
  table ??= data().tidying.map(([pattern, instead]) => [new RegExp(pattern, 'gm'), instead]);
  const start = text.lastIndexOf(YAML);
  const bare = start < 0 ? text : text.slice(start + YAML.length);
  return table.reduce((said, [pattern, instead]) => said.replace(pattern, instead), bare);
}

module.exports = { tidied };
