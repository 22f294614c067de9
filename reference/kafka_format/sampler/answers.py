"""The answers that decoders must give, in columns. Encoded, they are the canonical bytes.

Every content is a slice of a buffer, so that rows are put in another order by moving numbers only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kafka_format.codec.compiler import structure
from kafka_format.columnar.arrays import Flags, Ints, RowGroups
from kafka_format.columnar.plans import plan
from kafka_format.sampler.contents import Contents, of_one_source
from kafka_format.sampler.encoder import Columns, Encoded, Items, encode


class Answers(NamedTuple):
    """The answers of some batches, one row a record.

    Attributes:
        groups: whose the records are.
        numbers: the fields of the layout `answer_record` that are numbers, by name.
        key: of each record.
        value: of each record.
        headers: whose the headers are.
        header_key: of each header.
        header_value: of each header.
    """

    groups: RowGroups
    numbers: Mapping[str, Ints]
    key: Contents
    value: Contents
    headers: RowGroups
    header_key: Contents
    header_value: Contents

    def encoded(self, layout: str = "answer") -> Encoded:
        """Return the answers as bytes: in canonical form, or in a layout with the same fields."""
        headers = Items(self.headers, {"key": self.header_key, "value": self.header_value})
        records: Columns = {**self.numbers, "key": self.key, "value": self.value, "headers": headers}
        return encode(plan(layout), self.groups.counts.size, {"records": Items(self.groups, records)})

    def rows(self, batch: int) -> list[Any]:
        """Return the answer of one batch: a tuple of the layout `answer_record` for each record.

        For a few batches this is a hundred times as fast as `encoded`; for thousands that one is
        faster.
        """
        row, item = structure("answer_record").type, structure("answer_header").type
        keys, values = self.header_key.content, self.header_value.content
        rows = []
        for place in _range(self.groups, batch):
            headers = [item(keys(header), values(header)) for header in _range(self.headers, place)]
            numbers = {name: int(column[place]) for name, column in self.numbers.items()}
            contents = {"key": self.key.content(place), "value": self.value.content(place)}
            rows.append(row(**numbers, **contents, header_count=len(headers), headers=headers))
        return rows

    def take(self, order: Ints) -> Answers:
        """Return the answers of the batches at these places, in that order."""
        return self._with_rows(*_in_order(self.groups, order))

    def of_records(self, shown: Flags) -> Answers:
        """Return the answers with these records only."""
        return self._with_rows(RowGroups(self.groups.sums(shown.astype(np.int64))), np.flatnonzero(shown))

    def without_headers(self) -> Answers:
        """Return the answers without any header."""
        none = np.zeros(0, np.int64)
        return self._replace(
            headers=RowGroups(np.zeros_like(self.headers.counts)),
            header_key=self.header_key.take(none),
            header_value=self.header_value.take(none),
        )

    def _with_rows(self, groups: RowGroups, rows: Ints) -> Answers:
        headers, header_rows = _in_order(self.headers, rows)
        return Answers(
            groups=groups,
            numbers={name: column[rows] for name, column in self.numbers.items()},
            key=self.key.take(rows),
            value=self.value.take(rows),
            headers=headers,
            header_key=self.header_key.take(header_rows),
            header_value=self.header_value.take(header_rows),
        )


def end_to_end(parts: Sequence[Answers]) -> Answers:
    """Put answers one after the other; there is at least one."""
    if len(parts) == 1:
        return parts[0]
    return Answers(
        groups=RowGroups(np.concatenate([part.groups.counts for part in parts])),
        numbers={name: np.concatenate([part.numbers[name] for part in parts]) for name in parts[0].numbers},
        key=of_one_source([part.key for part in parts]),
        value=of_one_source([part.value for part in parts]),
        headers=RowGroups(np.concatenate([part.headers.counts for part in parts])),
        header_key=of_one_source([part.header_key for part in parts]),
        header_value=of_one_source([part.header_value for part in parts]),
    )


def _range(groups: RowGroups, owner: int) -> range:
    """The rows of one owner."""
    return range(int(groups.firsts[owner]), int(groups.ends[owner]))


def _in_order(groups: RowGroups, order: Ints) -> tuple[RowGroups, Ints]:
    """Return the groups in that order, and the rows that they own."""
    mine = RowGroups(groups.counts[order])
    return mine, mine.each(groups.firsts[order]) + mine.places
