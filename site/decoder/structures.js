/**
 * One structure of the protocol by itself, line by line: a body without its header, or a key or
 * value of one of Kafka's own topics after what says which one it is.
 */
'use strict';

const checks = require('./checks.js');
const { Fault, STAGES, faultOf } = require('./fault.js');
const { FRAMED, KEYED } = require('./schema_spans.js');
const { LIMITS, linesOf } = require('./lines.js');
const { Reader, Spans } = require('./reader.js');
const { VersionReader } = require('./version_reader.js');
const { find, names, protocol } = require('./spec.js');
const { integer } = require('./numbers.js');
const { rangeText } = require('./apis.js');

/** Explains all of the bytes as one version of a layout: the newest, if none is said. */
function explainStructure(data, { layout, version }) {
  const { versions } = protocol()[layout];
  const what = { layout, version: versions.includes(version) ? version : versions.at(-1) };
  return explained(data, (spans) => readBody(data, spans, what, 0));
}

/**
 * Explains what says which record it is, and the key or value after it. `layout` is one of the
 * records that it can be: which one it is, the bytes say.
 */
function explainSchemaRecord(data, { layout }) {
  return explained(data, (spans) => {
    const front = protocol()[layout].behind;
    if (!front) return readBody(data, spans, { layout, version: 0 }, 0);
    const reader = new Reader(data, { limit: LIMITS.limit, spans });
    const said = reader.read(find(front), 0, data.length);
    return readBody(data, spans, announced(layout, said), reader.at);
  });
}

function explained(data, read) {
  const spans = new Spans(LIMITS.most);
  let what = {};
  const fault = faultOf(() => {
    what = read(spans);
  });
  const lines = linesOf(spans.all, fault, null, data, data.length);
  return { kind: 'structure', ...what, lines, fault, records: [], left: spans.left, closed: '' };
}

function readBody(data, spans, what, start) {
  const reader = new VersionReader(data, { limit: LIMITS.limit, spans });
  reader.read(find(what.layout, what.version), start, data.length);
  const left = data.length - reader.at;
  if (left > 0) throw checks.bodyTrailing(reader.at, left);
  return what;
}

/** Returns the layout and version that are said in front of a key or value. */
function announced(layout, { number = null, version = 0 }) {
  const known = { layout: number === null ? layout : named(layout, number), version };
  const versions = protocol()[known.layout]?.versions ?? [];
  if (!versions.includes(version)) {
    const has = versions.length ? rangeText(versions) : 'none';
    throw unknown(`${known.layout} has no version ${version}, it has ${has}`, 'version');
  }
  return known;
}

/** Returns the layout of a record of the same topic, by its number. */
function named(layout, number) {
  const suffix = layout.endsWith('_key') ? '_key' : '';
  const enumerations = Object.values(suffix ? KEYED : FRAMED).map(names);
  const mine = enumerations.find((one) =>
    Object.values(one).some((name) => name + suffix === layout),
  );
  if (mine === undefined) return layout;
  if (!(number in mine)) throw unknown(`is ${number}, which is not the number of a known schema record`, 'number');
  return mine[number] + suffix;
}

/** Returns the layouts of keys and values that bytes may be of, by the numbers in front of them. */
function recordLayouts(data) {
  const number = integer(data, 0, { size: 2, signed: true });
  const keyed = Object.values(KEYED).flatMap((enumeration) => Object.entries(names(enumeration)));
  const known = (name) => name in protocol();
  const keys = keyed.filter(([own]) => Number(own) === number).map(([, name]) => `${name}_key`);
  const others = Object.keys(protocol()).filter((name) => protocol()[name].behind === 'schema_version');
  const values = [...new Set([...keyed.map(([, name]) => `${name}_value`), ...others])].filter(
    (name) => known(name) && !isContent(name) && protocol()[name].versions.includes(number),
  );
  const framed = Object.values(FRAMED).flatMap((enumeration) => Object.values(names(enumeration)));
  return [...keys.filter(known), ...values, ...framed.filter((name) => known(name) && says(data, name))];
}

/** Tells whether a name is of what programs write into topics of any name. */
const isContent = (name) => /^(?:mirror|connect|sticky|cooperative)_/.test(name);

const isFramed = (layout) => protocol()[layout].behind === 'metadata_record_frame';

/** Tells whether the frame in front of a record says that it is one of these. */
function says(data, layout) {
  let said = null;
  const fault = faultOf(() => {
    said = announced(layout, new Reader(data).read(find('metadata_record_frame'), 0, data.length));
  });
  return fault === null && said.layout === layout;
}

function unknown(detail, field) {
  return new Fault(detail, {
    rule: 'protocol.record.known',
    stage: STAGES.FRAMING,
    offset: 0,
    path: [field],
  });
}

module.exports = { explainSchemaRecord, explainStructure, isFramed, recordLayouts };
