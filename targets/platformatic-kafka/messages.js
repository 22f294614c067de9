/**
 * Responses as @platformatic/kafka reads them: parseResponse of each API and version (dist/apis), with the step that
 * its connection takes in front of it (#onData in dist/network/connection.js): after the correlation id, one byte is
 * skipped where the header has tagged fields.
 */
'use strict';

const { NotSupported } = require('../../adapters/javascript/adapter.js');
const { plain } = require('../common/javascript/messages.js');

/** What the library gives in the shape or with the names of another version, as Kafka names it, by API. */
const SHAPES = {
  1: ({ responses, ...rest }, version) => ({ // Fetch: the topic's name stands in the place of its id
    ...rest, responses: responses.map((one) => (version < 13 ? { ...one, topic: one.topicId } : one)),
  }),
  10: ({ coordinators, ...rest }, version) => ( // FindCoordinator: a list since version 4
    version < 4 ? { ...rest, ...coordinators[0] } : { ...rest, coordinators }),
  24: (response, version) => ( // AddPartitionsToTxn: a list of transactions since version 4
    version < 4 ? { ...response, resultsByTopicV3AndBelow: response.resultsByTransaction[0].topicResults } : response),
  29: ({ resources, ...rest }) => ({ ...rest, resources: resources.map(withPattern) }),
  31: ({ filterResults, ...rest }) => ({
    ...rest, filterResults: filterResults.map((one) => ({ ...one, matchingAcls: one.matchingAcls.map(withPattern) })),
  }),
};

function withPattern(acl) {
  return { ...acl, patternType: acl.patternType ?? acl.resourcePatternType };
}

/** Gives the function that reads messages. */
function reader(library) {
  const parsers = parsersOf(library);
  return (kind, api, version, data) => {
    const found = parsers.get(`${api}/${version}`);
    if (kind !== 1) throw new NotSupported('it only writes requests');
    if (!found) throw new NotSupported(`no version ${version} of API ${api}`);
    const { Reader } = library;
    const correlationId = Reader.from(data).readInt32();
    const body = data.subarray(found.hasTags ? 5 : 4);
    const response = plain(read(found.parse, [correlationId, api, version, Reader.from(body)]));
    return JSON.stringify({ body: (SHAPES[api] ?? ((same) => same))(response, version) });
  };
}

/** Reads a response. One that has an error code is thrown, as a part of the exception. */
function read(parse, given) {
  try {
    return parse(...given);
  } catch (error) {
    if (error.code === 'PLT_KFK_RESPONSE') return error.response;
    throw error;
  }
}

/** Asks each API, with a connection that sends nothing, what it would send: key, version and how to read the answer. */
function parsersOf(library) {
  const parsers = new Map();
  const connection = {
    send: (api, version, _make, parse, _requestHasTags, hasTags) => parsers.set(`${api}/${version}`, { parse, hasTags }),
  };
  for (const { api } of Object.values(library)) if (typeof api?.key === 'number') api(connection);
  return parsers;
}

module.exports = { reader };
