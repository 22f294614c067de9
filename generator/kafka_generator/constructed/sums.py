"""Checksums: wrong in ways that decoders overlook, and a flipped bit in each field they cover."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Final

from kafka_format.codec import edits
from kafka_format.codec.edits import Edit
from kafka_format.codec.interpreter import Span
from kafka_format.primitives.checksums import CHECKSUMS
from kafka_format.spec.layout.model import Checksum

from kafka_generator.constructed.model import Construction, in_id
from kafka_generator.constructed.subjects import Subject

RULES: Final = ("v2.crc.covers-attributes-to-end", "legacy.crc.covers-magic-to-end", "v07.crc.covers-payload")
_WRAPPER: Final = "wrapper-checksum-ignored"
_UNSEEN: Final = ("message/crc", "message/timestamp")
"""Fields of a wrapper that may change if nobody looks at its checksum: the others say how to read
its messages."""

_TWICE: Final = (("message", "key", "length"), ("message", "value", "length"))
"""Fields of a wrapper that would be wrong by themselves if one bit changed."""


def wrong(subject: Subject, span: Span, twin: str) -> Iterator[Construction]:
    """Yield what is wrong with one checksum and what it covers."""
    for word, (title, number) in _numbers(subject, span).items():
        if number == span.value:
            continue
        raw = struct.pack(">I", number)
        data = edits.apply(subject.shape, subject.data, Edit(span.path_text, raw, repair=False))
        yield _make(subject, f"{in_id(span.path)}/{word}", f"The checksum of {subject.title} {title}", data, twin)
    spans = edits.spans_of(subject.shape, subject.data)
    for covered in spans:
        if subject.is_wrapper and covered.path in _TWICE:
            continue
        if covered.start >= span.end and covered.raw and _is_covered(subject, span, covered):
            changed = covered.raw[:-1] + bytes([covered.raw[-1] ^ 1])
            data = subject.data[: covered.start] + changed + subject.data[covered.end :]
            title = f"The last bit of {covered.path_text} of {subject.title} is another one than the checksum covers"
            yield _make(subject, f"{in_id(covered.path)}/bit", title, data, twin)


def _is_covered(subject: Subject, span: Span, covered: Span) -> bool:
    """Tell whether a field is covered and is not read before the checksum is: the magic byte is."""
    computed = span.field.computed
    first = computed.first if isinstance(computed, Checksum) else ""
    spans = edits.spans_of(subject.shape, subject.data)
    start = next((part.start for part in spans if part.path[-1] == first), span.end)
    return covered.start >= start and covered.field.name != "magic"


def _make(subject: Subject, place: str, title: str, data: bytes, twin: str) -> Construction:
    unseen = subject.is_wrapper and subject.input == "run" and place.startswith(_UNSEEN)
    verdict, flag = ("lenient", _WRAPPER) if unseen else ("invalid", "")
    return Construction(f"check/{subject.name}/{place}", title, data, RULES, verdict, flag, twin, subject.input)


def _numbers(subject: Subject, span: Span) -> dict[str, tuple[str, int]]:
    covered = subject.data[span.end :]
    crc32, crc32c = zlib.crc32(covered), CHECKSUMS["crc32c"](covered)
    swapped = struct.unpack("<I", struct.pack(">I", span.value))[0]
    return {
        "lowest-bit": ("differs in its lowest bit", span.value ^ 1),
        "highest-bit": ("differs in its highest bit", span.value ^ 1 << 31),
        "zero": ("is 0", 0),
        "all-ones": ("is ffffffff", 0xFFFFFFFF),
        "other-byte-order": ("is written in the other order of bytes", swapped),
        "complement": ("is the complement of the right one", span.value ^ 0xFFFFFFFF),
        "other-polynomial": ("has the other polynomial", crc32 if span.value == crc32c else crc32c),
        "whole-entry": ("covers all bytes before it too", CHECKSUMS[_algorithm(span)](_without(subject, span))),
    }


def _algorithm(span: Span) -> str:
    computed = span.field.computed
    return computed.algorithm if isinstance(computed, Checksum) else "crc32"


def _without(subject: Subject, span: Span) -> bytes:
    return subject.data[: span.start] + subject.data[span.end :]
