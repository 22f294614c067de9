/**
 * The reader of what names a schema in @confluentinc/schemaregistry, behind adapter protocol 1: the step of its
 * deserializers of Avro, JSON Schema and Protobuf that comes before a registry is asked.
 */
'use strict';

const { DualSchemaIdDeserializer, SchemaId, SerdeType } = require('@confluentinc/schemaregistry');
const { serve, NotSupported } = require('../../adapters/javascript/serde.js');

function read({ content, data, headers }) {
  if (data === null) throw new NotSupported('its deserializers return null before they look for a schema');
  const schema = new SchemaId(content.endsWith('protobuf') ? 'PROTOBUF' : 'AVRO');
  const size = DualSchemaIdDeserializer('topic', SerdeType.VALUE, data, schema, byName(headers));
  const { id, guid, messageIndexes } = schema;
  return { schema_id: id, guid: guid?.replaceAll('-', ''), indexes: messageIndexes, payload: data.subarray(size).toString('hex') };
}

/** The headers as its consumers give them: an array for a name that comes more than once. */
function byName(headers) {
  const found = {};
  for (const [name, value] of headers) found[name] = name in found ? [found[name], value].flat() : value;
  return found;
}

const parts = ['schema_id', 'guid', 'payload'];
const serdes = {};
for (const content of ['confluent', 'confluent-guid', 'confluent-header']) {
  serdes[content] = parts;
  serdes[`${content}-protobuf`] = [...parts, 'indexes'];
}
serve('@confluentinc/schemaregistry', require('@confluentinc/schemaregistry/package.json').version, serdes, read);
