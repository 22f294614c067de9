"""The loop through the records of batches that numba compiles.

It does what numpy does in records_by_numpy.py, byte by byte.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import types

from kafka_format.columnar.numba_compiler import (
    BYTES,
    FILLED,
    FILLED_ROWS,
    FLAGS,
    GIVEN,
    GIVEN_ROWS,
    INT,
    PAIR,
    SMALL,
    SMALL_ROWS,
    compiled,
)

_MORE: Final = 0x80
_GROUP: Final = 0x7F
_LONGEST: Final = 10
_FAR: Final = 1 << 48
"""The position of what cannot be read, beyond any buffer; in varints.py too."""


@compiled()
def _signed(word: int) -> Any:
    """Return the number that a zigzag varint stands for: 0, 1, 2, 3 become 0, -1, 1, -2."""
    return np.int64(np.uint64(word) >> np.uint64(1)) ^ -(word & 1)


@compiled(inline="always")
def _long_varint(octets: Any, at: int, bits: int) -> Any:
    """Read a varint of any length."""
    word, last, size = np.int64(0), np.int64(_MORE), 0
    while last >= _MORE and size < _LONGEST and at + size < octets.size:
        last = np.int64(octets[at + size])
        word |= (last & _GROUP) << 7 * size
        size += 1
    too_long = last == 0 and size > 1
    too_great = (size == _LONGEST and last > 1) or (bits < 64 and word >> bits != 0)
    if last >= _MORE or too_long or too_great:
        return np.int64(0), np.int64(_FAR)
    return _signed(word), at + size


@compiled(inline="always")
def read_varint(octets: Any, at: int, bits: int) -> Any:
    """Read a zigzag varint: its number and the position after it; 0 and `_FAR` if invalid.

    Nearly all have one byte.
    """
    if at < octets.size and octets[at] < _MORE:
        return _signed(np.int64(octets[at])), at + 1
    return _long_varint(octets, at, bits)


@compiled(
    PAIR(
        BYTES,
        types.Tuple((GIVEN, GIVEN, GIVEN, GIVEN, GIVEN_ROWS)),
        PAIR,
        types.Tuple((types.UniTuple(INT, 4), *[types.UniTuple(PAIR, 2)] * 3)),
        types.Tuple((FILLED_ROWS, FILLED_ROWS, SMALL_ROWS, SMALL, SMALL)),
        types.Tuple((FILLED_ROWS, SMALL_ROWS)),
        FLAGS,
    )
)
def read_records(
    octets: Any, batches: Any, first: Any, layout: Any, table: Any, headers: Any, sound: Any
) -> tuple[int, int]:
    """Read the records of batches, one after the other, as long as there is room for headers.

    Args:
        octets: the buffer.
        batches: of each, where its records begin and end, how many there are, the row of the first
            one, and what is added to each number of them.
        first: the batch to begin with, and how many headers there is room for.
        layout: of a record, the bits of its length, the bytes after that which are passed over,
            the bits of the count of headers, and the fewest bytes of one; then, for the numbers of
            a record, for its contents, and for those of a header, the bits of each varint and the
            least length of a content. Always two, because loops that the compiler cannot unroll
            take twice the time.
        table: takes, of each record, the numbers, where the contents begin, how long they are, how
            many headers there are, and the batch.
        headers: takes, of each header, where the contents begin, and how long they are.
        sound: takes which batches end where their last record does, and so all their records.

    Returns:
        The first batch whose headers found no room, or how many batches there are; and how many
            headers those before it have.
    """
    starts, ends, counts, firsts, bases = batches
    (length_bits, skipped, count_bits, smallest), of_numbers, of_contents, of_headers = layout
    numbers, begins, lengths, header_counts, owners = table
    header_begins, header_lengths = headers
    batch, room = first
    header = 0
    while batch < starts.size:
        before, at, stop, whole = header, starts[batch], ends[batch], True
        for row in range(firsts[batch], firsts[batch] + counts[batch]):
            length, at = read_varint(octets, at, length_bits)
            end = at + max(length, 0)
            right = (length >= 0) & (end <= stop)
            at += skipped
            for field in range(len(of_numbers)):
                number, at = read_varint(octets, at, of_numbers[field][0])
                numbers[field, row] = bases[field, batch] + number
            for field in range(len(of_contents)):
                size, at = read_varint(octets, at, of_contents[field][0])
                begins[field, row], lengths[field, row] = at, size
                right &= size >= of_contents[field][1]
                at += max(size, 0)
            count, at = read_varint(octets, at, count_bits)
            if count < 0 or count * smallest > min(end, stop) - at:
                count, right = 0, False
            if count > room - header:
                return batch, before
            for index in range(header, header + count):
                for field in range(len(of_headers)):
                    size, at = read_varint(octets, at, of_headers[field][0])
                    header_begins[field, index], header_lengths[field, index] = at, size
                    right &= size >= of_headers[field][1]
                    at += max(size, 0)
            if not (right and at == end):
                count, whole = 0, False
            header_counts[row], owners[row] = count, batch
            header += count
            at = end
        sound[batch] = whole and at == stop
        batch += 1
    return batch, header


@compiled(types.boolean(BYTES, FILLED, SMALL))
def are_ascii(octets: Any, starts: Any, lengths: Any) -> bool:
    """Return whether contents have only ASCII."""
    for index in range(starts.size):
        at, end = starts[index], starts[index] + lengths[index]
        if end > octets.size:
            return False
        while at < end:
            if octets[at] >= _MORE:
                return False
            at += 1
    return True
