/**
 * Dumps with addresses: xxd, hexdump, od, tcpdump, Wireshark, gdb, Netty, PowerShell. A row is an
 * address, the bytes in some notation, and perhaps the same as text. Addresses tell how many bytes a
 * row has, so that neither they nor the text are taken for bytes.
 */
'use strict';

const { InputError, pasted } = require('./digits.js');
const { CELLS, MARKED, UNMARKED } = require('./notations.js');

const WAY = 'a dump with addresses';
const ROW = /^[ \t]*(?:0[xX])?([0-9a-fA-F]{4,16})h?(?:[ \t]*<[^<>]*>)?([:|]|(?=[ \t]|$))(.*)$/;
const NAMES = /^(?:(?:Label|Path): .*|-? ?[Oo]ffset.*|[-= ]+)$/;
const CELLS_ONLY = /^(?: {3}[!-~]| {4}| {2}\\[0abtnvfr]| [0-3][0-7]{2}){2,}$/;
const HEX_WORD = /^ [0-9a-fA-F]{2,16}(?= |$)/;
const ADDRESS = /^[0-9a-fA-F]{4,16}$/;
const LONGEST_ROW = 1000;
const MOST = 16 << 20; // bytes that a dump may unfold to
/** What `od -a` calls bytes without their highest bit. */
const SEVEN_BITS = new Set(
  (
    'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em ' +
    'sub esc fs gs rs us sp del'
  ).split(' '),
);

const HEAD = '0123456789abcdef';

/** Reads the first dump in a text; null if there is none. */
function readDump(text) {
  const { rows, others } = rowsOf(text);
  const { dump, isMore } = firstDump(rows);
  const isNone = !dump.length || others > Math.max(3, rows.length);
  if (isNone || (dump.length === 1 && !isPlainlyARow(dump[0]))) return null;
  const made = read(dump);
  if (made === null) return refuse(dump);
  const notes = [
    ...made.notes,
    others > 1 && `${others} lines that are no rows of the dump are left out.`,
    others === 1 && 'One line that is no row of the dump is left out.',
    isMore && 'More than one dump is there; the first is read.',
    dump.length === 1 &&
      !dump[0].mark &&
      'The first digits are taken for an address, not for bytes.',
  ];
  return pasted(made.data, made.way, notes, made.other);
}

/** Returns the rows, with stars, and how many other lines there are but for blanks and frames. */
function rowsOf(text) {
  const rows = [];
  let others = 0;
  for (const line of text.split(/\r\n|[\n\r]/)) {
    const plain = line.trim();
    if (!plain.replace(/^[+|-]+/, '') || isHead(plain)) continue;
    const bare = plain.startsWith('|') ? plain.slice(1) : line;
    const found = bare.length <= LONGEST_ROW ? ROW.exec(bare) : null;
    if (plain === '*' && rows.length) rows.push({ address: '', mark: '*', words: '', text: '' });
    else if (found) rows.push({ address: found[1], mark: found[2], ...columns(found[3]) });
    else others += 1;
  }
  return { rows, others };
}

/** Returns what says the bytes, and the text if it stands between bars or angles. */
function columns(rest) {
  const plain = rest.trimEnd();
  for (const [opening, closing] of ['||', '><']) {
    const start = plain.indexOf(opening);
    const isPair = start > 0 && start < plain.length - 1 && plain.endsWith(closing);
    if (isPair && ' \t'.includes(plain[start - 1]))
      return { words: plain.slice(0, start).trimEnd(), text: plain.slice(start + 1, -1) };
  }
  return { words: rest, text: '' };
}

/** Reads what `od -An -c` shows: a letter, an escape or three digits in each four columns. */
function readCells(text) {
  const rows = text.split(/\r\n|[\n\r]/).filter((line) => line.trim());
  if (!rows.length || !rows.every((line) => CELLS_ONLY.test(line))) return null;
  const octets = rows.flatMap((line) => [...CELLS.words(line)].flatMap((written) => written.octets));
  return pasted(Uint8Array.from(octets), 'letters and escapes in columns');
}

/**
 * Refuses rows that do not say all of the bytes: rows are left out without an address that tells
 * how many, or a bit of each byte is.
 */
function refuseWhatIsLost(text) {
  const rows = text.split(/\r\n|[\n\r]/).map((line) => line.trim());
  if (rows.includes('*'))
    throw new InputError(
      'A line `*` stands for rows like the one before, and no address tells how many. ' +
        'Dump it with addresses, or with `-v`.',
    );
  const words = rows.flatMap((row) => row.split(/\s+/)).filter(Boolean);
  const isOne = (word) => word.length === 1 || SEVEN_BITS.has(word) || ADDRESS.test(word);
  if (words.filter((word) => SEVEN_BITS.has(word)).length > 1 && words.every(isOne))
    throw new InputError(
      '`od -a` leaves out the highest bit of each byte, so that it does not say the bytes. `od -An -tx1` does.',
    );
  return null;
}

/** Tells whether a line numbers or names the columns, as Netty and PowerShell do. */
function isHead(plain) {
  if (NAMES.test(plain.split(/\s+/).join(' '))) return true;
  const words = plain.replace(/^\|+|\|+$/g, '').split(/\s+/).filter(Boolean);
  return (
    words.length === HEAD.length &&
    words.every((word, at) => (word.toLowerCase().replace(/^0+/, '') || '0') === HEAD[at])
  );
}

/** Tells whether a single line is a row, by a mark behind its address or by its text column. */
function isPlainlyARow({ address, mark, words, text }) {
  if (!words.trim()) return false;
  const isSpaced = /^(?: {2}|\t)/.test(words) && /^\s*[0-9a-fA-F]{2}(?:\s|$)/.test(words);
  return Boolean(mark || text) || (isSpaced && /^0+$/.test(address));
}

/** Returns the rows up to where addresses begin again, and whether they do. */
function firstDump(rows) {
  const start = rows.length ? parseInt(rows[0].address, 16) : 0;
  const again = rows.findIndex(
    ({ address }, index) => index && address && parseInt(address, 16) <= start,
  );
  return again < 0 ? { dump: rows, isMore: false } : { dump: rows.slice(0, again), isMore: true };
}

/** Says why rows with marks cannot be read; others may be no dump. */
function refuse(rows) {
  const star = rows.findIndex(({ mark }) => mark === '*');
  const behind = star < 0 ? undefined : rows[star + 1];
  if (!rows[0].mark && !behind) return null;
  const before = behind ? ` before ${behind.address}` : '';
  throw new InputError(
    `The addresses do not fit the bytes of the dump: lines are missing${before}, or digits in one. ` +
      'Dump all of it; `hexdump -C -v` leaves no lines out.',
  );
}

/**
 * Reads a dump in the first notation whose bytes fit its addresses; null if none do. Addresses of
 * six digits are those of `od -Ax`: its others have seven.
 */
function read(rows) {
  const isShort = rows.every(({ address, mark }) => [0, 6].includes(address.length) && mark !== ':' && mark !== '|');
  for (const radixes of isShort ? [[16], [8, 10]] : [[16, 8, 10]])
    for (const notation of rows[0].mark ? MARKED : UNMARKED) {
      const made = readAs(rows, notation, radixes);
      if (made !== null) return made;
    }
  return null;
}

function readAs(rows, notation, radixes) {
  const found = notation.radixes
    .filter((radix) => radixes.includes(radix))
    .map((radix) => ({ radix, data: ofRadix(rows, radix, notation) }))
    .filter(({ data }) => data !== null);
  if (!found.length) return notation.turned && readAs(rows, notation.turned, radixes);
  const [{ data, radix }] = found;
  const isEither = String(data) !== String(found.at(-1).data);
  const other = notation.turned && ofRadix(rows, radix, notation.turned);
  const notes = [
    notation.note,
    isEither && 'Its addresses can be hex or octal, and a line stands for others.',
  ];
  return pasted(Uint8Array.from(data), WAY, notes, other && Uint8Array.from(other));
}

const DIGITS_OF = { 16: /^[0-9a-f]*$/i, 10: /^[0-9]*$/, 8: /^[0-7]*$/ };

function ofRadix(rows, radix, notation) {
  if (!rows.every(({ address }) => DIGITS_OF[radix].test(address))) return null;
  const places = rows.map(({ address }) => (address ? parseInt(address, radix) : null));
  return unfold(rows, places, notation);
}

/** Returns the bytes of all rows; null if a row has others than its address says. */
function unfold(rows, places, notation) {
  const data = [];
  const first = places[0] ?? 0;
  let [rowSize, isEven] = [0, true];
  for (const [index, row] of rows.entries()) {
    const following = places[index + 1] ?? null;
    const count = following === null ? null : following - first - data.length;
    if (row.mark === '*') {
      const isWhole = rowSize && count !== null && count % rowSize === 0;
      if (!isWhole || count < 0 || count > MOST - data.length) return null;
      const last = data.slice(-rowSize);
      for (let left = count; left > 0; left -= rowSize) data.push(...last);
      continue;
    }
    if (places[index] !== first + data.length) return null;
    if (!row.words.trim()) break; // the address behind the last byte
    const found = octetsOf(row, notation, count, isEven ? rowSize : 0);
    if (found === null) return null;
    data.push(...found);
    isEven &&= rowSize === 0 || rowSize === found.length;
    rowSize = found.length;
  }
  return data;
}

/** Returns the bytes of a row: as many as the next address says, or as its text has letters. */
function octetsOf(row, notation, count, rowSize) {
  const octets = [];
  let [best, end] = [null, 0];
  for (const written of notation.words(row.words)) {
    octets.push(...written.octets);
    const text = row.text || row.words.slice(written.end);
    if (readsSwapped(octets, text, written, notation)) return null;
    const isShown = shows(text, octets);
    if (count !== null && octets.length >= count) {
      const isPadded = notation.isPadded && octets.slice(Math.max(count, 0)).every((one) => one === 0);
      const isSaid = row.text.trimEnd().length <= count;
      const isExact = isSaid && (octets.length === count || (isPadded && count >= 0));
      const isEnd = row.text || isShown || !text.trim() || isText(text, notation);
      return isExact && isEnd ? octets.slice(0, count) : null;
    }
    if (count === null && isShown) return octets;
    if (!rowSize || octets.length <= rowSize) [best, end] = [[...octets], written.end];
  }
  const rest = row.words.slice(end);
  const isEnd = row.text || /^(?: {2}|\t)/.test(rest) || !rest.trim() || !HEX_WORD.test(rest);
  return count === null && isEnd ? best : null;
}

/** Tells whether what follows the bytes of a row is a column of text, and no further bytes. */
function isText(rest, notation) {
  const ends = [...notation.words(rest)].map(({ end }) => end);
  return /^(?: {2}|\t)/.test(rest) && (!ends.length || Boolean(rest.slice(ends.at(-1)).trim()));
}

/** Tells whether the text says that words have the bytes in the order of the machine. */
function readsSwapped(octets, text, written, notation) {
  const size = written.octets.length;
  if (notation.isSwapped && size > 1 && octets.length % size === 0 && new Set(octets).size > size)
    return shows(text, turned(octets, size)) && !shows(text, octets);
  if (notation.isSwapped || size < 2 || octets.length % size || !text.trim()) return false;
  if (shows(text, octets)) return false;
  return shows(text, turned(octets, size));
}

function turned(octets, size) {
  const made = [];
  for (let at = 0; at < octets.length; at += size) made.push(...octets.slice(at, at + size).reverse());
  return made;
}

/**
 * Tells whether a text column shows bytes: letters as they are, others as a dot. Blanks around it
 * may be of the column, or of the bytes.
 */
function shows(text, octets) {
  if (!text.trim()) return false;
  const blanks = octets.findIndex((octet) => octet !== 32);
  const start = text.length - text.trimStart().length - (blanks < 0 ? octets.length : blanks);
  const shown = [...text.slice(Math.max(start, 0)).trimEnd().padEnd(octets.length)];
  const isShown = (letter, octet) =>
    octet >= 32 && octet < 127
      ? letter === String.fromCharCode(octet)
      : '. \u00b7\ufffd'.includes(letter) || letter.codePointAt(0) > 126;
  return shown.length === octets.length && shown.every((letter, at) => isShown(letter, octets[at]));
}

module.exports = { readCells, readDump, refuseWhatIsLost };
