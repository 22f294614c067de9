const { isDeepStrictEqual } = require('node:util');
const { serve, NotSupported } = require('./adapter.js');

const a = Buffer.from('a');
const full = {
  offset: -(2n ** 63n), timestamp: 2n ** 63n - 1n, timestampType: 1, key: Buffer.from('\0k'), value: Buffer.alloc(0),
  headers: [[a, Buffer.from([255])], [a, null]], producerId: 9007199254740993n, producerEpoch: -3,
  sequence: 2147483647, transactional: true, control: true, codec: 4,
};
const answers = {
  empty: () => [],
  all: () => [{ ...full, timestamp: '9223372036854775807', value: '', headers: [['a', Buffer.from([255])], ['a', null]] }],
  refuses: () => { throw new TypeError('not so'); },
  cannot: () => { throw new NotSupported('no such thing'); },
  half: function* () { yield full; throw new Error('not to the end'); },
  print: () => { process.stdout.write('noi'); console.log('se'); return []; },
  // What JavaScript alone can do:
  least: () => [{ offset: 0 }, { offset: '1', key: undefined }],
  beyond: () => [{ offset: 2n ** 63n, timestamp: NaN }, { offset: -(2n ** 64n), timestamp: 1.5 }],
  odd: () => [{ offset: 0, key: Object, value: { toString: () => 'x' } }],
  later: () => new Promise((done) => setTimeout(() => done([{ offset: 5 }]), 20)),
  rejects: () => Promise.reject(new Error('not later either')),
};

serve({ name: 'toy' }, (data) => answers[data.toString()](), (magic, codec, records) => {
  if (codec > 3) throw new NotSupported('no such codec');
  return Buffer.from([magic, codec, records.filter((record) => isDeepStrictEqual(record, full)).length]);
}, (kind, api, version, data) => {
  const word = data.toString();
  return word === 'refuses' || word === 'cannot' ? answers[word]() : `${kind} ${api} ${version} ${word}`;
});
setInterval(() => {}, 1000); // as a library leaves one running
