"""What decoders must answer for batches, in columns: from here come the canonical bytes, and whatever else compares.

Every content is a piece of a buffer, so that rows are put in another order by moving numbers only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kafka_format.codec.compiler import structure
from kafka_format.columnar.arrays import Flags, Groups, Ints
from kafka_format.columnar.plans import plan
from kafka_format.sampler.packing import Columns, Items, Packed, pack
from kafka_format.sampler.pool import Contents, of_one_source


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

    groups: Groups
    numbers: Mapping[str, Ints]
    key: Contents
    value: Contents
    headers: Groups
    header_key: Contents
    header_value: Contents

    def packed(self, layout: str = "answer") -> Packed:
        """Write them in their canonical bytes, or in another layout that has the fields of `answer`."""
        headers = Items(self.headers, {"key": self.header_key, "value": self.header_value})
        records: Columns = {**self.numbers, "key": self.key, "value": self.value, "headers": headers}
        return pack(plan(layout), self.groups.counts.size, {"records": Items(self.groups, records)})

    def rows(self, batch: int) -> list[Any]:
        """Return the answer of one batch: a tuple of the layout `answer_record` for each record.

        To write some thousand answers takes less time each; to write a few takes a hundred times as long as this.
        """
        row, item = structure("answer_record").type, structure("answer_header").type
        keys, values = self.header_key.piece, self.header_value.piece
        found = []
        for place in _range(self.groups, batch):
            headers = [item(keys(header), values(header)) for header in _range(self.headers, place)]
            numbers = {name: int(column[place]) for name, column in self.numbers.items()}
            contents = {"key": self.key.piece(place), "value": self.value.piece(place)}
            found.append(row(**numbers, **contents, header_count=len(headers), headers=headers))
        return found

    def taken(self, order: Ints) -> Answers:
        """Return the answers of the batches at these places, in that order."""
        return self._of(*_taken(self.groups, order))

    def of_records(self, shown: Flags) -> Answers:
        """Return the answers with these records only."""
        return self._of(Groups(self.groups.sums(shown.astype(np.int64))), np.flatnonzero(shown))

    def without_headers(self) -> Answers:
        """Return the answers without any header."""
        none = np.zeros(0, np.int64)
        return self._replace(
            headers=Groups(np.zeros_like(self.headers.counts)),
            header_key=_pieces(self.header_key, none),
            header_value=_pieces(self.header_value, none),
        )

    def _of(self, groups: Groups, rows: Ints) -> Answers:
        headers, header_rows = _taken(self.headers, rows)
        return Answers(
            groups=groups,
            numbers={name: column[rows] for name, column in self.numbers.items()},
            key=_pieces(self.key, rows),
            value=_pieces(self.value, rows),
            headers=headers,
            header_key=_pieces(self.header_key, header_rows),
            header_value=_pieces(self.header_value, header_rows),
        )


def end_to_end(found: Sequence[Answers]) -> Answers:
    """Put answers one after the other; there is at least one."""
    if len(found) == 1:
        return found[0]
    return Answers(
        groups=Groups(np.concatenate([one.groups.counts for one in found])),
        numbers={name: np.concatenate([one.numbers[name] for one in found]) for name in found[0].numbers},
        key=of_one_source([one.key for one in found]),
        value=of_one_source([one.value for one in found]),
        headers=Groups(np.concatenate([one.headers.counts for one in found])),
        header_key=of_one_source([one.header_key for one in found]),
        header_value=of_one_source([one.header_value for one in found]),
    )


def _range(groups: Groups, owner: int) -> range:
    """The rows of one owner."""
    return range(int(groups.firsts[owner]), int(groups.ends[owner]))


def _taken(groups: Groups, order: Ints) -> tuple[Groups, Ints]:
    """Return the groups in that order, and the rows that they own."""
    mine = Groups(groups.counts[order])
    return mine, mine.each(groups.firsts[order]) + mine.places


def _pieces(contents: Contents, rows: Ints) -> Contents:
    return Contents(contents.source, contents.starts[rows], contents.lengths[rows])
