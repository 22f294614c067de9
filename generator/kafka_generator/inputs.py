"""Kinds of bytes of a case: a run of entries as in a fetch response, or a message set of 0.7.

The two are framed and decoded differently and cannot be told apart by looking at them, so a case
table says which it has.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Record, entries, v07
from kafka_format.records.entries import FORMATS, Entry
from kafka_format.records.formats import LAYOUTS, head_of
from kafka_format.records.model import CODEC_MASK


@dataclass(frozen=True)
class Input:
    """One kind of input, with the functions that read and write it.

    Attributes:
        split: bytes to whole entries.
        layout: name of the layout of an entry.
        decode: bytes and flags to records.
        encode: records to the bytes that an encoder would write uncompressed; the second argument
            are the bytes that it is to write, from which it takes the magic.
        formats: the formats that occur in bytes, in order.
        codecs: numbers of the codecs that the attributes in the bytes name, those of no record
            included.
        has_oracle: whether a release of Apache Kafka that runs today reads it.
    """

    split: Callable[[bytes], Iterator[Entry]]
    layout: Callable[[Entry], str]
    decode: Callable[[bytes, frozenset[str]], list[Record]]
    encode: Callable[[Sequence[Record], bytes], bytes]
    formats: Callable[[bytes], list[str]]
    codecs: Callable[[bytes], set[int]]
    has_oracle: bool


def _run_formats(data: bytes) -> list[str]:
    """Return the formats of a run, as far as it can be framed, in order of magic."""
    formats = set()
    try:
        for entry in entries.split(data):
            formats.add(FORMATS[entry.magic])
    except FormatError:
        pass
    magic = data[entries.MAGIC_AT] if len(data) > entries.MAGIC_AT else None
    return sorted(formats) or [FORMATS.get(magic, "v2") if magic is not None else "v2"]


def _run_codecs(data: bytes) -> set[int]:
    """Return the codec bits of every entry of a run, as far as it can be framed."""
    codecs = set()
    try:
        for entry in entries.split(data):
            form, start = head_of(entry)
            codecs.add(form.value(data, start, "attributes") & CODEC_MASK)
    except (FormatError, struct.error):
        pass
    return codecs


INPUTS: Final = {
    "run": Input(
        split=entries.split,
        layout=lambda entry: LAYOUTS[entry.magic],
        decode=lambda data, flags: records.decode(data, flags=flags),
        encode=lambda answer, data: records.encode(answer, magic=data[entries.MAGIC_AT]),
        formats=_run_formats,
        codecs=_run_codecs,
        has_oracle=True,
    ),
    "v07": Input(
        split=v07.split,
        layout=lambda _: "v07_entry",
        decode=lambda data, flags: v07.decode(data, flags=flags),
        encode=lambda answer, data: v07.encode(answer, magic=data[v07.OVERHEAD]),
        formats=lambda _: ["v07"],
        codecs=lambda _: set(),  # the records of wrappers name them, and a wrapper is never empty
        has_oracle=False,
    ),
}
"""The kinds of input by the word that a case table says."""
