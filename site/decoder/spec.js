/**
 * The layouts, as the build wrote them from spec/: nodes that refer to each other by number, with
 * the nodes put in the place of the numbers. Layouts of the protocol are many; their script is
 * loaded when the first one is asked for.
 */
'use strict';

const ONE = ['type', 'length', 'item', 'marker', 'layout', 'enum', 'names'];
const MANY = ['fields', 'bits'];

function put(nodes) {
  for (const node of nodes) {
    for (const key of ONE) if (typeof node[key] === 'number') node[key] = nodes[node[key]];
    for (const key of MANY)
      if (Array.isArray(node[key])) node[key] = node[key].map((number) => nodes[number]);
    if (node.cases) {
      node.cases = Object.fromEntries(
        Object.entries(node.cases).map(([key, number]) => [key, nodes[number]]),
      );
    }
    if (node.kind === 'field') complete(node);
    if (node.kind === 'layout') node.fields ??= [];
  }
  return nodes;
}

/** Gives a field what was left out because most fields have it. */
function complete(field) {
  field.stage ??= 'structure';
  field.bits ??= [];
  field.when ??= [];
  field.rules = { ...data().checks, ...field.rules };
  if (field.type.size === 8) {
    for (const key of ['const', 'minimum'])
      if (field[key] !== undefined) field[key] = BigInt(field[key]);
  }
}

let nodes;
let versioned;

/** What the build wrote about all but the protocol: enumerations, flags, rules, pages. */
function data() {
  return globalThis.kafkaSpecification;
}

/** Tells whether the layouts of the protocol are there, which have a script of their own. */
function hasProtocol() {
  return globalThis.kafkaProtocol !== undefined;
}

/** Returns a layout by its name; of one that has versions, say which. */
function find(name, version = null) {
  if (version !== null) return protocol()[name].at(version);
  nodes ??= put(data().nodes);
  return nodes[data().layouts[name]];
}

/**
 * Returns the layouts of the protocol by name, each with `versions`, `flexible`, `behind` and
 * `at(version)`.
 */
function protocol() {
  if (versioned === undefined) {
    const given = globalThis.kafkaProtocol;
    const all = put(given.nodes);
    versioned = Object.fromEntries(
      Object.entries(given.layouts).map(([name, layout]) => [
        name,
        {
          name,
          behind: layout.behind,
          versions: Object.keys(layout.at).map(Number),
          flexible: new Set(layout.flexible),
          at: (version) => all[layout.at[version]],
        },
      ]),
    );
  }
  return versioned;
}

/**
 * Returns where each of the integers stands that a layout begins with, and `end`, the place after
 * them.
 */
function places(layout) {
  const found = {};
  let end = 0;
  for (const field of layout.fields) {
    if (field.type.kind !== 'integer' || field.when.length) break;
    found[field.name] = end;
    end += field.type.size;
  }
  return { ...found, end };
}

/** Returns the mask of some bits where they stand in their field. */
function mask(layout, field, bits) {
  const found = fieldOf(layout, field).bits.find((one) => one.name === bits);
  return (found.mask << found.low) >>> 0;
}

function fieldOf(layout, name) {
  return layout.fields.find((field) => field.name === name);
}

/** Returns the names of an enumeration by their numbers. */
function names(enumeration) {
  return data().enums[enumeration];
}

module.exports = { data, hasProtocol, find, protocol, places, mask, fieldOf, names };
