/**
 * Puts the decoder into its page: what is pasted, dropped, chosen or carried by the link is
 * explained at once.
 */
'use strict';

const libraries = require('./libraries.js');
const { InputError, MOST, fromFragment, parse, textIn, toFragment } = require('./input.js');
const { Choices } = require('./choices.js');
const { advice } = require('./other_files.js');
const { KINDS, kindOfFile } = require('./kinds.js');
const { elsewhere } = require('./elsewhere.js');
const { SURE, needsProtocol, readText, recognise, saidOf } = require('./recognition.js');
const { STAGES } = require('./fault.js');
const { about, el, explanation, recordTable, verdict } = require('./view.js');
const { hasProtocol } = require('./spec.js');
const { hex } = require('./numbers.js');

const PATIENCE = 250; // milliseconds of quiet before what is typed is explained
const SHOWN = 64 << 10; // bytes of a file that are also put into the text field

const here = typeof document === 'undefined' ? null : document.currentScript;

/** The page: its elements, the bytes, and what was found in them. */
class Page {
  constructor(root) {
    const named = (name) => root.querySelector(`[data-decoder="${name}"]`);
    Object.assign(this, { root, data: null, notes: [], found: null, current: 0, wait: null });
    for (const name of ['text', 'file', 'output', 'about', 'share', 'status'])
      this[name] = named(name);
    this.choices = new Choices(named);
  }

  start() {
    this.choices.start(() => this.explainText());
    this.listen();
    this.root.hidden = false;
    this.openLink();
  }

  listen() {
    this.text.addEventListener('input', () => this.soon());
    this.file.addEventListener('change', () => this.openFile(this.file.files[0]));
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      this.openFile(event.dataTransfer.files[0]);
    });
    window.addEventListener('hashchange', () => this.openLink());
    this.share.addEventListener('click', () => this.copyLink());
    for (const kind of ['mouseover', 'focusin'])
      this.output.addEventListener(kind, (event) => this.follow(event.target));
    this.output.addEventListener('keydown', (event) => this.move(event));
    this.output.addEventListener('click', (event) => this.jump(event));
  }

  soon() {
    clearTimeout(this.wait);
    this.wait = setTimeout(() => this.explainText(), PATIENCE);
  }

  /** Takes the bytes that the address carries. */
  openLink() {
    const given = fromFragment(location.hash);
    if (!given || given.text === (this.data && hex(this.data))) return;
    this.text.value = given.text;
    this.choices.take(given);
    this.explainText();
  }

  async openFile(file) {
    if (!file) return;
    if (file.size > MOST) {
      this.complain(
        `${file.name} has ${file.size} bytes, too many to show here; cut out up to ${MOST}, or use ` +
          '`kafka-format log dump`.',
      );
      return;
    }
    const data = new Uint8Array(await file.arrayBuffer());
    const other = advice(file.name, data);
    if (other) {
      this.complain(other);
      return;
    }
    const said = kindOfFile(file.name) ? null : textIn(data);
    if (said !== null) {
      this.text.value = said;
      await this.explainText();
      return;
    }
    this.choices.kind.value = kindOfFile(file.name) ?? '';
    this.text.value = data.length <= SHOWN ? hex(data) : '';
    await this.explain(data);
  }

  async explainText() {
    if (!this.text.value.trim()) {
      if (this.data === null || this.data.length <= SHOWN) this.clear();
      else await this.explain(this.data);
      return;
    }
    try {
      const text = this.text.value;
      const { data: asWritten, other } = parse(text);
      if (other !== null && needsProtocol(asWritten)) await protocolScript();
      if (this.text.value !== text) return;
      const { data, notes } = readText(text);
      await this.explain(data, notes);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.complain(error.message);
    }
  }

  clear() {
    this.data = null;
    this.output.replaceChildren();
    this.about.replaceChildren();
    this.status.textContent = '';
    this.share.hidden = true;
  }

  complain(text) {
    this.clear();
    this.output.append(el('p', { class: 'verdict-of broken' }, text));
    this.status.textContent = text;
  }

  /**
   * Explains bytes; only the last of several that were asked for at once is shown. `notes` say what
   * was decided of a text that can be read in two ways.
   */
  async explain(data, notes = []) {
    Object.assign(this, { data, notes });
    await libraries.ready;
    const chosen = this.choices.kind.value;
    if (chosen ? this.choices.needsProtocol(chosen) : needsProtocol(data)) await protocolScript();
    if (this.data !== data) return;
    const { candidates, why } = recognise(data);
    const kind = chosen || candidates[0]?.kind || 'records';
    if (this.choices.needsProtocol(kind)) await protocolScript();
    if (this.data !== data) return;
    if (!chosen && candidates[0]?.layout) this.choices.asked = candidates[0].layout;
    this.choices.show(kind);
    this.found = KINDS[kind].explain(data, this.choices.how(kind));
    this.readAs = this.said(kind, candidates);
    if (this.readAs.isGuess && (this.found.fault || !candidates.length)) await this.lookElsewhere(data);
    if (this.data !== data) return;
    if (chosen || candidates[0]?.kind || this.readAs.elsewhere || !data.length) this.show(kind);
    else this.tellUnknown(candidates, why);
  }

  /** Says of bytes that are nothing the page reads what they are, or why nothing is known. */
  tellUnknown(candidates, why) {
    const said = candidates.length ? saidOf(candidates) : `Not recognised: ${why}.`;
    this.output.replaceChildren(
      ...this.notes.map((note) => el('p', { class: 'facts' }, note)),
      el('p', { class: 'verdict-of broken' }, said),
    );
    this.about.replaceChildren();
    this.status.textContent = said;
    this.share.hidden = true;
  }

  /** Returns what the verdict says of the kind that bytes were read as. */
  said(kind, candidates) {
    const isRecords = kind === 'records' || kind === 'v07';
    const isFramed = isRecords && this.found.fault && this.found.fault.stage !== STAGES.FRAMING;
    const isGuess = !this.choices.kind.value && !isFramed && !(candidates[0]?.score >= SURE);
    return { kind, name: KINDS[kind].name, isRecords, isGuess, elsewhere: null, candidates };
  }

  /** Looks for what begins later, where nothing sound begins at the first byte. */
  async lookElsewhere(data) {
    if (this.found.records.length) return;
    await protocolScript();
    const place = elsewhere(data);
    if (place) this.readAs.elsewhere = { at: place.at, name: KINDS[place.kind].name };
  }

  show(kind, most) {
    const { lines, left, records } = this.found;
    const drawn = explanation(lines, left, (more) => this.show(kind, more), most);
    this.output.replaceChildren(
      ...this.notes.map((note) => el('p', { class: 'facts' }, note)),
      verdict(this.found, this.data.length, this.readAs),
      recordTable(records) ?? '',
      drawn,
    );
    this.status.textContent = this.output.children[this.notes.length].textContent;
    this.tell(
      Math.max(
        lines.findIndex((line) => line.fault),
        0,
      ),
    );
    this.fragment = toFragment(this.data, this.choices.carried(kind));
    this.share.hidden = this.fragment === null;
  }

  /** Marks the bytes and the row of a line, which one key reaches from then on. */
  mark(number) {
    for (const one of this.output.querySelectorAll('[data-f].marked')) {
      one.classList.remove('marked');
      one.tabIndex = -1;
    }
    const mine = this.output.querySelectorAll(`[data-f="${number}"]`);
    mine.forEach((one) => one.classList.add('marked'));
    for (const tag of ['SPAN', 'TR']) {
      const first = [...mine].find((one) => one.tagName === tag);
      if (first) first.tabIndex = 0;
    }
    this.current = number;
  }

  follow(target) {
    const number = target.closest?.('[data-f]')?.dataset.f;
    if (number !== undefined) this.tell(Number(number));
  }

  /** Marks a line, and says what it is. */
  tell(number) {
    const line = this.found.lines[number];
    this.mark(number);
    this.about.replaceChildren(...(line ? about(line) : []));
  }

  /**
   * Moves through rows with the arrows up and down, through bytes with left and right, and between
   * both with Enter.
   */
  move(event) {
    const place = event.target.closest?.('[data-f]');
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    const tag = place.tagName;
    const step = {
      ArrowDown: 1,
      ArrowRight: 1,
      ArrowUp: -1,
      ArrowLeft: -1,
      PageDown: 20,
      PageUp: -20,
      Home: -Infinity,
      End: Infinity,
    }[event.key];
    if (event.key === 'Enter') this.focus(this.current, tag === 'TR' ? 'SPAN' : 'TR');
    else if (step !== undefined) this.focusNear(this.current, step, tag);
    else return;
    event.preventDefault();
  }

  /** Gives the focus to the line that many steps away, or the nearest that has such an element. */
  focusNear(number, step, tag) {
    const all = [
      ...new Set(
        [...this.output.querySelectorAll(`${tag}[data-f]`)].map((one) => Number(one.dataset.f)),
      ),
    ];
    const at = all.indexOf(number) + step;
    this.focus(all[Math.min(Math.max(at, 0), all.length - 1)], tag);
  }

  focus(number, tag) {
    const place = this.output.querySelector(`${tag}[data-f="${number}"]`);
    place?.focus();
    place?.scrollIntoView({ block: 'nearest' });
  }

  jump(event) {
    const start = event.target.closest?.('[data-from]')?.dataset.from;
    if (start !== undefined) {
      event.preventDefault();
      this.readFrom(Number(start));
      return;
    }
    const link = event.target.closest?.('[data-jump]');
    if (link) {
      event.preventDefault();
      const number = this.found.lines.findIndex((line) => line.fault);
      this.focus(number, 'TR');
    }
  }

  /** Leaves out the bytes before a place that a link names. */
  readFrom(at) {
    this.choices.kind.value = '';
    const data = this.data.slice(at);
    this.text.value = data.length <= SHOWN ? hex(data) : '';
    return this.explain(data);
  }

  async copyLink() {
    history.replaceState(null, '', this.fragment);
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    this.status.textContent = isCopied
      ? 'The link is copied.'
      : 'The link is in the address line now.';
    this.share.after(el('span', { class: 'facts' }, ` ${this.status.textContent}`));
  }
}

let protocol = null;

/**
 * Loads the layouts of the protocol, which most readers do without; a page from the disk loads them
 * as a script.
 */
function protocolScript() {
  if (hasProtocol()) return Promise.resolve();
  protocol ??= new Promise((done, failed) => {
    const script = el('script', { src: new URL('protocol.js', here.src).href });
    script.addEventListener('load', done);
    script.addEventListener('error', () =>
      failed(new Error('protocol.js is not beside the other scripts')),
    );
    document.head.append(script);
  });
  return protocol;
}

/** Starts the decoder in the page that has a place for it. */
function start() {
  libraries.ready = libraries.load();
  const root = document.querySelector('[data-decoder="root"]');
  if (root) new Page(root).start();
}

module.exports = { start };
