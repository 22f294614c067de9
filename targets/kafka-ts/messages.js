/**
 * Responses as kafka-ts reads them: `response` of each API and version (dist/api), with the steps that its connection
 * takes around it (consume and sendRequest in dist/connection.js): it passes over the tagged fields of the header where
 * there are any, and refuses a body with bytes left over.
 */
'use strict';

const assert = require('node:assert');
const { API } = require('kafka-ts/dist/api');
const { Decoder } = require('kafka-ts/dist/utils/decoder');
const { KafkaTSApiError } = require('kafka-ts/dist/utils/error');
const { NotSupported } = require('../../adapters/javascript/adapter.js');
const { plain } = require('../common/javascript/messages.js');

/** Every version of every API: the newest, and those that it falls back to. */
const VERSIONS = new Map();
for (const newest of Object.values(API)) {
  for (let api = newest; api; api = api.fallback) VERSIONS.set(`${api.apiKey}/${api.apiVersion}`, api);
}

/** What the library gives in the shape or with the names of another version, as Kafka names it, by API. */
const SHAPES = {
  0: ({ responses, ...rest }) => ({ // Produce
    ...rest,
    responses: responses.map(({ partitionResponses, ...topic }) => ({
      ...topic,
      partitionResponses: partitionResponses.map((one) => ({ ...one, logAppendTimeMs: one.logAppendTime })),
    })),
  }),
  1: ({ responses, ...rest }) => ( // Fetch
    { ...rest, responses: responses.map((one) => ({ ...one, topic: one.topicName })) }),
  9: ({ groups, ...rest }, version) => { // OffsetFetch: a list of groups since version 8
    const named = groups.map(({ topics, ...group }) => ({ ...group, topics: topics.map(withMetadata) }));
    return version < 8 ? { ...rest, ...named[0] } : { ...rest, groups: named };
  },
  10: ({ coordinators, ...rest }, version) => ( // FindCoordinator: a list since version 4
    version < 4 ? { ...rest, ...coordinators[0] } : { ...rest, coordinators }),
  18: ({ versions, ...rest }) => ({ ...rest, apiKeys: versions }), // ApiVersions
};

function withMetadata({ partitions, ...topic }) {
  return { ...topic, partitions: partitions.map((one) => ({ ...one, metadata: one.committedMetadata })) };
}

const SYNC_GROUP = 14;

async function message(kind, key, version, data) {
  const api = VERSIONS.get(`${key}/${version}`);
  if (kind !== 1) throw new NotSupported('it only writes requests');
  if (!api) throw new NotSupported(`no version ${version} of API ${key}`);
  if (key === SYNC_GROUP) throw new NotSupported('it reads the assignment, and does not give its bytes');
  const decoder = new Decoder(data);
  decoder.readInt32(); // the correlation id
  if (api.responseHeaderVersion === 1) decoder.readTagBuffer();
  const body = await read(api, decoder);
  assert(decoder.getOffset() === data.length, `Buffer not correctly consumed: ${decoder.getOffset()} !== ${data.length}`);
  return JSON.stringify({ body: plain((SHAPES[key] ?? ((same) => same))(body, version)) });
}

/** Reads a response. One that has an error code is thrown, as a part of the exception. */
async function read(api, decoder) {
  try {
    return await api.response(decoder);
  } catch (error) {
    if (error instanceof KafkaTSApiError) return error.response;
    throw error;
  }
}

module.exports = { message };
