/**
 * `AssignerProtocol` of kafkajs, which assigners call for what members of groups tell and are
 * assigned, behind adapter protocol 1.
 */
'use strict';

const { AssignerProtocol } = require('kafkajs');
const { serve, NotSupported } = require('../../adapters/javascript/serde.js');

const hex = (data) => (data === null || data === undefined ? null : data.toString('hex'));

function read({ content, data }) {
  if (data === null) throw new NotSupported('null is for the caller');
  if (content === 'consumer-protocol-assignment') {
    const assigned = AssignerProtocol.MemberAssignment.decode(data);
    if (assigned === null) throw new Error('nothing was read');
    const { version, assignment, userData } = assigned;
    const assignedPartitions = Object.entries(assignment).map(([topic, partitions]) => ({ topic, partitions }));
    return { value: { version, assignedPartitions, userData: hex(userData) } };
  }
  if (data.length >= 2 && data.readInt16BE(0) > 0)
    throw new NotSupported('it reads a later version as version 0, and leaves what is behind');
  const { version, topics, userData } = AssignerProtocol.MemberMetadata.decode(data);
  return { value: { version, topics, userData: hex(userData) } };
}

const serdes = { 'consumer-protocol-subscription': ['value'], 'consumer-protocol-assignment': ['value'] };
serve('kafkajs', require('kafkajs/package.json').version, serdes, read);
