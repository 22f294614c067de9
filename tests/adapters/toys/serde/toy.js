'use strict';
const { serve, NotSupported } = require('./serde.js');

const hex = (text) => Buffer.from(text).toString('hex');

function read({ content, data, headers, schema }) {
  if (content === 'string') throw new NotSupported('no such thing');
  if (content === 'void') {
    const [key, value] = headers.at(-1);
    return { value: `${hex(key)}:${value === null ? '-' : hex(value)}:${hex(schema)}` };
  }
  if (!data?.length) throw new Error('not so');
  return { schema_id: headers.length, payload: hex(data) };
}

serve('toy', '1', { confluent: ['schema_id', 'payload'], void: ['value'], string: ['value'] }, read);
