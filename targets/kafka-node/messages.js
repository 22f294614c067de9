/**
 * Responses as kafka-node takes them: whether the function of an API and version (lib/protocol/protocolVersions.js, and
 * what lib/kafkaClient.js calls by name) reads one. It gives them in shapes of its own, so nothing is told of them. An
 * error code that it turns into an Error, or hands to the callback of a fetch, is what the response says, and was read.
 */
'use strict';

const protocol = require('kafka-node/lib/protocol');
const { apiMap } = require('kafka-node/lib/protocol/protocolVersions');
const { NotSupported } = require('../../adapters/javascript/adapter.js');

const READ = 1; // the decoder's place beside the encoder

/** Versions by API, from 0. */
const decoders = (name) => apiMap[name].map((pair) => pair[READ]);

const DECODERS = new Map([
  [0, decoders('produce')], [1, decoders('fetch').map(fetched)], [2, decoders('offset')], [3, decoders('metadata')],
  [8, decoders('offsetCommit')], [9, decoders('offsetFetch')], [10, decoders('groupCoordinator')],
  [11, decoders('joinGroup')], [12, decoders('heartbeat')], [13, decoders('leaveGroup')],
  [14, [protocol.decodeSyncGroupResponse]], [15, decoders('describeGroups')], [16, decoders('listGroups')],
  [17, decoders('saslHandshake')], [18, decoders('apiVersions')], [19, decoders('createTopics')],
  [32, decoders('describeConfigs')], [36, [protocol.decodeSaslAuthenticateResponse]],
]);

/** Read a response of Fetch until the library says that it is done. */
function fetched(decoder) {
  return (data) => new Promise((resolve) => {
    decoder((error, event) => { if (event === 'done') resolve(); })(data);
  });
}

async function message(kind, api, version, data) {
  if (kind !== 1) throw new NotSupported('it only writes requests');
  const decode = DECODERS.get(api)?.[version];
  if (decode === undefined) throw new NotSupported(`no version ${version} of API ${api}`);
  const size = Buffer.alloc(4);
  size.writeInt32BE(data.length);
  await decode(Buffer.concat([size, data]));
  return '';
}

module.exports = { message };
