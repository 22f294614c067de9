"""Keys, values and headers: slices of one fixed pool of bytes, so that a content costs one copy.

The pool holds, one after the other: noise, which nothing compresses; textures, words that repeat
after 1 (zeros) to 512, for codecs to find; text, whose slices are header keys; and the keys and
values of transaction markers. The text repeats a line of plain letters and of characters at the
borders of UTF-8's lengths: a slice of any length is valid if it starts at the right place.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from kafka_format import compression
from kafka_format.codec.prefix import prefix
from kafka_format.columnar.arrays import Ints, Octets, Words, bounds
from kafka_format.columnar.byte_moves import SPILL, join, octets
from kafka_format.primitives.integers import INT32_MAX
from kafka_format.records import control
from kafka_format.sampler.hashing import mix
from kafka_format.sampler.numbers import below, pick

NOISE: Final = 1 << 20
TEXTURE: Final = 1 << 17
PERIODS: Final = (1, 2, 3, 5, 8, 16, 64, 512)
TEXT: Final = 1 << 17
LONGEST: Final = NOISE + TEXTURE * len(PERIODS) - 1
"""The most bytes that one content can have."""

_PLAIN: Final = "trace-id.source_zone/2 Content-Type=Application"
_BORDERS: Final = "\0\x7f\x80\xe9\u07ff\u0800\u20ac\ud7ff\ue000\ufeff\uffff\U00010000\U0001f600\U0010ffff"

_MARKERS: Final = ("abort", "commit")
_COORDINATOR_EPOCHS: Final = (0, 1, 127, 128, 32767, 32768, INT32_MAX - 1, INT32_MAX)
_WORD_SIZE: Final = 8
_STARTS: Final = 16


class Contents(NamedTuple):
    """Keys, values or headers, as slices of one buffer.

    Attributes:
        source: the buffer.
        starts: where each begins in it.
        lengths: bytes of each; -1 is null.
    """

    source: Octets
    starts: Ints
    lengths: Ints

    def content(self, row: int) -> bytes | None:
        """Return the bytes of one; None for null."""
        start, length = int(self.starts[row]), int(self.lengths[row])
        return None if length < 0 else self.source[start : start + length].tobytes()

    def take(self, rows: Ints) -> Contents:
        """Return these rows, in this order."""
        return Contents(self.source, self.starts[rows], self.lengths[rows])


class Pool(NamedTuple):
    """The pool, and where things are in it.

    Attributes:
        octets: all of it, read-only.
        text_starts: by a length modulo that of the line, places where a text of such a length may
            start; all are valid.
        marker_keys: starts of the keys that transaction markers have.
        marker_values: starts of their values.
    """

    octets: Octets
    text_starts: Ints
    marker_keys: Ints
    marker_values: Ints


@cache
def pool() -> Pool:
    """Build the pool, once."""
    noise = mix(np.arange(NOISE // _WORD_SIZE, dtype=np.uint64))
    textures = [mix(np.arange(TEXTURE // _WORD_SIZE, dtype=np.uint64) % period) for period in PERIODS]
    line = (_PLAIN + _BORDERS).encode()
    text = (line * (TEXT // len(line) + 1))[:TEXT]
    keys = [control.write(name, {"coordinator_epoch": 0})[0] for name in _MARKERS]
    values = [control.write("commit", {"coordinator_epoch": epoch})[1] for epoch in _COORDINATOR_EPOCHS]
    words = b"".join(part.astype("<u8").tobytes() for part in (noise, *textures))
    starts = list(accumulate((len(part) for part in (text, *keys, *values)), initial=len(words)))
    return Pool(
        octets=octets(b"".join((words, text, *keys, *values, bytes(SPILL)))),
        text_starts=len(words) + _text_starts(line),
        marker_keys=np.array(starts[1 : 1 + len(keys)], np.int64),
        marker_values=np.array(starts[1 + len(keys) : -1], np.int64),
    )


def _text_starts(line: bytes) -> Ints:
    """Return where in a line texts of each length may start, so that characters stay whole."""
    characters = [place for place, octet in enumerate(line) if octet & 0xC0 != 0x80]
    places = []
    for length in range(len(line)):
        starts = [start for start in characters if (start + length) % len(line) in characters]
        places.append([starts[index * len(starts) // _STARTS] for index in range(_STARTS)])
    return np.array(places, np.int64)


def noise_and_texture(words: Words, lengths: Ints) -> Contents:
    """Pick slices of noise and textures."""
    source = pool().octets
    return Contents(source, below(words, LONGEST + 1 - np.maximum(lengths, 0)), lengths)


def text(words: Words, lengths: Ints) -> Contents:
    """Pick slices of UTF-8 text."""
    contents = pool()
    places = lengths % len(contents.text_starts) * _STARTS + (words >> 60).view(np.int64)
    return Contents(contents.octets, contents.text_starts.take(places), lengths)


def of_one_source(columns: Sequence[Contents]) -> Contents:
    """Concatenate columns. Slices of several buffers become slices of one new buffer."""
    columns = [column for column in columns if column.starts.size] or columns[:1]
    if any(column.source is not columns[0].source for column in columns):
        copies = [join(*column) for column in columns]
        ends = np.cumsum([places[-1] for _, places in copies])
        source = np.concatenate([data for data, _ in copies])
        starts = [places[:-1] + end - places[-1] for end, (_, places) in zip(ends, copies, strict=True)]
    else:
        source, starts = columns[0].source, [column.starts for column in columns]
    return Contents(source, np.concatenate(starts), np.concatenate([column.lengths for column in columns]))


def compress(payloads: Sequence[bytes], codecs: Ints, *, magic: int) -> Contents:
    """Compress each payload with its codec, a number of `compression.NAMES`; 0 leaves it as it is.

    These are the only bytes of the sampler that depend on the version of a library.
    """
    names = [compression.NAMES[codec] for codec in codecs.tolist()]
    data = [compression.compress(*pair, magic=magic) for pair in zip(names, payloads, strict=True)]
    places = bounds(np.array([len(payload) for payload in data], np.int64))
    return Contents(octets(b"".join(data)), places[:-1], np.diff(places))


def marker_keys(words: Words) -> Contents:
    """Pick keys of transaction markers."""
    contents = pool()
    return Contents(
        contents.octets, pick(words, contents.marker_keys), np.full(words.size, prefix("control_record_key").size)
    )


def marker_values(words: Words) -> Contents:
    """Pick values of transaction markers."""
    contents, size = pool(), prefix("end_txn_marker").size
    return Contents(contents.octets, pick(words, contents.marker_values), np.full(words.size, size))
