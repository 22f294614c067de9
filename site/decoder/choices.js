/** What people choose beside the bytes: what they are read as, and what those kinds need to know. */
'use strict';

const { KINDS } = require('./kinds.js');
const { TOPICS } = require('./schema_spans.js');
const { el } = require('./view.js');
const { names, protocol } = require('./spec.js');

const CHOICES = ['kind', 'api', 'version', 'topic', 'layout'];
const GROUPS = ['of-api', 'of-version', 'of-records', 'of-layout'];
const FIRST_LAYOUT = 'fetch_request';

/** The selects and the number of the version. */
class Choices {
  constructor(named) {
    for (const name of [...CHOICES, ...GROUPS]) this[name] = named(name);
  }

  start(onChange) {
    for (const [name, { title }] of Object.entries(KINDS))
      this.kind.append(el('option', { value: name }, title));
    for (const [number, name] of Object.entries(names('api')))
      this.api.append(el('option', { value: number }, `${name} (${number})`));
    for (const topic of TOPICS) this.topic.append(el('option', {}, topic));
    for (const name of CHOICES) this[name].addEventListener('change', onChange);
  }

  /** Takes what a link carries. */
  take(given) {
    this.kind.value = given.as in KINDS ? given.as : '';
    this.api.value = given.api === null ? '' : String(given.api);
    this.version.value = given.version ?? '';
    this.topic.value = TOPICS.includes(given.topic) ? given.topic : '';
    this.asked = given.layout;
  }

  /** Tells whether the layouts of the protocol are needed to read bytes as a kind. */
  needsProtocol(kind) {
    return Boolean(KINDS[kind].needs || this.topic.value);
  }

  /** Shows what a kind needs to know. */
  show(kind) {
    const { needs } = KINDS[kind];
    this['of-api'].hidden = needs !== 'api';
    this['of-version'].hidden = !needs;
    this['of-records'].hidden = kind !== 'records';
    this['of-layout'].hidden = needs !== 'layout';
    if (needs === 'layout') this.fillLayouts();
  }

  fillLayouts() {
    if (!this.layout.options.length)
      for (const name of Object.keys(protocol()).sort()) this.layout.append(el('option', {}, name));
    if (this.asked !== null || !this.layout.value)
      this.layout.value = this.asked in protocol() ? this.asked : FIRST_LAYOUT;
    this.asked = null;
  }

  /**
   * Returns what was chosen beside the kind; of a request only API and version together, as its
   * header says them too.
   */
  how(kind) {
    const number = (choice) => (choice.value === '' ? null : Number(choice.value));
    const [api, version] = [number(this.api), number(this.version)];
    if (kind === 'records') return { topic: this.topic.value };
    if (KINDS[kind].needs === 'layout') return { layout: this.layout.value, version };
    return kind === 'request' && (api === null || version === null) ? {} : { api, version };
  }

  /** Returns what a link carries beside the bytes. */
  carried(kind) {
    const [version, as] = [this.version.value, this.kind.value && kind];
    if (kind === 'records') return { as, topic: this.topic.value };
    if (KINDS[kind].needs === 'layout') return { as, layout: this.layout.value, version };
    return { as, api: this.api.value, version };
  }
}

Choices.prototype.asked = null;

module.exports = { Choices };
