"""Segments of any size, explained part by part, so that memory does not grow with them."""

from __future__ import annotations

from collections.abc import Iterator
from mmap import mmap
from typing import Any, Final

from kafka_format.explain.lines import Explanation, Line
from kafka_format.explain.salvage import moved, salvage
from kafka_format.primitives.counts import byte_count
from kafka_format.records.entries import parts

_PART: Final = 1 << 20
"""Bytes of entries that are explained at once; an entry may be larger."""

_LARGEST_REST: Final = 64 << 20
"""Bytes behind the last whole entry that are explained as one that is cut; more are named only."""

_NOT_READ: Final = "not read"


def salvage_parts(data: bytes | mmap, *, topic: str = "", **how: Any) -> Iterator[Explanation]:
    """Yield what `salvage` returns of a run of entries, in parts of whole entries.

    Args:
        data: bytes, or a file that is mapped into memory.
        topic: as in `lines.explain`.
        how: the other arguments of `lines.explain`.
    """
    position = count = 0
    for end, number in parts(data, _PART):
        part = salvage(bytes(data[position : min(end, position + _LARGEST_REST)]), topic=topic, **how)
        yield moved(part, position, count)
        if any(line.value == _NOT_READ and line.fault is None for line in part.lines[-2:]) and end < len(data):
            size = len(data) - end
            text = f"{_NOT_READ}, as {byte_count(size)} behind what is wrong"
            yield Explanation([Line(None, "", end, bytes(data[end : end + _PART]), text)], None)
            return
        position, count = end, count + number
