"""The records of batches, one after the other: by the layout machine."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from kafka_format.codec.compiler.batch_program import BatchProgram, batch_program
from kafka_format.codec.readings import READINGS
from kafka_format.columnar.arrays import Flags, allocate
from kafka_format.columnar.batch_headers import SoundBatches
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.fields import contents_of
from kafka_format.columnar.record_table import RecordTable
from kafka_format.columnar.slices import Slices, concatenate

_ROOM: Final = 1 << 10
"""Headers that there is room for at least. More come where they are not enough."""


def program() -> BatchProgram | None:
    """Return what reads records; None if the machine is not the engine, or has no program."""
    return _program() if READINGS.machine is not None else None


@cache
def _program() -> BatchProgram | None:
    return batch_program()


def read(
    machine: BatchProgram, buffer: Buffer, batches: SoundBatches, table: RecordTable
) -> tuple[dict[str, Slices], Flags]:
    """Fill the table of records; return the contents of headers, and which batches are sound."""
    sound: Flags = np.ones(batches.starts.size, np.bool_)
    given = (buffer.data, batches.starts, batches.ends, table.groups.counts, table.groups.firsts, table.bases)
    filled = (table.numbers, table.starts, table.lengths, table.header_counts, table.batch)
    names = contents_of(table.form.headers.plan)
    parts: list[dict[str, Slices]] = []
    batch, room = 0, max(table.groups.total, _ROOM)
    while not parts or batch < sound.size:
        block: dict[str, Any] = allocate(room, {"starts": f"{len(names)}i8", "lengths": f"{len(names)}i4"})
        reached, count = machine.columns(*given, sound, *filled, block["starts"], block["lengths"], batch)
        columns = zip(names, block["starts"], block["lengths"], strict=True)
        parts.append({name: Slices(starts[:count], lengths[:count]) for name, starts, lengths in columns})
        if reached == batch:  # it has more headers than that
            room *= 2
        batch = reached
    return concatenate(parts), sound
