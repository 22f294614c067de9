"""How likely the values of a response are: what nobody writes, and what others seldom have.

Any short bytes read as some response. What tells a true reading from such are values that bear it
out (texts, records, random ids, times of our days) and the lack of values that no broker writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from kafka_format.codec.interpreter import Span
from kafka_format.errors import FieldPath
from kafka_format.records.entries import MAGIC_AT
from kafka_format.spec.layout.model import Field, Fixed, Form, Integer

_TEXTS: Final = ("text", "utf8")
"""What forms that are texts hold."""

_LEAST: Final = -2
"""Numbers below it are no ids, counts, offsets or times."""

_LARGEST: Final = {4: 1 << 28, 8: 1 << 53}
"""Numbers from which on an int32 or int64 is seldom what it says."""

_ANY: Final = ("session_id", "authorized_operations")
"""Ends of the names of fields that have numbers of all sizes."""

_CORRELATION: Final = "correlation_id"
_RESERVED: Final = (1 << 31) - 16
"""From here on Java numbers what it sends before it is authenticated (SaslClientAuthenticator)."""

_WORSE: Final = 4
"""What a negative correlation id weighs: no client counts like this."""

_NAMES: Final = ("name", "topic", "topic_name")
"""Texts that are not empty."""

_WORD: Final = re.compile(rb"[\x20-\x7e]{4}")
"""A name inside a block of bytes, such as a topic in the assignment of a member."""

_LOOKED_AT: Final = 1024

_FIRST_TIME, _LAST_TIME = 946_684_800_000, 4_102_444_800_000
"""2000 to 2100, in milliseconds."""

_TEXT, _CUT_TEXT = 2, 4
"""Letters of a text that says something, and of one that is cut."""


class Plausible(NamedTuple):
    """What values say.

    Attributes:
        odd: values that nobody writes.
        texts: texts of two letters or more; -1 if one has what nobody can print.
        signs: these texts, and records, random ids and times.
    """

    odd: int
    texts: int
    signs: int


def plausible(spans: Iterable[Span], cut: Span | None = None) -> Plausible:
    """Judge the values of a response, and what there is of the one that is cut at its end."""
    odd = texts = others = 0
    is_printable = True
    for span in spans:
        odd += _odd(span.field, span.value) + _is_empty_name(span) + _is_unknown(span.path)
        if _is_text(span.field) and isinstance(span.value, bytes):
            text = span.value.decode(errors="replace")
            is_printable &= text.isprintable()
            texts += len(text) >= _TEXT
        else:
            others += _is_sign(span)
    if cut is not None and _is_text(cut.field) and isinstance(cut.value, bytes):
        start = cut.value.decode(errors="ignore")
        is_printable &= start.isprintable()
        texts += len(start) >= _CUT_TEXT
    elif cut is not None:
        others += _is_sign(cut)
    return Plausible(odd, texts if is_printable else -1, texts * is_printable + others)


def _is_text(field: Field) -> bool:
    return isinstance(field.type, Form) and field.type.content in _TEXTS


def _is_empty_name(span: Span) -> bool:
    return span.path[-1] == "length" and span.value == 0 and span.field.name in _NAMES and _is_text(span.field)


def _is_unknown(path: FieldPath) -> bool:
    """Tell whether a field is one with an unknown tag, as only a later release writes them."""
    return path[-3:-2] == ("unknown_tagged_fields",) and path[-1] == "content"


def _odd(field: Field, value: Any) -> int:
    kind = field.type
    if not isinstance(kind, Integer) or kind.size not in _LARGEST or not kind.lowest:
        return 0
    if field.name == _CORRELATION:
        return _WORSE if value < 0 else _LARGEST[4] <= value < _RESERVED
    return not _LEAST <= value < _LARGEST[kind.size] and not field.name.endswith(_ANY)


def _is_sign(span: Span) -> bool:
    """Tell whether a value is a random id, a time, the start of records, or a block with a name."""
    kind, value = span.field.type, span.value
    if isinstance(kind, Fixed) and isinstance(value, bytes) and len(value) == 16:
        return value[6] >> 4 == 4 and value[8] >> 6 == 2
    if isinstance(kind, Integer) and isinstance(value, int):
        return kind.size == 8 and "time" in span.field.name and _FIRST_TIME <= value < _LAST_TIME
    if not isinstance(value, bytes):
        return False
    if span.field.holds == "records":
        return len(value) > MAGIC_AT and value[MAGIC_AT] <= 2 and not value[0] and not value[8]
    return isinstance(kind, Form) and _WORD.search(value[:_LOOKED_AT]) is not None
