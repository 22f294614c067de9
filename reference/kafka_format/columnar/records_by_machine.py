"""The records of batches, one after the other: by the layout machine."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kafka_format.codec.compiler.batch_program import HEADS, BatchProgram, batch_program
from kafka_format.codec.readings import READINGS
from kafka_format.columnar.arrays import Flags, Ints, allocate
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.fields import contents_of
from kafka_format.columnar.record_table import RecordTable
from kafka_format.columnar.slices import Slices, concatenate

_ROOM: Final = 1 << 10
"""Headers that there is room for at least. More come where they are not enough."""


def program() -> BatchProgram | None:
    """Return what reads records; None if the machine is not the engine, or has no program."""
    return _program() if READINGS.machine is not None else None


class Heads:
    """The numbers of batches, a column for each name; flags in the place of a name take rows."""

    def __init__(self, columns: npt.NDArray[np.int64]) -> None:
        """Take the columns, in the order of `HEADS`."""
        self._columns = columns

    def __getitem__(self, key: Any) -> Any:
        """Return a column, or the rows of all of them for which a flag is true."""
        return self._columns[HEADS.index(key)] if isinstance(key, str) else Heads(self._columns.compress(key, axis=1))


def read_heads(machine: BatchProgram, data: bytes, starts: Ints, ends: Ints) -> tuple[Heads, Flags]:
    """Read the numbers of batches, and tell which are sound but for their checksums."""
    columns = allocate(starts.size, {"heads": f"{len(HEADS)}i8", "sound": "?"})
    machine.heads(data, starts, ends, columns["heads"], columns["sound"])
    return Heads(columns["heads"]), columns["sound"]


@cache
def _program() -> BatchProgram | None:
    return batch_program()


def read(
    machine: BatchProgram, buffer: Buffer, starts: Ints, ends: Ints, table: RecordTable
) -> tuple[dict[str, Slices], Flags]:
    """Fill the table of the records of batches that have them at these places.

    Returns:
        The contents of headers, and which batches are sound.
    """
    sound: Flags = np.ones(starts.size, np.bool_)
    given = (buffer.data, starts, ends, table.groups.counts, table.groups.firsts, table.bases)
    filled = (table.numbers, table.starts, table.lengths, table.header_counts, table.batch)
    names = contents_of(table.form.headers.plan)
    parts: list[dict[str, Slices]] = []
    batch, room = 0, max(table.groups.total, _ROOM)
    while not parts or batch < sound.size:
        block: dict[str, Any] = allocate(room, {"starts": f"{len(names)}i8", "lengths": f"{len(names)}i4"})
        reached, count = machine.columns(*given, sound, *filled, block["starts"], block["lengths"], batch)
        columns = zip(names, block["starts"], block["lengths"], strict=True)
        parts.append({name: Slices(begins[:count], lengths[:count]) for name, begins, lengths in columns})
        if reached == batch:  # it has more headers than that
            room *= 2
        batch = reached
    return concatenate(parts), sound
