/**
 * @kafkajs/confluent-schema-registry: what `SchemaRegistry.decode` gives of a value. Its registry is a server in this
 * program. Arguments: the kind of content, headers (unused), a file.
 */
'use strict';

const fs = require('node:fs');
const http = require('node:http');
const { SchemaRegistry } = require('@kafkajs/confluent-schema-registry');

const schema = 'syntax = "proto3"; message A { string name = 1; } message B { string name = 1; }';
const server = http.createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ schemaType: 'PROTOBUF', schema }));
});
server.listen(0, '127.0.0.1', async () => {
  const registry = new SchemaRegistry({ host: `http://127.0.0.1:${server.address().port}` });
  try {
    console.log(JSON.stringify(await registry.decode(fs.readFileSync(process.argv[4]))));
  } catch (error) {
    console.log(`error: ${error.message}`);
  }
  process.exit(0);
});
