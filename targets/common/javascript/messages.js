/** What libraries give of messages, as the suite's JSON has it. */
'use strict';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A value as the suite's JSON has it. Records are left out where the library gives them parsed. */
function plain(value) {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return UUID.test(value) ? value.replaceAll('-', '') : value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return [...value].map(plain);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name, item]) => name !== 'records' || item === null);
  return Object.fromEntries(kept.map(([name, item]) => [name, plain(item)]));
}

module.exports = { plain };
