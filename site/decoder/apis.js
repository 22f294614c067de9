/** The APIs by number and name, and the versions of their headers. */
'use strict';

const { Fault, STAGES } = require('./fault.js');
const { integer } = require('./numbers.js');
const { VersionReader } = require('./version_reader.js');
const { find, names, places, protocol } = require('./spec.js');

const [API_VERSIONS, CONTROLLED_SHUTDOWN] = [18, 7];
const UNSUPPORTED_VERSION = 35;
const INT16 = { size: 2, signed: true };

/** Returns the request or the response of an API in all versions. */
function layoutOf(api, kind) {
  return protocol()[`${names('api')[api]}_${kind}`];
}

/** Returns the version of the header in front of a request or response (KIP-482, KIP-511). */
function headerVersion(api, version, kind = 'request') {
  const isFlexible = layoutOf(api, kind).flexible.has(version);
  if (kind === 'response') return Number(isFlexible && api !== API_VERSIONS);
  if (version === 0 && api === CONTROLLED_SHUTDOWN) return 0;
  return isFlexible ? 2 : 1;
}

/** Returns the layouts of header and body, as pairs of name and layout. */
function partsOf(api, version, kind) {
  const header = find(`${kind}_header`, headerVersion(api, version, kind));
  return [
    ['header', header],
    ['body', layoutOf(api, kind).at(version)],
  ];
}

/** Returns the API and the version that a request header names, which begins at `start`. */
function announced(data, start = 0) {
  const {
    request_api_key: apiAt,
    request_api_version: versionAt,
    correlation_id: end,
  } = places(find('request_header', 1));
  if (data.length - start < end)
    new VersionReader(data).read(find('request_header', 1), start, data.length, ['header']);
  const [api, version] = [apiAt, versionAt].map((at) => integer(data, start + at, INT16));
  if (!(api in names('api')))
    throw unknown(`there is no API ${api}`, start + apiAt, 'request_api_key');
  const { versions } = layoutOf(api, 'request');
  if (!versions.includes(version)) {
    const detail = `API ${api} has no version ${version}, it has ${rangeText(versions)}`;
    throw unknown(detail, start + versionAt, 'request_api_version');
  }
  return { api, version };
}

function rangeText(versions) {
  return versions.length > 1 ? `${versions[0]}-${versions.at(-1)}` : String(versions[0]);
}

function unknown(detail, offset, field) {
  return new Fault(detail, {
    rule: 'protocol.header.known',
    stage: STAGES.FRAMING,
    offset,
    path: ['header', field],
  });
}

/**
 * Tells whether a body that begins at `start` is a version 0 answer to an unknown version of
 * ApiVersions (KIP-511).
 */
function isFallback(api, data, start) {
  return (
    api === API_VERSIONS &&
    start + 2 <= data.length &&
    integer(data, start, INT16) === UNSUPPORTED_VERSION
  );
}

module.exports = { API_VERSIONS, announced, isFallback, layoutOf, partsOf, rangeText };
