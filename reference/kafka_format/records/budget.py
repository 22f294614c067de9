"""Limits of one call of a decoder: bytes of decompressed payloads, and records.

Without limits, 100 bytes can ask for gigabytes. With them, what `decode` takes at its highest is at
most

    3 x limit + 80 x (input + limit) bytes,

or, where records have no headers, input + 4 x limit + 600 x max_records if that is less. For a
payload is there twice while its pieces are joined, and the values of its records are copies; a
record is up to 600 bytes of Python objects, and none has fewer than 7 bytes; a header is up to 160,
and none has fewer than 2. A payload that breaks a rule costs no more than one that does not.
"""

from __future__ import annotations

from typing import Final

from kafka_format.errors import FormatError, Stage

DEFAULT_RECORDS: Final = 1 << 20
"""Records that a call may return, unless the caller says otherwise: far above what any producer
puts into a batch."""


class Budget:
    """The rest of both limits."""

    __slots__ = ("limit", "records")

    def __init__(self, limit: int, records: int) -> None:
        """Start with whole limits."""
        self.limit = limit
        self.records = records

    def spend_record(self, offset: int) -> None:
        """Take one record off; `offset` says where it is.

        Raises:
            FormatError: none is left.
        """
        if self.records <= 0:
            raise self.error(offset)
        self.records -= 1

    def error(self, offset: int, *path: str) -> FormatError:
        """Return the error for more records than are left."""
        return FormatError(
            f"more than the {self.records} records that are left of `max_records`",
            rule="compression.limit",
            stage=Stage.RESOURCE,
            offset=offset,
            path=path,
            hint="Raise `max_records`, or take the records entry by entry with `iterate`.",
        )
