/**
 * kafka-node: what the decoder of a response gives. Arguments: request or response, API, version, file. It reads in a
 * thread of its own, which is ended after two seconds.
 */
'use strict';

const { readFileSync } = require('node:fs');
const { isMainThread, parentPort, Worker } = require('node:worker_threads');
const protocol = require('kafka-node/lib/protocol');
const { showMessage, showError } = require('../../common/confirm/lines.js');

const SIZE = 4; // in front of all that its decoders take
const PATIENCE = 2000;
const fetched = (data) => protocol.decodeFetchResponseV1((error, event) => event === 'done' && showMessage(event))(data);
const DECODERS = {
  0: [protocol.decodeProduceResponse, protocol.decodeProduceV1Response, protocol.decodeProduceV2Response],
  1: [null, fetched, fetched],
  2: [protocol.decodeOffsetResponse],
  8: Array(3).fill(protocol.decodeOffsetCommitResponse),
  9: [protocol.decodeOffsetFetchResponse, protocol.decodeOffsetFetchV1Response],
};
const [, api, version, file] = process.argv.slice(2);

if (isMainThread) {
  const reader = new Worker(__filename, { argv: process.argv.slice(2) });
  let timer;
  reader.on('message', () => {
    timer = setTimeout(() => {
      console.log(`error: still reading ${readFileSync(file).length} bytes after ${PATIENCE / 1000} s`);
      process.exit();
    }, PATIENCE);
  });
  reader.on('exit', () => clearTimeout(timer));
} else {
  parentPort.postMessage('ready');
  try {
    showMessage(DECODERS[api][version](Buffer.concat([Buffer.alloc(SIZE), readFileSync(file)])));
  } catch (error) {
    showError(error);
  }
}
