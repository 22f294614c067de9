/** The Kafka binding of the CloudEvents SDK for JavaScript, behind adapter protocol 1. */
'use strict';

const { Kafka } = require('cloudevents');
const { serve } = require('../../adapters/javascript/serde.js');

function read({ data, headers }) {
  const texts = Object.fromEntries(headers.map(([name, value]) => [name, value?.toString()]));
  const event = Kafka.toEvent({ headers: texts, value: data });
  const { data: payload, data_base64: base64, datacontenttype, ...attributes } = event.toJSON();
  const found = base64 === undefined ? Buffer.from(payload) : Buffer.from(base64, 'base64');
  return { value: attributes, payload: found.toString('hex') };
}

serve('cloudevents', require('cloudevents/package.json').version, { cloudevents: ['value', 'payload'] }, read);
