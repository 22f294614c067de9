"""Keys and values of Kafka's own topics, with the bytes in front that say what they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Literal

from kafka_format.primitives.counts import byte_count
from kafka_format.protocol import records
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.versioned import VersionedLayout

from kafka_generator.kafka_judge.record_judge import RELEASE
from kafka_generator.kafka_schemas import facts
from kafka_generator.protocol_vectors import values
from kafka_generator.protocol_vectors.case import MessageCase
from kafka_generator.protocol_vectors.pieces import Writer, join, uvarint
from kafka_generator.protocol_vectors.shapes import Shape

FAMILY: Final = "topic_records"
_KNOWN: Final = ("protocol.record.known",)
_EXACT: Final = ("protocol.body.exact",)
_HIGHEST: Final = 0x7FFF
_CUT: Final = ("field.truncated", "count.within", "length.within")

Part = Literal["key", "value"]


def cases() -> Iterator[MessageCase]:
    """Yield cases: every record in every version, and each topic's faults in front of one."""
    for topic, enumeration in records.KEYED.items():
        names = specification().enums[enumeration].values
        for number, name in names.items():
            yield _whole(topic, _layout(f"{name}_key"), 0, _int16(number))
            for version in _layout(f"{name}_value").versions.numbers:
                yield _whole(topic, _layout(f"{name}_value"), version, _int16(version))
        yield from _wrong_keys(topic, names)
    for topic, (enumeration, _) in records.FRAMED.items():
        names = specification().enums[enumeration].values
        for number, name in names.items():
            for version in _layout(name).versions.numbers:
                yield _whole(topic, _layout(name), version, _frame(number, version))
        yield from _wrong_frames(topic, names)


def key_number(case: MessageCase) -> int:
    """Return the number of the key that a value belongs to; 0 if values say what they are."""
    name = case.shape.whole.name.removesuffix("_value")
    if case.topic not in records.KEYED:
        return 0
    numbers = specification().enums[records.KEYED[case.topic]].values
    return next((number for number, known in numbers.items() if known == name), 0)


def _layout(name: str) -> VersionedLayout:
    return specification().versioned[name]


def _int16(number: int) -> bytes:
    return number.to_bytes(2, "big", signed=True)


def _frame(number: int, version: int, first: int = 1) -> bytes:
    """Return what stands in front of a value that says itself what it is."""
    return uvarint(first) + uvarint(number) + uvarint(version)


def _body(whole: VersionedLayout, version: int) -> bytes:
    layout = find(whole.name, version)
    return join(Writer().pieces(layout, values.value(layout, values.PROFILES["typical"])))


def _case(
    topic: str, whole: VersionedLayout, version: int, word: str, what: str, data: bytes, **more: Any
) -> MessageCase:
    shape = Shape(whole, (version,), find(whole.name, version))
    title = f"{whole.title} {version} in {topic}: {what}"
    has_oracle = facts.is_there(whole, version, facts.minor(RELEASE))
    return MessageCase(
        shape, word, title, data, framed=True, topic=topic, family=FAMILY, **({"has_oracle": has_oracle} | more)
    )


def _whole(topic: str, whole: VersionedLayout, version: int, front: bytes) -> MessageCase:
    data = front + _body(whole, version)
    return _case(topic, whole, version, "whole", "behind what says what it is", data, rules=_KNOWN)


def _wrong_keys(topic: str, names: Any) -> Iterator[MessageCase]:
    """Yield a key and a value of one record with something wrong in front, and behind."""
    number = max(names)
    for part in ("key", "value"):
        whole = _layout(f"{names[number]}_{part}")
        version = whole.versions.highest
        front = _int16(number if part == "key" else version)
        body = _body(whole, version)
        what = "the number of no record" if part == "key" else "a version that there is not"
        for word, wrong in (("highest", _HIGHEST), ("minus-one", -1), ("lowest", -_HIGHEST - 1)):
            data = _int16(wrong) + body
            yield _case(topic, whole, version, f"unknown/{word}", what, data, rules=_KNOWN, is_valid=False)
        yield from _cuts(topic, whole, version, front)
        yield _trailing(topic, whole, version, front + body + b"\0", flag="body-trailing-bytes")


def _wrong_frames(topic: str, names: Any) -> Iterator[MessageCase]:
    number = 2
    whole = _layout(names[number])
    version = whole.versions.highest
    body = _body(whole, version)
    front = _frame(number, version)
    wrong = {"number/highest": (_HIGHEST, version), "number/wide": (number + (1 << 16), version)}
    wrong |= {"version/wide": (number, version + (1 << 16))}  # of one that fits, Kafka leaves it to the record
    for word, numbers in wrong.items():
        data = _frame(*numbers) + body
        what = "a record or a version that there is not"
        yield _case(topic, whole, version, f"unknown/{word}", what, data, rules=_KNOWN, is_valid=False)
    for first in (0, 2):
        data = _frame(number, version, first) + body
        word = f"frame-version/{first}"
        yield _case(topic, whole, version, word, f"the version of the frame is {first}", data, is_valid=False)
    for place in range(len(front)):
        long = front[:place] + bytes([front[place] | 0x80, 0]) + front[place + 1 :] + body
        more: dict[str, Any] = {"rules": ("varint.minimal",), "flag": "overlong-varint", "is_valid": False}
        yield _case(topic, whole, version, f"overlong-{place}", "a number with a needless byte", long, **more)
    yield from _cuts(topic, whole, version, front)
    yield _trailing(topic, whole, version, front + body + b"\0")


def _cuts(topic: str, whole: VersionedLayout, version: int, front: bytes) -> Iterator[MessageCase]:
    for kept in range(len(front) + 1):
        what = f"it ends after {byte_count(kept)}"
        yield _case(topic, whole, version, f"cut-{kept}", what, front[:kept], rules=_CUT, is_valid=False)


def _trailing(topic: str, whole: VersionedLayout, version: int, data: bytes, flag: str = "") -> MessageCase:
    more: dict[str, Any] = {"rules": _EXACT, "flag": flag, "is_valid": False}
    return _case(topic, whole, version, "trailing", "a byte behind it", data, **more)
