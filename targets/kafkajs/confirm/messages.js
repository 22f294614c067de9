/** kafkajs: what `decode` of a response gives. Arguments: request or response, API, version, file. */
'use strict';

const { readFileSync } = require('node:fs');
const apiKeys = require('kafkajs/src/protocol/requests/apiKeys');
const { requests } = require('kafkajs/src/protocol/requests');
const { showMessage, showError } = require('../../common/confirm/lines.js');

const [, api, version, file] = process.argv.slice(2);
const [name] = Object.entries(apiKeys).find(([, key]) => key === Number(api));
const { response } = requests[name].protocol({ version: Number(version) })({});
response.decode(readFileSync(file).subarray(4)).then(showMessage, showError); // after the correlation id
