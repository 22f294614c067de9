"""What a broker keeps of entries, held against what it must keep: byte for byte, or by its meaning.

Where a broker writes records anew and compresses them, the compressed bytes are its library's
affair, and so are sizes and checksums over them. The rest of the header counts, and so do the
records.
"""

from typing import Any, Final

from kafka_format import records
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.records.entries import Entry, split
from kafka_format.records.formats import head_of
from kafka_format.records.model import CODEC_MASK

from kafka_conformance.judging.difference import Difference, first_difference
from kafka_conformance.protocol.hello import FIELDS

_OF_BYTES: Final = {"crc", "batch_length", "message_size"}
"""Fields that depend on compressed bytes."""


def difference(expected: bytes, got: bytes, *, is_anew: bool) -> Difference | None:
    """Return the first difference between fetched and expected bytes; None if none counts.

    Args:
        expected: what must come.
        got: what came; what stands after as many bytes, or entries, is not looked at.
        is_anew: True if the broker writes it anew, so that it may compress otherwise.
    """
    if got[: len(expected)] == expected:
        return None
    try:
        wanted, given = list(split(expected)), list(split(got))
    except FormatError as error:
        return Difference("entries", "bytes that keep the rules", str(error))
    for index, (entry, other) in enumerate(zip(wanted, given, strict=False)):
        unlike = _of_entry(expected, entry, got, other, is_anew=is_anew)
        if unlike is not None:
            return unlike._replace(path=f"entries[{index}].{unlike.path}") if len(wanted) > 1 else unlike
    if len(given) < len(wanted):
        return Difference("entries", f"{len(wanted)} whole", str(len(given)))
    return None if is_anew else _of_bytes(expected, got)


def _of_entry(expected: bytes, entry: Entry, got: bytes, other: Entry, *, is_anew: bool) -> Difference | None:
    if entry.magic != other.magic:
        return Difference("magic", str(entry.magic), str(other.magic))
    left, right = expected[entry.start : entry.end], got[other.start : other.end]
    if left == right:
        return None
    try:
        wanted, came = _fields(left, entry), _fields(right, other)
    except FormatError as error:
        return Difference("entries", "a whole header", str(error))
    left_out = _OF_BYTES if is_anew and wanted["attributes"] & CODEC_MASK else set()
    # A checksum differs because something else does, which says more.
    for name in sorted(wanted, key=lambda name: name in _OF_BYTES):
        if name not in left_out and wanted[name] != came[name]:
            return Difference(name, str(wanted[name]), str(came[name]))
    return _of_records(left, right) or (None if is_anew else _of_bytes(left, right))


def _fields(data: bytes, entry: Entry) -> dict[str, Any]:
    """Return the fixed fields of an entry, and those of the message in it."""
    form, start = head_of(entry)
    start -= entry.start
    if len(data) < start + form.size:
        records.decode(data)
    fields = dict(zip(form.places, form.read(data, start), strict=True))
    if entry.magic < 2:
        outer = prefix("message_set_entry")
        fields = dict(zip(outer.places, outer.read(data, 0), strict=True)) | fields
    return fields


def _of_records(expected: bytes, got: bytes) -> Difference | None:
    try:
        return first_difference(records.decode(expected), records.decode(got), FIELDS)
    except FormatError as error:
        return Difference("records", "bytes that keep the rules", str(error))


def _of_bytes(expected: bytes, got: bytes) -> Difference:
    place = next(
        (index for index, (byte, other) in enumerate(zip(expected, got, strict=False)) if byte != other), len(got)
    )
    return Difference(
        f"bytes[{place}]", expected[place : place + 8].hex() or "nothing", got[place : place + 8].hex() or "nothing"
    )
