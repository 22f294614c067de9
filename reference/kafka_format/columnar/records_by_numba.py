"""The records of batches, one after the other: by the loop that numba compiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from kafka_format.columnar import numba_loader
from kafka_format.columnar.arrays import Flags, Ints, RowGroups, allocate
from kafka_format.columnar.batch_headers import SoundBatches
from kafka_format.columnar.buffer import Buffer
from kafka_format.columnar.fields import contents_of, is_text, kind_of, smallest_length, width_of
from kafka_format.columnar.plans import ContentStep, Plan, VarintStep
from kafka_format.columnar.record_table import RecordForm, RecordTable
from kafka_format.columnar.slices import Slices, concatenate
from kafka_format.columnar.utf8 import doubtful_texts, not_utf8
from kafka_format.spec.layout.model import Field

_ROOM: Final = 1 << 10
"""Headers that there is room for at least. More come where they are not enough."""

Headers = dict[str, Slices]


def read(buffer: Buffer, batches: SoundBatches, table: RecordTable) -> tuple[Headers, Flags]:
    """Fill the table of records; return the contents of headers, and which batches are sound."""
    sound: Flags = np.ones(batches.starts.size, np.bool_)
    given = (batches.starts, batches.ends, table.groups.counts, table.groups.firsts, table.bases)
    filled = (table.numbers, table.starts, table.lengths, table.header_counts, table.batch)
    layout, plan = _layout(table.form), table.form.headers.plan
    parts: list[Headers] = []
    batch, room = 0, max(table.groups.total, _ROOM)
    while not parts or batch < sound.size:
        block, columns = _room_for_headers(plan, room)
        reached, count = numba_loader.loops().read_records(
            buffer.octets, given, (batch, room), layout, filled, block, sound
        )
        parts.append({name: Slices(starts[:count], lengths[:count]) for name, (starts, lengths) in columns.items()})
        if reached == batch:  # it has more headers than that
            room *= 2
        batch = reached
    headers = concatenate(parts)
    wrong = _wrong_texts(buffer, plan, headers)
    if wrong:
        rows = RowGroups(table.header_counts.astype(np.int64)).owners_of(np.concatenate(wrong))
        sound[table.batch[rows]] = False
    return headers, sound


def _layout(form: RecordForm) -> tuple[Any, ...]:
    """Return what the loop must know of the layout: sizes of a record, and rules of its fields."""
    sizes = (kind_of(form.length).bits, width_of(form.row), kind_of(form.header_count).bits, form.headers.smallest)
    of_headers = [step.field for step in form.headers.plan.steps if isinstance(step, VarintStep)]
    return sizes, _rules(form.numbers), _rules(form.contents), _rules(of_headers)


def _rules(fields: Iterable[Field]) -> tuple[tuple[int, int], ...]:
    """Return of each the bits of its varint, and the least length of its content."""
    return tuple((kind_of(field).bits, smallest_length(field)) for field in fields)


def _room_for_headers(plan: Plan, count: int) -> tuple[tuple[Any, Any], Headers]:
    """Return columns for so many headers, all in one block, and each by its name."""
    names = contents_of(plan)
    block = allocate(count, {"starts": f"{len(names)}i8", "lengths": f"{len(names)}i4"})
    starts, lengths = block["starts"], block["lengths"]
    return (starts, lengths), dict(zip(names, map(Slices, starts, lengths), strict=True))


def _wrong_texts(buffer: Buffer, plan: Plan, headers: Headers) -> list[Ints]:
    """Return the headers with a text that is not UTF-8."""
    texts = (headers[step.name] for step in plan.steps if isinstance(step, ContentStep) and is_text(step.form))
    doubtful = (text for text in texts if not numba_loader.loops().are_ascii(buffer.octets, *text))
    return [not_utf8(buffer, text, doubtful_texts(buffer, text), buffer.octets.size) for text in doubtful]
