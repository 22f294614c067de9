/** kafka-ts: what `response` of an API gives. Arguments: request or response, API, version, file. */
'use strict';

const { readFileSync } = require('node:fs');
const { API } = require('kafka-ts/dist/api');
const { Decoder } = require('kafka-ts/dist/utils/decoder');
const { showMessage, showError } = require('../../common/confirm/lines.js');

async function main([, key, version, file]) {
  let api = Object.values(API).find(({ apiKey }) => apiKey === Number(key));
  while (api.apiVersion !== Number(version)) api = api.fallback;
  const decoder = new Decoder(readFileSync(file));
  decoder.readInt32(); // the correlation id
  if (api.responseHeaderVersion === 1) decoder.readTagBuffer();
  showMessage(await api.response(decoder));
}

main(process.argv.slice(2)).catch((error) => (error.response ? showMessage(error.response) : showError(error)));
