"""Features that a decoder may not read at all: a format, a codec, headers; and their vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import packer

from kafka_conformance.vectors.vector import Vector

_LATER_MAGIC: Final = b"\1"

_ANSWERS_OF: Final = 1_000
"""Records in the longest answer that is looked at."""


class Feature(NamedTuple):
    """Something that vectors have in common, and that somebody may not have written yet.

    Attributes:
        id: stable name: `v1`, `v2/gzip`, `headers`.
        words: all that has it, as the object of a sentence: `everything in v1`.
        advice: what to do about it, or what to declare who does not mean to read it; may be empty.
        misread: what a decoder does that gives wrong answers there, if that says more than the
            words.
    """

    id: str
    words: str
    advice: str = ""
    misread: str = ""


ALL: Final = Feature("everything", "everything that it is asked for")
_COMPRESSED: Final = Feature(
    "compressed", "everything that is compressed", "not meant to? declare none as its only codec"
)
_RECORDS: Final = Feature("records", "everything with a record in it")
EMPTY: Final = Feature(
    "empty-input", "an input of no bytes", "a fetch without new records brings it: it has no records, and is no error"
)
_HEADERS: Final = Feature(
    "headers",
    "everything with headers",
    "no headers to give? leave headers out of the fields that it declares, but read past them",
)
_BEHIND_HEADERS: Final = Feature(
    "record-after-headers",
    "records that stand behind one with headers",
    "headers have to be read past even where nobody wants them",
)
_CONTROL: Final = Feature(
    "control",
    "everything with the markers of transactions",
    "batches with the control bit hold no messages: leave their records out, or declare the field control",
    "delivers the markers of transactions as messages",
)
_CUT: Final = Feature(
    "cut",
    "everything whose last entry is cut off",
    "fetch responses end so: the entry is left out, and the next fetch brings it",
)
_NULL_KEYS: Final = Feature("null-keys", "everything with a null key")
_NULL_VALUES: Final = Feature("null-values", "everything with a null value")

_APPEND_TIME: Final = Feature("append-time", "everything with the broker's log append time")
_LATER_MESSAGES_OF_07: Final = Feature("v07/magic-1", "everything of 0.7 with magic 1, which has attributes")

_OF_ANSWERS: Final = (EMPTY, _CONTROL, _HEADERS, _BEHIND_HEADERS, _NULL_KEYS, _NULL_VALUES, _APPEND_TIME, _CUT)


class _Rank(IntEnum):
    """The order in which features are looked for: that in which a decoder is written."""

    ALL = 0
    FORMAT = 1
    RECORDS = 2
    COMPRESSED = 3
    CODEC = 4
    CODEC_OF_FORMAT = 5
    ANSWER = 6


def by_feature(vectors: Iterable[Vector]) -> dict[Feature, set[str]]:
    """Return the ids of the vectors with each feature, in the order decoders are written."""
    findings: dict[tuple[int, Feature], set[str]] = {}
    for vector in vectors:
        for rank, feature in _features(vector):
            findings.setdefault((rank, feature), set()).add(vector.id)
    order = sorted(findings.items(), key=lambda pair: (pair[0][0], -len(pair[1])))
    return {feature: names for (_, feature), names in order}


@lru_cache(8192)
def _features(vector: Vector) -> Sequence[tuple[int, Feature]]:
    """Return what a vector has: of each decoder that is diagnosed, it is asked again."""
    return tuple(_of(vector))


def _of(vector: Vector) -> Iterator[tuple[int, Feature]]:
    yield _Rank.ALL, ALL
    yield from _of_kind(vector)
    if vector.answer is not None:
        yield from _of_answer(vector, vector.answer)


def _of_kind(vector: Vector) -> Iterator[tuple[int, Feature]]:
    for name in vector.formats:
        advice = f"not meant to? leave {name} out of the formats that it declares"
        yield _Rank.FORMAT, Feature(name, f"everything in {name}", advice)
        if name == "v07" and vector.data[_before_message() :].startswith(_LATER_MAGIC):
            yield _Rank.CODEC_OF_FORMAT, _LATER_MESSAGES_OF_07
        for codec in vector.codecs if len(vector.formats) == 1 else ():
            yield _Rank.CODEC_OF_FORMAT, Feature(f"{name}/{codec}", f"everything in {name} {_with(codec)}")
    for codec in vector.codecs:
        advice = "" if codec == "none" else f"not meant to? leave {codec} out of the codecs that it declares"
        yield _Rank.CODEC, Feature(codec, f"everything {_with(codec)}", advice)
    if set(vector.codecs) - {"none"}:
        yield _Rank.COMPRESSED, _COMPRESSED


@cache
def _before_message() -> int:
    """Return the bytes in front of the first message of 0.7, which begins with its magic."""
    return packer(find("v07_entry")).size


def _with(codec: str) -> str:
    return "without compression" if codec == "none" else f"with {codec}"


def _of_answer(vector: Vector, answer: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, Feature]]:
    records = [] if len(answer) > _ANSWERS_OF else list(answer)
    with_headers = [place for place, record in enumerate(records) if record.get("headers")]
    has = {
        EMPTY: not vector.data,
        _CUT: "entry.cut" in vector.rules,
        _CONTROL: any(record.get("control") for record in records),
        _HEADERS: bool(with_headers),
        _BEHIND_HEADERS: bool(with_headers) and with_headers[0] + 1 < len(records),
        _APPEND_TIME: any(record.get("timestamp_type") == "log_append_time" for record in records),
        _NULL_KEYS: any(record.get("key") is None for record in records),
        _NULL_VALUES: any(record.get("value") is None for record in records),
    }
    if any(not record.get("control") for record in answer):
        yield _Rank.RECORDS, _RECORDS
    for place, feature in enumerate(_OF_ANSWERS):
        if has[feature]:
            yield _Rank.ANSWER + place, feature
