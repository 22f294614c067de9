"""Leaves out of the comparison what a target does not declare, for a whole block of answers at once.

Fields of fixed width are blanked where they stand: the same bytes in what is expected and in what came. Finding them
means walking over every record, and numpy walks over all batches of a block side by side, record by record. Key, value
and headers have no fixed width; a target that does not declare one of them is compared batch by batch instead, which
is slow and right.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kafka_conformance.protocol.hello import FIELDS

Integers = NDArray[np.int64]
Octets = NDArray[np.uint8]

# Where the fields of spec/adapter/answer_record.yaml stand: some count from the start of the record, others
# from the end of its headers.
_BEFORE_KEY = {"offset": range(8), "timestamp": range(8, 16), "timestamp_type": range(16, 17)}
_KEY = 17
_AFTER_HEADERS = {
    "producer_id": range(8),
    "producer_epoch": range(8, 10),
    "sequence": range(10, 14),
    "codec": range(15, 16),
}
_FLAGS, _TAIL = 14, 16
_BITS = {"transactional": 1, "control": 2}
_ALL_BITS = 3
_LENGTH = 4


class Places(NamedTuple):
    """Where the records of a block stand.

    Attributes:
        batch: number of the batch that each belongs to.
        start: first byte of each.
        tail: first byte after the headers of each.
    """

    batch: Integers
    start: Integers
    tail: Integers


class Mask:
    """What is not compared for a target that declares these fields.

    Attributes:
        nothing: True if everything is compared.
        in_place: True if what is not compared can be blanked.
    """

    def __init__(self, fields: Iterable[str]) -> None:
        """Find the bytes to blank."""
        declared = set(fields)
        self.nothing = declared >= set(FIELDS)
        self.in_place = declared >= {"key", "value", "headers"}
        self._heads = _undeclared(_BEFORE_KEY, declared)
        self._tails = _undeclared(_AFTER_HEADERS, declared)
        self._bits = sum(bit for name, bit in _BITS.items() if name in declared)

    def blank(self, data: Octets, places: Places) -> Octets:
        """A copy of the data with every undeclared field 0."""
        blanked = data.copy()
        for anchor, steps in ((places.start, self._heads), (places.tail, self._tails)):
            for step in steps:
                blanked[anchor + step] = 0
        if self._bits != _ALL_BITS:
            blanked[places.tail + _FLAGS] &= self._bits
        return blanked


def octets(data: bytes) -> Octets:
    """The bytes as an array, not copied."""
    return np.frombuffer(data, dtype=np.uint8)


def find_records(data: bytes, starts: Sequence[int]) -> Places:
    """Find every record of the answers that start at `starts`. The answers must be sound: they are ours."""
    sizes = _int32s(data)
    at = np.asarray(starts, dtype=np.int64)
    left = sizes[at]
    at = at + _LENGTH
    lanes = np.flatnonzero(left > 0)
    found: list[Places] = []
    while lanes.size:
        start = at[lanes]
        tail = _past_headers(sizes, start + _KEY)
        found.append(Places(lanes, start, tail))
        at[lanes] = tail + _TAIL
        left[lanes] -= 1
        lanes = lanes[left[lanes] > 0]
    return Places(*(np.concatenate(column) for column in zip(*found, strict=True))) if found else _NOWHERE


def control_batches(data: bytes, places: Places) -> list[int]:
    """Numbers of the batches that hold control records."""
    flags = octets(data)[places.tail + _FLAGS]
    return [int(number) for number in np.unique(places.batch[flags & _BITS["control"] != 0])]


_NOWHERE = Places(*(np.empty(0, dtype=np.int64) for _ in Places._fields))


def _undeclared(fields: dict[str, range], declared: set[str]) -> list[int]:
    return [step for name, steps in fields.items() if name not in declared for step in steps]


def _int32s(data: bytes) -> NDArray[Any]:
    """A view of the data in which item i is the int32 that starts at byte i."""
    return np.ndarray(shape=(max(len(data) - _LENGTH + 1, 0),), dtype=">i4", buffer=data, strides=(1,))


def _past_headers(sizes: NDArray[Any], key: Integers) -> Integers:
    """Step over key, value and headers, in every lane."""
    at = _past_bytes(sizes, _past_bytes(sizes, key))
    left = sizes[at]
    at = at + _LENGTH
    lanes = np.flatnonzero(left > 0)
    while lanes.size:
        at[lanes] = _past_bytes(sizes, _past_bytes(sizes, at[lanes]))
        left[lanes] -= 1
        lanes = lanes[left[lanes] > 0]
    return at


def _past_bytes(sizes: NDArray[Any], at: Integers) -> Integers:
    """Step over an int32 length, -1 for null, and that many bytes."""
    past: Integers = at + _LENGTH + np.maximum(sizes[at], 0)
    return past
