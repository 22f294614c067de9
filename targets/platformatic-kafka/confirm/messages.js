/** @platformatic/kafka: what `parseResponse` gives. Arguments: request or response, API, version, file. */
'use strict';

const { readFileSync } = require('node:fs');
const { showMessage, showError } = require('../../common/confirm/lines.js');

async function main([, key, version, file]) {
  const library = await import(require.resolve('@platformatic/kafka')); // it is an ES module
  const data = readFileSync(file);
  const send = (api, number, _make, parse, _requestHasTags, hasTags) => {
    if (api !== Number(key) || number !== Number(version)) return;
    const body = library.Reader.from(data.subarray(hasTags ? 5 : 4));
    showMessage(parse(data.readInt32BE(0), api, number, body));
  };
  for (const { api } of Object.values(library)) if (typeof api?.key === 'number') api({ send });
}

main(process.argv.slice(2)).catch(showError);
