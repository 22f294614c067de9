/** The page of the search: reads the question from the address, shows what was found. */
'use strict';

const { makeIndex, find } = require('./search.js');

function show(list, results, kinds, root) {
  list.replaceChildren(...results.map(({ url, kind, name, title }) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = root + url;
    link.textContent = name;
    const of = document.createElement('span');
    of.className = 'verdict';
    of.textContent = kinds[kind] || kind;
    item.append(link, ' ', of);
    if (title && title !== name) item.append(document.createElement('br'), title);
    return item;
  }));
}

function start() {
  const box = document.getElementById('search-text');
  const list = document.getElementById('found');
  const said = document.getElementById('search-said');
  if (!box || !globalThis.MiniSearch) return;
  const { entries, kinds } = globalThis.kafkaSearch;
  const index = makeIndex(globalThis.MiniSearch, entries);
  const root = document.documentElement.dataset.content_root || '';
  const ask = () => {
    const question = box.value.trim();
    const results = question ? find(index, question) : [];
    show(list, results, kinds, root);
    said.textContent = question ? `${results.length || 'No'} result${results.length === 1 ? '' : 's'}` : '';
  };
  box.value = new URLSearchParams(location.search).get('q') || '';
  box.addEventListener('input', ask);
  ask();
}

start();
