/** kafkajs: what `AssignerProtocol` gives of a value. Arguments: the kind of content, headers (unused), a file. */
'use strict';

const fs = require('node:fs');
const { AssignerProtocol } = require('kafkajs');

const data = fs.readFileSync(process.argv[4]);
try {
  if (process.argv[2] === 'consumer-protocol-assignment') {
    const { assignment } = AssignerProtocol.MemberAssignment.decode(data);
    console.log(`topics=${Object.keys(assignment).length}`);
  } else {
    const { version, topics, userData } = AssignerProtocol.MemberMetadata.decode(data);
    console.log(`version=${version} topics=${JSON.stringify(topics)} userData=${userData?.toString('hex') ?? null}`);
  }
} catch (error) {
  console.log(`error: ${error.message}`);
}
