"""What the bytes of a case can be: a run of entries as a fetch response has it, or a message set of 0.7.

The two are framed and decoded differently and cannot be told apart by looking at them, so a case table says which it
has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kafka_format import entries, records
from kafka_format.entries import FORMATS, Entry
from kafka_format.errors import FormatError
from kafka_format.records import Record, v07

_LAYOUTS: Final = ("message_set_entry", "message_set_entry", "record_batch")


@dataclass(frozen=True)
class Input:
    """One kind of input, and what reads and writes it.

    Attributes:
        split: bytes to whole entries.
        layout: name of the layout of an entry.
        decode: bytes and flags to records.
        encode: records to the bytes that an encoder would write uncompressed; the second argument are the bytes that
            it is to write, from which it takes the magic.
        formats: the formats that occur in bytes, in order.
        has_oracle: whether a release of Apache Kafka that runs today reads it.
    """

    split: Callable[[bytes], Iterator[Entry]]
    layout: Callable[[Entry], str]
    decode: Callable[[bytes, frozenset[str]], list[Record]]
    encode: Callable[[Sequence[Record], bytes], bytes]
    formats: Callable[[bytes], list[str]]
    has_oracle: bool


def _run_formats(data: bytes) -> list[str]:
    """Return the formats of a run, as far as it can be framed, in order of magic."""
    found = set()
    try:
        for entry in entries.split(data):
            found.add(FORMATS[entry.magic])
    except FormatError:
        pass
    magic = data[entries.MAGIC_AT] if len(data) > entries.MAGIC_AT else None
    return sorted(found) or [FORMATS.get(magic, "v2") if magic is not None else "v2"]


INPUTS: Final = {
    "run": Input(
        split=entries.split,
        layout=lambda entry: _LAYOUTS[entry.magic],
        decode=lambda data, flags: records.decode(data, flags=flags),
        encode=lambda answer, data: records.encode(answer, magic=data[entries.MAGIC_AT]),
        formats=_run_formats,
        has_oracle=True,
    ),
    "v07": Input(
        split=v07.split,
        layout=lambda _: "v07_entry",
        decode=lambda data, flags: v07.decode(data, flags=flags),
        encode=lambda answer, data: v07.encode(answer, magic=data[v07.OVERHEAD]),
        formats=lambda _: ["v07"],
        has_oracle=False,
    ),
}
"""The kinds of input by the word that a case table says."""
