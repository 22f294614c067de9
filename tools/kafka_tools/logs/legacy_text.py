"""What kafka-dump-log says of the checksums of v0 and v1 messages, those in wrappers too."""

from collections.abc import Iterator
from typing import Any, Final

from kafka_format import structure
from kafka_format.compression import decompress
from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch, batches
from kafka_format.records.entries import FORMATS, OVERHEAD
from kafka_format.spec.layout.release_table import numbers

_WITHOUT_BRACE_SINCE: Final = (4, 3)
"""Up to then a brace is left over from a template (DumpLogSegments in Scala)."""


def checksums(batch: Batch, release: str) -> Iterator[str]:
    """Yield what is printed of the checksum of each message, in order; of a batch of v2 nothing.

    Raises:
        FormatError: the payload of a wrapper cannot be read.
    """
    brace = "" if numbers(release) >= _WITHOUT_BRACE_SINCE else "}"
    for message in () if batch.is_v2 else _messages(batch):
        yield f" isValid: {'true' if is_valid(message) else 'false'} crc: {message.header.crc}{brace}"


def _messages(batch: Batch) -> Iterator[Batch]:
    if batch.codec == "none":
        yield batch
        return
    magic = max(batch.magic, 0)
    wrapper: Any = structure(f"message_{FORMATS[magic]}").decode(batch.data[OVERHEAD:])
    yield from batches(decompress(batch.codec, wrapper.value or b"", magic=magic))


def is_valid(batch: Batch) -> bool:
    """Tell whether the checksum of a batch or message is right."""
    try:
        batch.check()
    except FormatError:
        return False
    return True
