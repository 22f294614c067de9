/**
 * What other people wrote: pako inflates, and libzstd, compiled to WebAssembly by zstddec, reads
 * zstd. The build puts both beside these scripts, as it finds them in the registry; without them
 * gzip and zstd stay closed.
 */
'use strict';

const ERRORS = 0xffffff80; // libzstd returns errors as small negative numbers

/** The functions of libzstd that a frame needs. */
class Zstd {
  constructor(instance) {
    this.functions = instance.exports;
  }

  /**
   * Returns the `content` of one frame, which has at most `most` bytes, or libzstd's number of an
   * `error`.
   */
  decompress(frame, most) {
    const { malloc, free, memory, ZSTD_decompress: read } = this.functions;
    const [from, to] = [malloc(frame.length), malloc(most)];
    if (!from || !to) return { error: 64 }; // ZSTD_error_memory_allocation
    new Uint8Array(memory.buffer).set(frame, from);
    const size = read(to, most, from, frame.length) >>> 0;
    const content = size >= ERRORS ? null : new Uint8Array(memory.buffer).slice(to, to + size);
    free(from);
    free(to);
    return content === null ? { error: 2 ** 32 - size } : { content };
  }
}

/** Makes the libraries ready that the build has put into `globalThis.kafkaLibraries`. */
async function load() {
  const { pako, zstd } = globalThis.kafkaLibraries ?? {};
  module.exports.pako = pako;
  if (!zstd) return;
  const code = Uint8Array.from(atob(zstd), (letter) => letter.charCodeAt(0));
  const nothing = () => undefined; // memory that grows concerns nobody: each call looks at it anew
  const { instance } = await WebAssembly.instantiate(code, {
    env: { emscripten_notify_memory_growth: nothing },
  });
  module.exports.zstd = new Zstd(instance);
}

module.exports = { load, ready: null, pako: undefined, zstd: undefined };
