/**
 * What keys and values are, noted behind them: schema ids, and what MirrorMaker and Streams write. Only a
 * header is sure; what is told by a topic's name or by the first bytes is called a guess.
 */
'use strict';

const { Reader } = require('./reader.js');
const { VersionReader } = require('./version_reader.js');
const { faultOf } = require('./fault.js');
const { find, protocol } = require('./spec.js');
const { text } = require('./numbers.js');
const { buffered, ofTopic, read } = require('./streams_topics.js');

const CONFLUENT = "Confluent's schema registry";
const MIRROR = [
  [/^mm2-offset-syncs\..+\.internal$/, 'mirror_offset_sync'],
  [/^.+\.checkpoints\.internal$/, 'mirror_checkpoint'],
  [/^(?:.+\.)?heartbeats$/, 'mirror_heartbeat'],
];

/** Registries count from 1; few have given a million numbers. */
const HIGHEST_ID = 1 << 24;

/** Sizes of plain numbers and UUIDs, which may begin with any byte. */
const NUMBERS = [1, 2, 4, 8, 16];

const COMPRESSIONS = { 0: 'none', 5: 'zlib' };
const [DIGEST_VERSION, RANDOM_VERSION] = ['3', '4'];

/** Returns notes about keys and values, by the index of their spans; `topic` may be empty. */
function notesOf(spans, topic) {
  const headers = headersOf(spans);
  const found = new Map();
  spans.forEach(({ path, value }, index) => {
    const isPart = ['key', 'value'].includes(path.at(-1)) && !path.includes('headers');
    if (!isPart || !(value instanceof Uint8Array)) return;
    const note = noteOf(path.at(-1), value, headers.get(path.slice(0, -1).join()) ?? [], topic);
    if (note) found.set(index, note);
  });
  return found;
}

/** Returns the headers of each record, by its path. */
function headersOf(spans) {
  const found = new Map();
  for (const { path, value } of spans) {
    if (!path.includes('headers') || !['key', 'value'].includes(path.at(-1))) continue;
    const owner = path.slice(0, path.indexOf('headers')).join();
    const list = found.get(owner) ?? [];
    if (path.at(-1) === 'key') list.push([text(value), null]);
    else if (list.length) list.at(-1)[1] = value;
    found.set(owner, list);
  }
  return found;
}

function noteOf(part, data, headers, topic) {
  const known = new Map(headers.filter(([, value]) => value instanceof Uint8Array));
  const sure = byHeaders(part, known);
  if (sure) return `${sure.name}, by the header ${sure.by}: ${said(sure.fields)}, ${bytes(data.length)}`;
  const waits = part === 'value' ? buffered(data, topic, known.get('v')) : null;
  if (waits) return `Kafka Streams, by the header v: ${said(waits)}`;
  const mirrored = byTopic(part, data, topic);
  if (mirrored) return `perhaps MirrorMaker, by the name of the topic: ${said(mirrored)}`;
  const ofStreams = ofTopic(part, data, topic);
  if (ofStreams)
    return `perhaps Kafka Streams, by the name of the topic: ${said(ofStreams.fields)}${counted(ofStreams.behind)}`;
  const guess = NUMBERS.includes(data.length) ? null : byBytes(data);
  if (!guess) return '';
  const { name, fields, behind } = guess;
  return `perhaps ${name}, by the first bytes: ${said(fields)}, ${bytes(behind)}`;
}

function byHeaders(part, headers) {
  const by = `__${part}_schema_id`;
  const fields = headers.has(by) ? schemaOf(headers.get(by)) : null;
  if (fields) return { name: CONFLUENT, by, fields };
  const start = `apicurio.${part}.`;
  const ids = [...headers].filter(([key]) => key.startsWith(start));
  if (ids.length) {
    const named = ids.map(([key, value]) => [key.slice(start.length), numberOrText(value)]);
    return { name: "Apicurio's registry", by: ids[0][0], fields: named };
  }
  return part === 'value' ? ofContentType(headers) : null;
}

function ofContentType(headers) {
  const kind = text(headers.get('content-type') ?? new Uint8Array());
  const avro = /^avro\/binary\+([0-9A-Za-z-]+)$/.exec(kind);
  if (avro)
    return { name: "Azure's schema registry", by: 'content-type', fields: [['schema_id', avro[1]]] };
  if (headers.has('ce_specversion')) {
    const named = [...headers].filter(([key]) => key.startsWith('ce_'));
    const fields = named.map(([key, value]) => [key.slice(3), text(value)]);
    return { name: 'CloudEvents', by: 'ce_specversion', fields };
  }
  const isEvent = kind.startsWith('application/cloudevents+json');
  return isEvent ? { name: 'CloudEvents', by: 'content-type', fields: [['mode', 'structured']] } : null;
}

/** Returns what MirrorMaker's layout of a topic reads, to the last byte; null if it does not. */
function byTopic(part, data, topic) {
  const start = MIRROR.find(([pattern]) => pattern.test(topic))?.[1];
  const layout = start && protocol()[`${start}_${part}`];
  if (!layout) return null;
  let fields = null;
  faultOf(() => {
    const front = new Reader(data);
    const said = layout.behind ? front.read(find(layout.behind), 0, data.length).version : 0;
    if (!layout.versions.includes(Number(said))) return;
    const reader = new VersionReader(data);
    const value = reader.read(layout.at(Number(said)), layout.behind ? front.at : 0, data.length);
    if (reader.at === data.length) fields = Object.entries(value);
  });
  return fields;
}

/** Returns what content begins like; of ids, only such as a registry gives in its first years. */
function byBytes(data) {
  if (isSizeOfTheRest(data)) return null;
  const behind = (read) => read.payload.length;
  const id = read('confluent_id', data);
  if (id && id.schema_id > 0 && id.schema_id < HIGHEST_ID && behind(id))
    return { name: CONFLUENT, fields: [['schema_id', id.schema_id]], behind: behind(id) };
  const named = read('confluent_guid', data);
  if (named && isGuid(named.guid, DIGEST_VERSION))
    return { name: CONFLUENT, fields: [['guid', guid(named.guid)]], behind: behind(named) };
  const glue = read('glue_header', data);
  if (!glue || !(glue.compression in COMPRESSIONS) || !isGuid(glue.schema_version_id, RANDOM_VERSION))
    return null;
  const fields = [
    ['compression', COMPRESSIONS[glue.compression]],
    ['schema_version_id', guid(glue.schema_version_id)],
  ];
  return { name: "AWS Glue's schema registry", fields, behind: behind(glue) };
}

/** Tells whether the first four bytes say how many follow: a text behind its size is no schema. */
function isSizeOfTheRest(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return data.length >= 4 && view.getUint32(0) === data.length - 4;
}

/** Returns what names a schema in a header: an id or a GUID, and indexes behind; null if neither. */
function schemaOf(value) {
  const id = read('confluent_id', value);
  const named = id ?? read('confluent_guid', value);
  if (!named) return null;
  const first = id ? ['schema_id', id.schema_id] : ['guid', guid(named.guid)];
  if (!named.payload.length) return [first];
  const indexes = read('message_indexes', named.payload);
  if (!indexes) return null;
  return [first, ['indexes', (indexes.indexes.length ? indexes.indexes : [0]).join('.')]];
}

function isGuid(raw, version) {
  const written = guid(raw);
  return written[14] === version && '89ab'.includes(written[19]);
}

function guid(raw) {
  const digits = [...raw].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Returns an id of Apicurio, which is eight or four bytes, or a text. */
function numberOrText(data) {
  if (![4, 8].includes(data.length) || data[0]) return text(data);
  return data.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function said(fields) {
  return fields.map(([name, value]) => `${name.replaceAll('_', ' ')} ${shown(value)}`).join(', ');
}

function shown(value) {
  return value instanceof Uint8Array ? text(value) : String(value);
}

function counted(behind) {
  return behind === null ? '' : `, ${bytes(behind)}`;
}

function bytes(count) {
  return `${count} byte${count === 1 ? '' : 's'}`;
}

module.exports = { notesOf };
