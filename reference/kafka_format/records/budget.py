"""What one call of a decoder may take: bytes of decompressed payloads, and records.

Without a limit, 100 bytes can ask for gigabytes. With the two, what `decode` takes at its highest is at most

    input + 3 x limit + 700 x min(max_records, (input + limit) / 7)   bytes,

because a payload is at times there twice (its pieces, and the whole) and once more in the values of its records, a
record with its two views and its numbers is some 700 bytes of Python objects, and no record has fewer than 7 bytes.
What a record has headers for costs another 200 bytes a header, of which none has fewer than 2 bytes.
"""

from __future__ import annotations

from typing import Final

from kafka_format.errors import FormatError, Stage

DEFAULT_RECORDS: Final = 1 << 20
"""Records that a call may return, unless the caller says otherwise: far above what any producer puts into a batch."""


class Budget:
    """What is left of both limits."""

    __slots__ = ("limit", "records")

    def __init__(self, limit: int, records: int) -> None:
        """Start with whole limits."""
        self.limit = limit
        self.records = records

    def take(self, count: int, offset: int, path: str) -> None:
        """Take records off; `offset` and `path` say where their number is known from.

        Raises:
            FormatError: they are more than are left.
        """
        if count > self.records:
            raise FormatError(
                f"more than the {self.records} records that are left of `max_records`",
                rule="compression.limit",
                stage=Stage.RESOURCE,
                offset=offset,
                path=path,
                hint="Raise `max_records`, or take the records entry by entry with `iterate`.",
            )
        self.records -= count
