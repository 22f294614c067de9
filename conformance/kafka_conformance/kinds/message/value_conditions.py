"""What messages have in common that a target gets wrong, and none that it gets right.

Who refuses a message does not say why. If all that it refuses have a null array, and nothing that
it reads has one, it does not read null arrays. Of lengths and numbers of items it is the limit that
parts what is read from what is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from kafka_format.spec.layout import specification

from kafka_conformance.kinds.message.value_causes import WORDS, ShownValues
from kafka_conformance.kinds.message.value_changes import KNOWN_TAG, STRUCTURE, UNKNOWN_TAGS, Value, right_values
from kafka_conformance.kinds.message.wrong_answers import Probe, layout_of, special
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Verdict

_REFUSED: Final = "refused"
_FEWEST: Final = 2
_SAME: Final = 0.9
"""What a condition explains of all that goes wrong, if it is believed."""

_ASCII: Final = 128
_PLANE: Final = 0x10000
_SAFE: Final = 1 << 53
_DEFAULT_TAGS: Final = "default-tags"
_BEYOND: Final = "-beyond-"
_LENGTHS: Final = ("text-length", "bytes-length", "array-length")


class Condition(NamedTuple):
    """Something that a message may have.

    Attributes:
        id: stable name.
        words: what has it, as the object of a sentence.
    """

    id: str
    words: str


_CONDITIONS: Final = {
    condition.id: condition
    for condition in (
        *(Condition(f"null-{sort}", f"null {WORDS[sort]}") for sort in ("text", "bytes", "array", "structure")),
        *(Condition(f"{sort}-empty", f"empty {WORDS[sort]}") for sort in ("text", "bytes", "array")),
        Condition("null", "null"),
        Condition("text-outside-plane-0", "characters beyond U+FFFF in strings"),
        Condition("text-not-ascii", "strings beyond ASCII"),
        Condition("text-with-nul", "NUL in strings"),
        Condition("unknown-tags", "tagged fields that it does not know"),
        Condition("known-tags", "tagged fields of its layout"),
        Condition("tags", "tagged fields, those that it knows, too"),
        *(Condition(f"int{bits}-negative", f"numbers of {bits} bits below 0") for bits in (8, 16, 32, 64)),
        *(Condition(f"int{bits}-below-minus-one", f"numbers of {bits} bits below -1") for bits in (8, 16, 32, 64)),
        Condition("numbers-negative", "numbers below 0"),
        Condition("int64-over-32-bits", "numbers beyond 32 bits"),
        Condition("int64-over-53-bits", "numbers beyond 2^53"),
        Condition("structure-there", "structures that may be null, and are there"),
        Condition("id-not-zero", "ids that are not zero"),
        Condition("bool-true", "booleans that are true"),
    )
}


_FRONTS: Final = {
    (kind, flexible): Condition(
        f"header-of{'-flexible' if flexible else ''}-{kind}s",
        f"all {kind}s{' of flexible versions' if flexible else ''}: it likely has their header wrong",
    )
    for kind in ("request", "response")
    for flexible in (False, True)
}
"""What fails in all requests or responses is in front of their bodies."""

_ENCODINGS: Final = {
    "-in-old-versions": ", in versions that are not flexible",
    "-in-flexible-versions": ", in flexible versions",
}
_FLEXIBLE: Final = {
    f"{name}{suffix}": Condition(f"{name}{suffix}", f"{condition.words}{words}")
    for name, condition in _CONDITIONS.items()
    for suffix, words in (
        ("", ""),
        *_ENCODINGS.items(),
    )
}
"""Conditions in all versions, and in those of one encoding."""

_MESSAGES: Final = 3
"""In so many messages a wrong header shows."""


def _header(every: Sequence[Probe]) -> tuple[Condition, list[str]] | None:
    """Return a kind of message that is all wrong where others are read."""
    if all(each.fails for each in every):
        return None
    for (kind, flexible), condition in _FRONTS.items():
        about = [each for each in every if each.vector.format == kind and (not flexible or _is_flexible(each))]
        families = {each.vector.family for each in about}
        if len(families) >= _MESSAGES and all(each.fails for each in about):
            return condition, [each.vector.id for each in about]
    return None


def shown_conditions(asked: Iterable[Probe]) -> Iterator[ShownValues]:
    """Yield the condition that parts what a target gets wrong from what it gets right, if any."""
    every = [each for each in asked if each.vector.verdict is Verdict.VALID and each.result.outcome.was_asked]
    wrong = [each for each in every if each.fails]
    front = _header(every) if wrong else None
    kinds = {each.vector.format for each in wrong}
    every = [each for each in every if each.vector.format in kinds]  # who reads only requests wrong has them apart
    if len(wrong) < _FEWEST:
        return
    found = _parting(wrong, [each for each in every if not each.fails])
    if front is not None:
        found.insert(0, front)
    best, names = max(found, key=lambda pair: len(pair[1]), default=(None, []))
    if best is None or len(names) < _needed(wrong):
        return
    refused = all(each.result.outcome is Outcome.REFUSED_VALID for each in wrong if each.vector.id in names)
    does = f"{'refuses' if refused else 'goes wrong with'} {best.words}"
    how = _REFUSED if refused else "misread"
    name, behind = best.id, ""
    for end in (_BEYOND, *_ENCODINGS):
        if end in name:
            name, _, behind = name.partition(end)
            behind = f"{end}{behind}"
    yield ShownValues(f"values/{name}-{how}{behind}", does, frozenset(names))


def is_refused(condition: ShownValues) -> bool:
    """Tell whether all that has a condition is refused, and nothing of it is answered wrongly."""
    return f"-{_REFUSED}" in condition.id


def _needed(wrong: Sequence[Probe]) -> float:
    """Return how many of the messages that go wrong a condition must explain."""
    return max(_FEWEST, _SAME * len(wrong))


def _parting(wrong: Sequence[Probe], right: Sequence[Probe]) -> list[tuple[Condition, list[str]]]:
    """Return what enough of the wrong messages have and no right one, with those that have it.

    What is right is looked at until nothing is left that could part it from what is wrong.
    """
    needed, held = _needed(wrong), {each.vector.id: frozenset(_of_message(each)) for each in wrong}
    having = {key: [name for name in held if key in held[name]] for key in _FLEXIBLE}
    having = {key: names for key, names in having.items() if len(names) >= needed}
    sizes = {each.vector.id: _sizes(each) for each in wrong}
    most = dict.fromkeys(range(len(_LENGTHS)), 0)
    for each in right:
        most = {sort: limit for sort, limit in most.items() if len(_beyond(sort, limit, sizes)) >= needed}
        if not having and not most:
            break
        for key in _of_message(each):
            having.pop(key, None)
        of_right = _sizes(each)
        most = {sort: max(limit, of_right[sort]) for sort, limit in most.items()}
    found = [(_FLEXIBLE[key], names) for key, names in having.items()]
    return [*found, *(_by_size(sort, limit, sizes) for sort, limit in most.items())]


def _beyond(sort: int, limit: int, sizes: dict[str, tuple[int, int, int]]) -> list[str]:
    return [name for name, lengths in sizes.items() if lengths[sort] > limit]


def _by_size(sort: int, most: int, sizes: dict[str, tuple[int, int, int]]) -> tuple[Condition, list[str]]:
    """Return the lengths that part what is wrong from what is right, with what is beyond them."""
    names = _beyond(sort, most, sizes)
    least = min((sizes[name][sort] for name in names), default=0)
    what = ("strings", "bytes", "arrays")[sort]
    unit = "items" if sort == len(_LENGTHS) - 1 else "bytes"
    limit = f"{least}" if least == most + 1 else f"{most + 1} to {least}"
    words = f"{what} of more than a limit: {most} {unit} are read, {least} are not" if least > most + 1 else (
        f"{what} of {limit} {unit} and more"
    )  # fmt: skip
    name = _LENGTHS[sort].removesuffix("-length")
    return Condition(f"{name}{_BEYOND}{most}", words), names


def _is_flexible(asked: Probe) -> bool:
    name = layout_of(asked).name.removesuffix(f"_v{asked.version}")
    return asked.version in specification().versioned[name].flexible


def _of_message(asked: Probe) -> Iterator[str]:
    """Yield what a message has, by itself and with the encoding of its version."""
    suffix = "-in-flexible-versions" if _is_flexible(asked) else "-in-old-versions"
    for name in _of(asked):
        yield from (name, f"{name}{suffix}")


def _of(asked: Probe) -> Iterator[str]:
    """Yield what a message has."""
    values = right_values(asked)
    for value in values:
        yield from _of_value(value)
    has_tags = any(value.sort == KNOWN_TAG or (value.sort == UNKNOWN_TAGS and value.right) for value in values)
    if has_tags or special(asked.vector) == _DEFAULT_TAGS:
        yield "tags"


def _of_value(value: Value) -> Iterator[str]:  # noqa: C901 - a line a type
    right = value.right
    if value.sort == KNOWN_TAG:
        yield "known-tags"
    elif right is None:
        yield from ("null", f"null-{value.sort}")
    elif value.sort == UNKNOWN_TAGS:
        if right:
            yield "unknown-tags"
    elif value.sort.startswith("int"):
        yield from _of_number(value.sort, int(right))
    elif value.sort in {"text", "bytes", "array"} and not right:
        yield f"{value.sort}-empty"
    elif value.sort == "text":
        most = max(map(ord, right))
        yield from ["text-not-ascii"] * (most >= _ASCII)
        yield from ["text-outside-plane-0"] * (most >= _PLANE)
        yield from ["text-with-nul"] * ("\0" in right)
    elif value.sort == STRUCTURE:
        yield "structure-there"
    elif value.sort == "id" and right.strip("0"):
        yield "id-not-zero"
    elif value.sort == "bool" and right:
        yield "bool-true"


def _of_number(sort: str, number: int) -> Iterator[str]:
    if number < 0:
        yield from (f"{sort}-negative", "numbers-negative")
    if number < -1:
        yield f"{sort}-below-minus-one"
    if abs(number) >= 1 << 31:
        yield "int64-over-32-bits"
    if abs(number) > _SAFE:
        yield "int64-over-53-bits"


def _sizes(asked: Probe) -> tuple[int, int, int]:
    """Return the lengths of the longest string, bytes and array of a message."""
    most = {"text": 0, "bytes": 0, "array": 0}
    for value in right_values(asked):
        if value.sort in most and value.right is not None:
            size = len(value.right.encode()) if value.sort == "text" else len(value.right)
            most[value.sort] = max(most[value.sort], size // 2 if value.sort == "bytes" else size)
    return most["text"], most["bytes"], most["array"]
