"""Encoding of answers in canonical form, the layout `answer`, as quickly as records are made."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from itertools import repeat
from struct import Struct
from typing import Any

MACHINE = "KAFKA_CONFORMANCE_MACHINE"
"""The environment variable that names the file of the layout machine, if the suite has it."""

Row = tuple[Any, ...]
"""Of a record: offset, timestamp, timestamp type, key, value, headers."""

State = Sequence[Any]
"""What records have in common: producer id, producer epoch, base sequence, base offset,
transactional, control, codec.

Sequences count up with the offsets from the base of both, unless the base offset is None.
"""

Run = tuple[State, Sequence[Row]]
"""The records of a batch, or some of them."""

_ROW = {"offset": 0, "timestamp": 0, "timestamp_type": 0, "key": None, "value": None, "headers": ()}
_STATE = {
    "producer_id": 0,
    "producer_epoch": 0,
    "sequence": 0,
    "base_offset": None,
    "transactional": False,
    "control": False,
    "codec": 0,
}
"""Fields, and what stands for those that are not declared."""

_HEAD = Struct(">qqbi").pack
_LENGTH = Struct(">i").pack
_TAIL = Struct(">qhibb").pack


class _Lengths(dict[int, bytes]):
    """Lengths as bytes. To look one up takes a third of the time that it takes to write it."""

    def __missing__(self, length: int) -> bytes:
        return _LENGTH(length)


_LENGTHS = _Lengths((length, _LENGTH(length)) for length in range(-1, 4096))
_NULL, _NO_HEADERS = _LENGTHS[-1], _LENGTHS[0]

_SEQUENCES = 2**31 - 1
"""Sequences go on at 0 after it (DefaultRecordBatch.incrementSequence of Apache Kafka)."""


def runs(columns: Mapping[str, Sequence[Any]], count: int) -> list[Run]:
    """Make runs of so many records, of which each declared field is a column."""
    rows = zip(*(columns.get(field, repeat(zero, count)) for field, zero in _ROW.items()), strict=True)
    if _STATE.keys().isdisjoint(columns):
        return [(tuple(_STATE.values()), list(rows))]
    states = zip(*(columns.get(field, repeat(zero, count)) for field, zero in _STATE.items()), strict=True)
    return [(state, (row,)) for state, row in zip(states, rows, strict=True)]


def writer(*, has_text: bool) -> Callable[[Sequence[Run]], bytes]:
    """Return what writes answers: the layout machine where it is there, in a fifth of the time.

    What it does not take is written by `answer`.

    Args:
        has_text: the keys of headers are text, and not bytes.
    """
    header_key: Callable[[Any], bytes] = str.encode if has_text else bytes
    write = _machine()

    def written(runs: Sequence[Run]) -> bytes:
        if write is not None:
            try:
                return write(runs, has_text)
            except TypeError:
                pass
        return answer(runs, header_key)

    return written


def _machine() -> Callable[[Sequence[Run], bool], bytes] | None:
    """Load the machine by its file, since only that is to be seen of the suite's environment."""
    name = "kafka_format_native"
    try:
        loader = ExtensionFileLoader(name, os.environ[MACHINE])
        machine = module_from_spec(ModuleSpec(name, loader, origin=loader.path))
        loader.exec_module(machine)
        write: Callable[[Sequence[Run], bool], bytes] = machine.write_answer
    except (KeyError, ImportError, AttributeError):
        return None
    return write


def answer(runs: Iterable[Run], header_key: Callable[[Any], bytes] = bytes) -> bytes:
    """Write an answer.

    It is one loop, because each call in it would take a percent of the time of a small batch.

    Args:
        runs: the records.
        header_key: makes bytes of what a library gives as the key of a header.

    Raises:
        Exception: a value does not fit, such as an integer beyond 64 bits: `struct.error`,
            `TypeError` and others.
    """
    parts = [b""]
    add, lengths, count = parts.append, _LENGTHS, 0
    for (producer_id, producer_epoch, base_sequence, base_offset, transactional, control, codec), rows in runs:
        count += len(rows)
        flags = transactional | control << 1
        tail = _TAIL(producer_id, producer_epoch, base_sequence, flags, codec)
        without_headers = _NO_HEADERS + tail
        counting = base_sequence >= 0 and base_offset is not None
        for offset, timestamp, timestamp_type, key, value, headers in rows:
            if counting:
                sequence = base_sequence + offset - base_offset & _SEQUENCES
                tail = _TAIL(producer_id, producer_epoch, sequence, flags, codec)
                without_headers = _NO_HEADERS + tail
            if key is None:
                add(_HEAD(offset, timestamp, timestamp_type, -1))
            else:
                add(_HEAD(offset, timestamp, timestamp_type, len(key)))
                add(key)
            if value is None:
                add(_NULL)
            else:
                add(lengths[len(value)])
                add(value)
            if headers:
                add(lengths[len(headers)])
                for name, content in headers:
                    header = header_key(name)
                    add(lengths[len(header)])
                    add(header)
                    if content is None:
                        add(_NULL)
                    else:
                        add(lengths[len(content)])
                        add(content)
                add(tail)
            else:
                add(without_headers)
    parts[0] = lengths[count]
    return b"".join(parts)
