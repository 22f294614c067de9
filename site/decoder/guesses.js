/**
 * What a response can be. Only the client that asked knows; without it, what reads to the end is a
 * guess.
 */
'use strict';

const { API_VERSIONS, isFallback, layoutOf, partsOf } = require('./apis.js');
const { Spans } = require('./reader.js');
const { VersionReader } = require('./version_reader.js');
const { faultOf } = require('./fault.js');
const { names } = require('./spec.js');

const MOST = 10000; // fields that are looked at for numbers without a name
// Bytes of the correlation id, which is all of the header of an ApiVersions response.
const CORRELATION = 4;

/**
 * Returns what a response can be, the most likely first: what has few numbers without a name, then
 * many fields, then a high version. `api` and `version` are given where they are known.
 */
function guesses(data, start, api = null, version = null) {
  const apis = api === null ? Object.keys(names('api')).map(Number) : [api];
  const found = apis.flatMap((number) =>
    layoutOf(number, 'response')
      .versions.filter((one) => version === null || one === version)
      .map((one) => guess(data, start, number, one))
      .filter((one) => one !== null),
  );
  const isLikely = isFallback(API_VERSIONS, data, start + CORRELATION);
  const rank = (one) => [
    Number(!(isLikely && one.api === API_VERSIONS && one.version === 0)),
    one.unnamed,
    -one.fields,
    -one.version,
    one.api,
  ];
  return found.sort((one, other) => compare(rank(one), rank(other)));
}

function compare(one, other) {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at < 0 ? 0 : one[at] - other[at];
}

function guess(data, start, api, version) {
  const spans = new Spans(MOST);
  const reader = new VersionReader(data, { spans });
  reader.at = start;
  const fault = faultOf(() => {
    for (const [, layout] of partsOf(api, version, 'response'))
      reader.read(layout, reader.at, data.length);
  });
  if (fault || reader.at !== data.length) return null;
  const unnamed = spans.all.filter(
    ({ field, value }) => field.names && !(value in field.names.values),
  ).length;
  return { api, version, unnamed, fields: spans.all.length + spans.left };
}

module.exports = { guesses };
