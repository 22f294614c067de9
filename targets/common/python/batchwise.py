"""A decode function that can also read whole batches, without a `Record` each, for isolation.py."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from python_adapter import Record

FIELDS = Record._fields[:6]
"""What each record has its own of; the rest its batch tells."""

Row = tuple[Any, ...]
"""`FIELDS` of a record, as the library gives them; names of headers may be text."""

Run = tuple[Any, Iterable[Row]]
"""What a batch tells of all its records (kafka_python_family.State), and their rows."""


@dataclass(frozen=True)
class Batchwise:
    """The function.

    Attributes:
        read: bytes to runs; raises whatever the library raises.
        record: makes a record of a row and what its batch tells.
    """

    read: Callable[[bytes], Iterable[Run]]
    record: Callable[[Row, Any], Record]

    def __call__(self, data: bytes) -> Iterator[Record]:
        """Read a record run; raises whatever the library raises."""
        for state, rows in self.read(data):
            for row in rows:
                yield self.record(row, state)
