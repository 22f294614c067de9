"""The control records of a batch: that each says what its type says, and where it does not."""

from __future__ import annotations

from typing import Final

from kafka_format.codec.interpreter import Reader
from kafka_format.errors import FormatError
from kafka_format.records import control
from kafka_format.records.entries import Entry
from kafka_format.records.model import Record
from kafka_format.spec.layout import find

UNREAD: Final = "control-records-unread"
"""The flag under which clients read them: of all that they say, they look at one key."""


def check(records: list[Record], data: bytes, entry: Entry, flags: frozenset[str], limit: int) -> None:
    """Read the control records that are those of the batch at `entry`.

    Raises:
        FormatError: one breaks a rule.
    """
    for index, record in enumerate(records):
        try:
            if UNREAD not in flags:
                control.read(record.key, record.value, flags=flags)
            elif index == 0 and record.producer_id >= 0:
                control.check_key(record.key)
        except FormatError as error:
            raise _placed(error, index, Reader(data, flags=flags, limit=limit), entry) from None


def _placed(error: FormatError, index: int, reader: Reader, entry: Entry) -> FormatError:
    """Count the offset of an error from where its key or value stands."""
    reader.read(find("record_batch"), entry.start, entry.end)
    spans = {span.path: span for span in reader.spans}
    content = f"records[{index}].{error.path.split('.')[0]}"
    span = spans.get(content)
    error.offset += span.start if span else spans[content + ".length"].end
    error.payload = spans[content + ".length"].payload
    error.path = f"records[{index}].{error.path}"
    return error
