/**
 * @confluentinc/schemaregistry: what `SchemaId.fromBytes` gives of a value, the first step of its deserializers.
 * Arguments: the kind of content, headers (unused), a file.
 */
'use strict';

const fs = require('node:fs');
const { SchemaId } = require('@confluentinc/schemaregistry');

const data = fs.readFileSync(process.argv[4]);
const schema = new SchemaId(process.argv[2].endsWith('protobuf') ? 'PROTOBUF' : 'AVRO');
try {
  const size = schema.fromBytes(data);
  const rest = data.subarray(size).toString('hex');
  console.log(`id=${schema.id} guid=${schema.guid} indexes=${schema.messageIndexes} payload=${rest} read=${size} of ${data.length}`);
} catch (error) {
  console.log(`error: ${error.message}`);
}
