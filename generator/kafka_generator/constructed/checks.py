"""Checks: each thing that can be wrong with each field that decoders check, one fault a vector.

The subjects' own vectors, the valid twins, stand here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kafka_format.codec import edits
from kafka_format.codec.edits import Edit
from kafka_format.codec.interpreter import Span
from kafka_format.spec.layout.model import BytesAfter, Checksum, CountOf, Form, Integer, Varint

from kafka_generator.constructed import sums, varints
from kafka_generator.constructed.model import Construction, in_id
from kafka_generator.constructed.subjects import Subject, subjects
from kafka_generator.payloads import PayloadStore

_LATER: Final = ("length.within", "field.truncated", "v2.record.length.within", "v2.record.length.exact")
"""What may be wrong after a length that is wrong by one."""

_SIZES: Final = ("entry.size.minimum", "v2.batch-length.minimum", "v07.size.minimum", "field.truncated")
_MAGICS: Final = ("entry.magic.known", "v07.magic.known")
_CODECS: Final = ("v2.codec.known", "legacy.codec.known", "v07.codec.known")


def constructions(store: PayloadStore) -> Iterator[Construction]:
    """Yield the twins, and every fault of every field."""
    for subject in subjects(store):
        title = f"{subject.title.capitalize()}; the twin of those that follow"
        yield Construction(_twin(subject), title, subject.data, [subject.rule], input=subject.input)
        for span in edits.spans_of(subject.shape, subject.data):
            yield from _of_field(subject, span)


def _twin(subject: Subject) -> str:
    return f"check/{subject.name}/twin"


def _of_field(subject: Subject, span: Span) -> Iterator[Construction]:
    field, kind = span.field, span.field.type
    if field.name == "magic":
        yield from _numbers(subject, span, {"3": 3, "minus-1": -1, "lowest": -128, "highest": 127}, _MAGICS)
    if isinstance(field.computed, Checksum):
        yield from sums.wrong(subject, span, _twin(subject))
    elif isinstance(field.computed, BytesAfter) and isinstance(kind, Integer):
        yield from _sizes(subject, span)
    elif isinstance(field.computed, BytesAfter):
        yield from _record_lengths(subject, span)
    elif isinstance(field.computed, CountOf):
        yield from _counts(subject, span)
    elif isinstance(kind, Form) and span.path[-1] == "length":
        yield from _lengths(subject, span)
    if field.name == "attributes" and field.bits:
        yield from _codecs(subject, span)
    if span.field.rules["utf8"] != "string.utf8" and isinstance(kind, Form) and span.path[-1] == "key":
        yield from _not_utf8(subject, span)
    if isinstance(varints.kind_of(span), Varint):
        yield from varints.wrong(subject, span, _twin(subject))


def _numbers(
    subject: Subject, span: Span, numbers: dict[str, int], rules: tuple[str, ...], flag: str = ""
) -> Iterator[Construction]:
    """Give the field each number; lengths and checksums around it are put right."""
    for word, number in numbers.items():
        data = edits.apply(subject.shape, subject.data, Edit(span.path_text, edits.number_bytes(span, number)))
        yield make(subject, span, word, f"is {number}", data, rules, flag)


def make(
    subject: Subject, span: Span, word: str, is_what: str, data: bytes, rules: tuple[str, ...], flag: str = ""
) -> Construction:
    """Make one wrong construction of a field."""
    verdict = "lenient" if flag else "invalid"
    identifier, title = (
        f"check/{subject.name}/{in_id(span.path)}/{word}",
        f"{span.path_text} of {subject.title} {is_what}",
    )
    return Construction(identifier, title, data, rules, verdict, flag, _twin(subject), subject.input)


def _sizes(subject: Subject, span: Span) -> Iterator[Construction]:
    """Yield sizes below the least, which are refused, one byte less, and one more.

    One less spoils the checksum; one more cuts the entry off.
    """
    least = span.field.minimum or 0
    numbers = {"lowest": -(1 << 31), "minus-1": -1, "zero": 0, "one": 1, "one-below-the-least": least - 1}
    for word, number in numbers.items():
        raw = edits.number_bytes(span, number)
        data = edits.apply(subject.shape, subject.data, Edit(span.path_text, raw, repair=False))
        yield make(subject, span, word, f"is {number}", data, _SIZES)
    one_less = edits.number_bytes(span, span.value - 1)
    data = edits.apply(subject.shape, subject.data, Edit(span.path_text, one_less, repair=False))
    yield make(subject, span, "one-less", "is one byte less than there is", data, (*sums.RULES, *_SIZES))
    if subject.input == "run":
        one_more = edits.number_bytes(span, span.value + 1)
        data = edits.apply(subject.shape, subject.data, Edit(span.path_text, one_more, repair=False))
        title = f"{span.path_text} of {subject.title} is one byte more than there is, so that the entry is cut off"
        yield Construction(f"check/{subject.name}/{in_id(span.path)}/one-more", title, data, ["entry.cut"])


def _record_lengths(subject: Subject, span: Span) -> Iterator[Construction]:
    wrong = {"lowest": -(1 << 31), "minus-1": -1, "zero": 0, "highest": (1 << 31) - 1}
    yield from _numbers(subject, span, wrong, _LATER)
    near = {"one-less": span.value - 1, "one-more": span.value + 1}
    yield from _numbers(subject, span, near, _LATER)


def _counts(subject: Subject, span: Span) -> Iterator[Construction]:
    negative = ("v2.record-count.not-negative", "v2.header.count.not-negative")
    many = ("v2.record-count.within", "v2.header.count.within", "field.truncated", "v2.record.length.within")
    few = ("v2.records.fill-the-batch", "v2.record.length.exact", "v2.batch.empty.no-payload")
    yield from _numbers(subject, span, {"lowest": -(1 << 31), "minus-1": -1}, negative)
    yield from _numbers(subject, span, {"one-more": span.value + 1, "highest": (1 << 31) - 1}, many)
    if span.value > 1:
        yield from _numbers(subject, span, {"one-less": span.value - 1}, few)


def _lengths(subject: Subject, span: Span) -> Iterator[Construction]:
    kind = span.field.type
    nullable = isinstance(kind, Form) and kind.null is not None
    within = ("length.within", "v2.header.count.within")
    if nullable and span.value == -1 and not subject.is_wrapper:
        negative = {"minus-2": -2, "lowest": -(1 << 31)}
        yield from _numbers(subject, span, negative, ("length.not-negative",), "negative-length-is-null")
    elif not nullable:
        names = ("v2.header.key.not-null", "length.not-negative")
        yield from _numbers(subject, span, {"minus-1": -1, "minus-2": -2, "lowest": -(1 << 31)}, names)
    if span.value >= 0:
        left = _bytes_left(subject, span)
        yield from _numbers(subject, span, {"one-beyond": left + 1, "highest": (1 << 31) - 1}, within)


def _bytes_left(subject: Subject, span: Span) -> int:
    """Return how many bytes follow a length within its record or message."""
    spans = edits.spans_of(subject.shape, subject.data)
    frames = [
        covering for covering in spans if isinstance(covering.field.computed, BytesAfter) and covering.end <= span.start
    ]
    return min(int(frame.end + frame.value) for frame in frames if frame.end + frame.value >= span.end) - span.end


def _codecs(subject: Subject, span: Span) -> Iterator[Construction]:
    for bits in span.field.bits:
        if bits.enum is not None and bits.name == "codec":
            unknown = [number for number in range(bits.mask + 1) if number not in bits.enum.values]
            rest = span.value & ~bits.mask
            yield from _numbers(subject, span, {f"codec-{codec}": rest | codec for codec in unknown}, _CODECS)


def _not_utf8(subject: Subject, span: Span) -> Iterator[Construction]:
    raw = b"\xff" * len(span.raw)
    data = edits.apply(subject.shape, subject.data, Edit(span.path_text, raw))
    rules = ("v2.header.key.utf8",)
    yield make(subject, span, "not-utf8", "is no UTF-8", data, rules, "invalid-utf8-is-replaced")
