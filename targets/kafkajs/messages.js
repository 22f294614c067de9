/**
 * Responses as kafkajs reads them: `decode` of each API and version (src/protocol/requests), from after the correlation
 * id on, as its connection hands them over (processData in src/network/connection.js). Its names are those of Kafka's
 * first releases, so they are told in Kafka's here; what it reads and throws away, such as the text of an error, is
 * missing. Since the versions in which brokers answer before they throttle (KIP-219), it says 0 for the time that a
 * broker has throttled, and keeps what is in the response under another name.
 */
'use strict';

const apiKeys = require('kafkajs/src/protocol/requests/apiKeys');
const { requests } = require('kafkajs/src/protocol/requests');
const { NotSupported } = require('../../adapters/javascript/adapter.js');
const { plain } = require('../common/javascript/messages.js');

const SIZE = 4; // of the correlation id

/** Its names, where Kafka has others in most APIs. */
const NAMES = {
  topic: 'name', topicName: 'name', partition: 'partitionIndex', partitionId: 'partitionIndex',
  topicMetadata: 'topics', partitionMetadata: 'partitions', topicErrorCode: 'errorCode', partitionErrorCode: 'errorCode',
  leader: 'leaderId', isr: 'isrNodes', resourcePatternType: 'patternType', state: 'groupState',
  protocol: 'protocolData', apiVersions: 'apiKeys', memberAssignment: 'memberAssignment',
};

/** Its names by API, where Kafka has others. */
const NAMES_OF = {
  0: { topics: 'responses', partitions: 'partitionResponses', partition: 'index', offset: 'baseOffset',
    timestamp: 'logAppendTimeMs', logAppendTime: 'logAppendTimeMs' },
  1: { topicName: 'topic', lastStartOffset: 'logStartOffset' },
  2: { responses: 'topics', offsets: 'oldStyleOffsets' },
  3: { replicas: 'replicaNodes' },
  8: { responses: 'topics' },
  9: { responses: 'topics', offset: 'committedOffset' },
  11: { groupProtocol: 'protocolName', leaderId: 'leader', memberMetadata: 'metadata' },
  14: { memberAssignment: 'assignment' },
  17: { enabledMechanisms: 'mechanisms' },
  19: { topicErrors: 'topics' },
  20: { topicErrors: 'responses' },
  24: { errors: 'resultsByTopicV3AndBelow', partitionErrors: 'resultsByPartition', errorCode: 'partitionErrorCode' },
  30: { creationResponses: 'results' },
  31: { filterResponses: 'filterResults' },
  32: { resources: 'results', configEntries: 'configs', configName: 'name', configValue: 'value' },
  33: { resources: 'responses' },
  37: { topicErrors: 'results' },
};

/** What it gives in another shape than Kafka, by API. */
const SHAPES = {
  10: ({ coordinator, ...rest }) => ({ ...rest, ...coordinator }),
  32: ({ resources, ...rest }) => ({ ...rest, resources: resources.map(withSynonyms) }),
  36: ({ authBytes, ...rest }) => ({ ...rest, authBytes: authBytes.subarray(SIZE) }), // it puts a size in front
};

function withSynonyms({ configEntries, ...rest }) {
  const renamed = ({ configName, configValue, configSource }) => (
    { name: configName, value: configValue, source: configSource });
  return { ...rest,
    configEntries: configEntries.map(({ configSynonyms = [], ...entry }) => (
      { ...entry, synonyms: configSynonyms.map(renamed) })) };
}

const DEFINITIONS = new Map(Object.entries(requests).map(([name, definition]) => [apiKeys[name], definition]));

async function message(kind, api, version, data) {
  const definition = DEFINITIONS.get(api);
  if (kind !== 1) throw new NotSupported('it only writes requests');
  if (!definition?.versions.includes(String(version))) throw new NotSupported(`no version ${version} of API ${api}`);
  const { response } = definition.protocol({ version })({});
  const { throttleTime, clientSideThrottleTime, ...given } = await response.decode(data.subarray(SIZE));
  const body = { throttleTimeMs: clientSideThrottleTime ?? throttleTime, ...(SHAPES[api] ?? ((same) => same))(given) };
  return JSON.stringify({ body: plain(named(body, NAMES_OF[api] ?? {})) });
}

/** A value with Kafka's names. */
function named(value, names) {
  if (Array.isArray(value)) return value.map((item) => named(item, names));
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'messages').map(([name, item]) => (
    [names[name] ?? NAMES[name] ?? name, named(item, names)])));
}

module.exports = { message };
