"""The outcomes of many inputs, each of which is accepted or refused by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kafka_format.columnar.arrays import Ints
from kafka_format.columnar.columns import Columns
from kafka_format.errors import FormatError
from kafka_format.records.model import Record


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The outcomes of many inputs.

    Attributes:
        columns: the records of all inputs that were accepted, in order.
        bounds: the records of input i are the rows `bounds[i]` to `bounds[i + 1] - 1`.
        refusals: the error of each input that was refused; it has no rows.
    """

    columns: Columns
    bounds: Ints
    refusals: Mapping[int, FormatError]

    def __len__(self) -> int:
        """Count the inputs."""
        return self.bounds.size - 1

    def records(self, index: int) -> list[Record]:
        """Return the records of one input.

        Raises:
            FormatError: it was refused.
        """
        if index in self.refusals:
            raise self.refusals[index]
        return self.columns.records(int(self.bounds[index]), int(self.bounds[index + 1]))
