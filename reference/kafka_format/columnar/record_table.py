"""The records of batches: the form that their layout has, and the table that they fill."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from kafka_format.columnar.arrays import RowGroups, allocate
from kafka_format.columnar.fields import is_text
from kafka_format.columnar.plans import ArrayStep, RowStep, Step, VarintStep, plan
from kafka_format.columnar.slices import Slices
from kafka_format.errors import LayoutError
from kafka_format.spec.layout.model import BytesAfter, Field, Form, Varint

_BASES: Final = {"timestamp_delta": "base_timestamp", "offset_delta": "base_offset"}
"""The field of a batch that the number of a record is added to."""


class RecordForm(NamedTuple):
    """The parts of a record: numbers, contents, headers.

    Attributes:
        steps: what stands between the length and the headers: first the row, last the count.
        length: comes first, and counts the bytes after it.
        row: fields of fixed size, which nothing is kept of.
        numbers: come next.
        contents: come after the numbers; none is a text.
        header_count: the number that counts the headers.
        headers: come last.
    """

    steps: Sequence[Step]
    length: Field
    row: RowStep
    numbers: Sequence[Field]
    contents: Sequence[Field]
    header_count: Field
    headers: ArrayStep


@cache
def record_form() -> RecordForm:
    """Take the layout of a record apart.

    Raises:
        LayoutError: it has another form.
    """
    layout = plan("record")
    match layout.steps:
        case (
            VarintStep(field=Field(computed=BytesAfter()) as length),
            RowStep() as row,
            *rest,
            ArrayStep() as headers,
        ):
            *fields, count = (step.field for step in rest if isinstance(step, VarintStep))
            numbers = tuple(field for field in fields if isinstance(field.type, Varint))
            contents = tuple(field for field in fields if isinstance(field.type, Form) and not is_text(field.type))
            if (*numbers, *contents) == tuple(fields) and not any(isinstance(step, RowStep) for step in rest):
                return RecordForm((row, *rest), length, row, numbers, contents, count, headers)
    advice = "teach kafka_format.columnar.record_table"
    raise LayoutError(f"`{layout.name}` has another form", file="spec/layouts", line=0, advice=advice)


class RecordTable:
    """The columns of the records of batches.

    Attributes:
        form: of a record.
        groups: how many records each batch has.
        bases: of each number of a record, what each batch adds to it.
        numbers: of each number of a record, a column of sums.
        starts: of each content of a record, a column of where it begins.
        lengths: and how long it is.
        header_counts: how many headers each record has.
        batch: the batch of each record.
    """

    def __init__(self, form: RecordForm, heads: Any) -> None:
        """Make room for the records of batches with these headers."""
        self.form = form
        self.groups = RowGroups(heads["record_count"].astype(np.int64, copy=False))
        self.bases = np.array([heads[_BASES[field.name]] for field in form.numbers], np.int64)
        numbers, contents = len(form.numbers), len(form.contents)
        kinds = {
            "numbers": f"{numbers}i8",
            "starts": f"{contents}i8",
            "lengths": f"{contents}i4",
            "header_counts": "i4",
            "batch": "i4",
        }
        columns = allocate(self.groups.total, kinds)
        self.numbers, self.starts, self.lengths, self.header_counts, self.batch = (columns[name] for name in kinds)

    def number(self, name: str) -> Any:
        """Return the column of a number of a record."""
        return self.numbers[[field.name for field in self.form.numbers].index(name)]

    def content(self, name: str) -> Slices:
        """Return the column of a content of a record."""
        index = [field.name for field in self.form.contents].index(name)
        return Slices(self.starts[index], self.lengths[index])
