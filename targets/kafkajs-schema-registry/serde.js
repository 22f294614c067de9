/**
 * `SchemaRegistry.decode` of @kafkajs/confluent-schema-registry, behind adapter protocol 1. Its registry is a server in
 * this process, which has one schema for every id.
 */
'use strict';

const http = require('node:http');
const { SchemaRegistry } = require('@kafkajs/confluent-schema-registry');
const { serve, NotSupported } = require('../../adapters/javascript/serde.js');

const PROTO = `syntax = "proto3";
message A { string name = 1; message B { string name = 1; } message C { string name = 1; } }
message D { string name = 1; message E { string name = 1; } message F { string name = 1; } }`;

let [schema, asked] = [null, null];
const server = http.createServer((request, response) => {
  asked = Number(request.url.split('/').pop());
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(schema));
});

async function read({ content, data, schema: avro }) {
  if (data === null) throw new NotSupported('null is for the caller');
  const isProtobuf = content.endsWith('protobuf');
  schema = isProtobuf ? { schemaType: 'PROTOBUF', schema: PROTO } : { schemaType: 'AVRO', schema: avro };
  asked = null;
  // A registry keeps the schemas that it has seen, so each value gets a new one.
  const registry = new SchemaRegistry({ host: `http://127.0.0.1:${server.address().port}` });
  const value = await registry.decode(data);
  return { schema_id: asked, value: isProtobuf ? value.name : value };
}

const serdes = { confluent: ['schema_id', 'value'], 'confluent-protobuf': ['schema_id', 'value'] };
server.listen(0, '127.0.0.1', () => {
  const { version } = require('@kafkajs/confluent-schema-registry/package.json');
  serve('@kafkajs/confluent-schema-registry', version, serdes, read);
});
