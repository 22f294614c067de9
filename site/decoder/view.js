/**
 * What an explanation looks like: verdict, records, bytes and fields. Everything is made of
 * elements, no text is HTML.
 */
'use strict';

const entries = require('./entries.js');
const { bytesText } = require('./lines.js');
const { data } = require('./spec.js');
const { saidOf } = require('./recognition.js');
const { counted, hex } = require('./numbers.js');

const ROW = 16;
const LONGEST = 64; // bytes of one field that are shown
const FIELDS = 1000; // fields that are shown at once
const RECORDS = 100;
const DOUBTED = ' (doubted: the checksum is wrong)';
const SIZES = ['batch_length', 'message_size'];

/** Makes an element. */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== null) made.setAttribute(name, value);
  made.append(...children.flat().filter((child) => child !== null && child !== ''));
  return made;
}

/** Returns a name in code letters, which may be cut between its words. */
function code(text) {
  return el(
    'code',
    {},
    text
      .split(/(?<=[._\]])/)
      .flatMap((word) => [word, el('wbr')])
      .slice(0, -1),
  );
}

/** Returns a link to the page of a structure, rule or flag; only its name where it has none. */
function linkTo(kind, name, anchor = name) {
  const page = data().pages[kind]?.[name];
  return page ? el('a', { href: `${page}.html#${anchor}` }, code(anchor)) : code(anchor);
}

/**
 * Returns what came of the bytes in a sentence or two. `readAs` has the `kind` and its `name`,
 * whether it is one of records (`isRecords`), whether it may be wrong (`isGuess`), and what begins
 * `elsewhere`.
 */
function verdict(found, size, readAs) {
  if (found.fault) return broken(found, readAs);
  const parts = [counted(size, 'byte')];
  if (found.layout) parts.push(`${found.layout}, version ${found.version}`);
  if (found.api != null) parts.push(apiTitle(found));
  if (found.records.length || readAs.isRecords)
    parts.push(counted(found.records.length, 'record'));
  const read = found.layout || found.api != null ? '' : ` Read as ${readAs.name}.`;
  const closed = found.closed ? ` What is compressed stays closed: ${found.closed}.` : '';
  return el(
    'div',
    { class: 'verdict-of sound' },
    el('p', {}, el('strong', {}, heading(found, readAs)), `${parts.join(', ')}.${read}${closed}`),
    guessed(readAs),
    found.cut ? cutOff(found, readAs.kind) : null,
  );
}

/** Says that no rule is broken, if all that was read is whole; else what is missing. */
function heading(found, readAs) {
  if (!found.missing) return 'No rule is broken. ';
  const verb = found.missing === 1 ? 'is' : 'are';
  const least = readAs.isRecords || found.lines[0]?.path === 'size' ? '' : ' at least';
  return `It is cut: ${counted(found.missing, 'byte')} ${verb} missing${least}. `;
}

/** Says of a guess what speaks for it and against it, in the words of the command line. */
function guessed({ isGuess, candidates }) {
  return isGuess && candidates.length ? el('p', { class: 'facts' }, saidOf(candidates)) : null;
}

/** Says what is at the end, if that is a part of an entry. */
function cutOff({ cut, lines }, kind) {
  const size = lines.findLast((line) => SIZES.includes(line.path) && !line.payload);
  const whole = size ? ` of ${entries.frame().overhead + Number(size.value)} bytes` : '';
  return el(
    'p',
    {},
    `The end is cut off: ${counted(cut, 'byte')} of an entry${whole}. A fetch response may end so, `,
    'and a consumer fetches that entry again (',
    linkTo('rule', kind === 'v07' ? 'v07.size.within' : 'entry.size.within'),
    '). From the end of a segment, a broker that starts removes it.',
  );
}

function apiTitle({ api, kind, version, guesses = [] }) {
  const others = guesses.slice(0, 3).map((one) => `${data().enums.api[one.api]} ${one.version}`);
  const also = others.length ? `: a guess, it can also be ${others.join(', ')}` : '';
  return `${data().enums.api[api]} ${kind}, version ${version}${also}`;
}

function broken({ fault, api, kind, version }, readAs) {
  const flag = data().flags[fault.rule];
  const place =
    `Byte ${fault.offset}${fault.payload ? ' of the decompressed payload' : ''}` +
    `${fault.entry === null ? '' : `, entry ${fault.entry}`}`;
  return el(
    'div',
    { class: 'verdict-of broken' },
    el(
      'p',
      {},
      el('strong', {}, 'Broken rule '),
      linkTo('rule', fault.rule),
      `: ${data().rules[fault.rule] ?? ''}`,
    ),
    el(
      'p',
      {},
      `${place}, `,
      fault.pathText ? code(fault.pathText) : '',
      ` ${fault.detail}. ${fault.hint} `,
      el('a', { href: '#', 'data-jump': 'fault' }, 'Show the place'),
    ),
    flag ? el('p', {}, 'Kafka itself is looser in one case, ', linkTo('flag', flag[0]), `: ${flag[1]}`) : null,
    el(
      'p',
      {},
      `Read as ${api == null ? readAs.name : apiTitle({ api, kind, version })}`,
      readAs.isGuess ? ', which is a guess: choose another under “Read as” if it is wrong. ' : '. ',
      readAs.elsewhere ? startAt(readAs.elsewhere) : '',
    ),
  );
}

/** Says what begins at another byte, with a link that reads on from there. */
function startAt({ at, name }) {
  const link = el('a', { href: '#', 'data-from': at }, `Read from byte ${at}`);
  return ['At byte ', String(at), ` ${name} begin${name === 'records' ? '' : 's'}. `, link];
}

/** Returns the records as a table that opens. */
function recordTable(records) {
  if (!records.length) return null;
  const shown = records.slice(0, RECORDS).map((record) =>
    el(
      'tr',
      {},
      [
        String(record.offset),
        record.timestamp < 0n ? '–' : timeText(record.timestamp),
        record.control
          ? 'a control record, which no application gets'
          : record.key === null
            ? 'null'
            : bytesText(record.key),
        record.value === null ? 'null' : bytesText(record.value),
        record.headers
          .map(([key, value]) => `${bytesText(key)}: ${value === null ? 'null' : bytesText(value)}`)
          .join(', '),
      ].map((text) => el('td', {}, text)),
    ),
  );
  const heads = ['offset', 'timestamp', 'key', 'value', 'headers'].map((text) =>
    el('th', { scope: 'col' }, text),
  );
  const more =
    records.length > RECORDS
      ? el('p', { class: 'facts' }, `… and ${records.length - RECORDS} more`)
      : null;
  return el(
    'details',
    { class: 'records', open: records.length < 10 ? '' : null },
    el('summary', {}, `${counted(records.length, 'record')}, as a consumer gets them`),
    el(
      'div',
      { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'Records' },
      el('table', {}, el('thead', {}, el('tr', {}, heads)), el('tbody', {}, shown)),
    ),
    more,
  );
}

function timeText(timestamp) {
  const time = new Date(Number(timestamp));
  return Number.isNaN(time.getTime()) ? String(timestamp) : `${timestamp} (${time.toISOString()})`;
}

/** Returns bytes and fields side by side, and a button for more where they are many. */
function explanation(lines, left, onMore, most = FIELDS) {
  const numbered = lines.slice(0, most).map((line, number) => ({ ...line, number }));
  const parts = cut(numbered).flatMap(({ title, lines: own }) => [
    title ? el('p', { class: 'facts' }, title) : null,
    el('div', { class: 'bytes' }, hexOf(own)),
    el('div', { class: 'fields' }, tableOf(own, lines.at(-1)?.entry > 0)),
  ]);
  const rest = lines.length - most;
  if (rest > 0) {
    const more = el(
      'button',
      { type: 'button' },
      `Show more: ${counted(rest + left, 'field')} left`,
    );
    more.addEventListener('click', () => onMore(most + FIELDS));
    parts.push(el('p', {}, more));
  } else if (left)
    parts.push(
      el('p', { class: 'facts' }, `… and ${counted(left, 'field')} more, which are not shown`),
    );
  return el(
    'figure',
    { class: 'example' },
    el('figcaption', {}, 'Bytes, and the fields that they are'),
    ...parts,
  );
}

/** Cuts lines where decompressed payloads begin and end. */
function cut(lines) {
  const parts = [];
  for (const line of lines) {
    if (!parts.length || parts.at(-1).payload !== line.payload) {
      parts.push({ payload: line.payload, title: line.payload ? 'decompressed' : '', lines: [] });
    }
    parts.at(-1).lines.push(line);
  }
  return parts;
}

function hexOf(lines) {
  const made = el('pre', { class: 'hex', 'aria-label': 'Bytes' });
  let room = 0;
  const next = (offset) => {
    if (made.childNodes.length) made.append('\n');
    made.append(el('span', { class: 'offset' }, offset.toString(16).padStart(4, '0')), ' ');
    room = ROW;
  };
  for (const { raw, start, number, fault } of lines) {
    const shown = raw.subarray(0, LONGEST);
    for (let at = 0; at < shown.length;) {
      if (!room) next(start + at);
      else if (!made.lastChild.textContent.endsWith(' ')) made.append(' ');
      const piece = shown.subarray(at, at + room);
      made.append(pieceOf(hex(piece, ' '), number, fault));
      at += piece.length;
      room -= piece.length;
    }
    if (raw.length > LONGEST) {
      made.append(' ', pieceOf(`… ${raw.length - LONGEST} more`, number, fault));
      room = 0;
    }
  }
  return made;
}

function pieceOf(text, number, fault) {
  return el('span', { 'data-f': number, tabindex: '-1', class: fault ? 'fault' : null }, text);
}

function tableOf(lines, hasEntries) {
  const rows = lines.map((line) =>
    el(
      'tr',
      { 'data-f': line.number, tabindex: '-1', class: line.fault ? 'fault' : line.doubted ? 'doubted' : null },
      el('td', {}, String(line.start)),
      el(
        'td',
        {},
        code((hasEntries && line.entry !== null ? `[${line.entry}] ` : '') + (line.path || '–')),
      ),
      el('td', {}, line.value + (line.doubted ? DOUBTED : ''), line.fault ? el('strong', {}, ` ← ${line.fault.rule}`) : null),
    ),
  );
  const heads = ['byte', 'field', 'says'].map((text) => el('th', { scope: 'col' }, text));
  return el('table', {}, el('thead', {}, el('tr', {}, heads)), el('tbody', {}, rows));
}

/** Returns what the specification says of a line's field. */
function about(line) {
  const { field, raw, start, path } = line;
  const size = `${counted(raw.length, 'byte')} at ${start}`;
  if (!field) return [code(path || 'no field'), ` ${size}. `, line.value];
  const link = linkTo('structure', field.address.split('.')[0], field.address);
  return [link, ` ${typeText(field.type)}, ${size}. `, field.doc ?? ''];
}

function typeText(type) {
  if (type.kind === 'integer') return `${type.signed ? 'int' : 'uint'}${8 * type.size}`;
  return type.kind === 'varint'
    ? type.name
    : ({ form: 'bytes after a length', counted: 'array' }[type.kind] ?? type.kind);
}

module.exports = { about, el, explanation, recordTable, verdict };
