"""Requests and responses: what a target makes of them, held against the vectors of the protocol."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import PurePath
from typing import Any, Final

from kafka_format.codec.interpreter import Reader
from kafka_format.codec.members import default_of, inner, layouts, members
from kafka_format.errors import EncodeError
from kafka_format.protocol.json_form import EXACT, UNKNOWN
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.model import Counted, Field, Layout, TagSection

from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.judging.difference import MISSING, Difference
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message import shown_fields
from kafka_conformance.kinds.message.questions import MessageQuestion
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Status
from kafka_conformance.vectors.vector import Verdict

SHOWN: Final = 60

_KEPT: Final = 1 << 17
"""Bytes of a wrong answer that is kept, so that all that is wrong in it can be looked at."""

HEADER: Final = "header"
"""How the place of a difference begins in the header of a value."""

_RECORDS: Final = "records"
"""The field that a library may have read on: what it makes of records, `run` looks at."""


def plain_name(name: str) -> str:
    """Return a name without case, `_` and `-`."""
    return name.replace("_", "").replace("-", "").lower()


_UNKNOWN: Final = plain_name(UNKNOWN)

_BEHIND: Final = "body-trailing-bytes"
"""The flag of bodies with more bytes after them."""


def judge(question: MessageQuestion, target: str, form: str, reaction: Reaction) -> Result:
    """Judge a target's reply to a vector of the protocol.

    Args:
        question: the vector, and the version that was asked.
        target: the name of the target.
        form: what the target gives: `json`, `bytes` or `verdict`.
        reaction: what it said or did.
    """
    reply, verdict = reaction.reply, question.vector.verdict
    blank = Result(question.id, target, Outcome.PASSED)
    if isinstance(reply, Loss):
        return replace(blank, outcome=reply.outcome, detail=reply.detail)
    if reply.status == Status.UNSUPPORTED:
        return replace(blank, outcome=Outcome.UNSUPPORTED, detail=reply.text)
    if reply.status != Status.ANSWER:
        outcome = Outcome.REFUSED_VALID if verdict is Verdict.VALID else Outcome.PASSED
        return replace(blank, outcome=outcome, detail=reply.text)
    if verdict is Verdict.INVALID:
        rule = (question.vector.fault or {})["rule"]
        taken = Difference("", f"refused, because of {rule}", "a message")
        return blank.differing(Outcome.ACCEPTED_INVALID, taken, question.vector.title)
    unlike = _FORMS[form](question, reply.content)
    if unlike is None:
        return blank
    detail = f"{unlike.path} is {unlike.got}, not {unlike.expected}"
    kept = reply.content if len(reply.content) <= _KEPT else b""
    return replace(blank.differing(Outcome.WRONG_ANSWER, unlike, detail), content=kept)


def _of_bytes(question: MessageQuestion, got: bytes) -> Difference | None:
    """Compare the bytes written again.

    Whoever writes the very bytes that were read took nothing for something else, as far as bytes
    can show: a release keeps tagged fields that came after it as they are. Libraries that keep no
    unknown tagged fields need not write them. Of what no encoder can write, nothing is compared.
    """
    try:
        expected = question.encode()
        if got == expected or _is_unchanged(question, got) or got == question.encode(with_unknown=False):
            return None
    except EncodeError:
        return None
    return difference_of_bytes(expected, got)


def difference_of_bytes(expected: bytes, got: bytes) -> Difference:
    """Return the first difference of bytes that are not the same."""
    pairs = zip(expected, got, strict=False)
    at = next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(got)))
    return Difference(f"byte {at}", expected[at:][:SHOWN].hex() or "the end", got[at:][:SHOWN].hex() or "the end")


def _is_unchanged(question: MessageQuestion, got: bytes) -> bool:
    """Tell whether bytes were written as they were read.

    What stands after the body is not written.
    """
    return got == question.message and question.vector.flag != _BEHIND


def _of_json(question: MessageQuestion, content: bytes) -> Difference | None:
    try:
        document = json.loads(content)
        body = document["body"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return Difference("the answer", "JSON with a body", repr(error))
    unlike = difference(question.body().layout, question.value(), body, "")
    if unlike is None and shows_unknown(body):
        unlike = _lost_unknown(question.value(), body, "")
    return unlike or _of_header(question, document.get("header"))


def _of_header(question: MessageQuestion, header: Any) -> Difference | None:
    """Compare the fields of the header that are given; None if there is no header."""
    if not isinstance(header, Mapping) or question.kind == "record":
        return None
    right = front_value(question.front_layout, question.message, frozenset({question.vector.flag} - {""}))
    return difference(question.front_layout, right, with_untold(right, header), HEADER)


def with_untold(right: Mapping[str, Any], header: Mapping[str, Any]) -> dict[str, Any]:
    """Return a header that was told, and the right values of its fields that were not."""
    given = set(map(plain_name, header))
    return {**{name: value for name, value in right.items() if plain_name(name) not in given}, **header}


def front_value(layout: Layout, message: bytes, flags: frozenset[str]) -> dict[str, Any]:
    """Return the header of a message as exact JSON.

    Raises:
        FormatError: it breaks a rule.
    """
    values, _ = Reader(message, flags=flags, make=lambda _, given: given).read(layout, 0, len(message))
    return EXACT.write(layout, values)


def shows_unknown(got: Any) -> bool:
    """Tell whether an answer has any tagged field that its layout does not know."""
    if isinstance(got, Mapping):
        return any((plain_name(name) == _UNKNOWN and value) or shows_unknown(value) for name, value in got.items())
    return isinstance(got, list) and any(map(shows_unknown, got))


def _lost_unknown(expected: Any, got: Any, path: str) -> Difference | None:
    """Return the first structure whose unknown tagged fields an answer lacks that has others."""
    if isinstance(expected, list) and isinstance(got, list):
        pairs = ((f"{path}[{index}]", *pair) for index, pair in enumerate(zip(expected, got, strict=False)))
    elif isinstance(expected, Mapping) and isinstance(got, Mapping):
        given = {plain_name(name): value for name, value in got.items()}
        if expected.get(UNKNOWN) and not given.get(_UNKNOWN):
            return Difference(f"{path}.{UNKNOWN}".lstrip("."), _show(expected[UNKNOWN]), MISSING)
        pairs = ((f"{path}.{name}".lstrip("."), value, given.get(plain_name(name))) for name, value in expected.items())
    else:
        return None
    found = (_lost_unknown(value, other, place) for place, value, other in pairs)
    return next((unlike for unlike in found if unlike is not None), None)


_FORMS: Final[Mapping[str, Callable[[MessageQuestion, bytes], Difference | None]]] = {
    "json": _of_json,
    "bytes": _of_bytes,
    "verdict": shown_fields.difference,
}


def difference(layout: Layout, expected: Mapping[str, Any], got: Any, path: str) -> Difference | None:
    """Return the first difference of two values of a structure; None if there is none.

    Names, also those of earlier releases, are compared without case, `_` and `-`. A tagged field
    that is missing has its default; unknown tagged fields and records that are not shown are not
    compared. A field that only other versions have may be shown, with its default or null.
    """
    if not isinstance(got, Mapping):
        return Difference(path, "a structure", _show(got))
    given = {plain_name(name): value for name, value in got.items()}
    for field in members(layout):
        place = f"{path}.{field.kafka}" if path else field.kafka
        names = map(plain_name, (field.kafka, *field.formerly))
        name = next((spelling for spelling in names if spelling in given), "")
        if isinstance(field.type, TagSection):
            if plain_name(UNKNOWN) in given and given[plain_name(UNKNOWN)] != expected.get(UNKNOWN, []):
                return Difference(place, _show(expected.get(UNKNOWN)), _show(given[plain_name(UNKNOWN)]))
        elif name:
            unlike = _value(field.type, expected[field.kafka], given[name], place)
            if unlike is not None:
                return unlike
        elif field.kafka == _RECORDS:
            continue
        elif field.tag is None or expected[field.kafka] != EXACT.write_field(field.type, default_of(field, _values)):
            return Difference(place, _show(expected[field.kafka]), MISSING)
    return _lacked(layout, given, path)


def _lacked(layout: Layout, given: Mapping[str, Any], path: str) -> Difference | None:
    """Return the first field that the version lacks and that is not shown with its default."""
    own = {plain_name(spelling) for field in members(layout) for spelling in (field.kafka, *field.formerly)}
    for name in sorted((given.keys() - own) & _of_all_versions(layout.file, layout.type_name).keys()):
        fields = _of_all_versions(layout.file, layout.type_name)[name]
        defaults = [EXACT.write_field(field.type, default_of(field, _values)) for field in fields]
        pairs = zip(fields, defaults, strict=True)
        if given[name] is not None and all(_value(field.type, right, given[name], "") for field, right in pairs):
            place = f"{path}.{fields[0].kafka}".lstrip(".")
            return Difference(place, f"{_show(defaults[0])}, its default", _show(given[name]))
    return None


@cache
def _of_all_versions(file: str, structure: str) -> Mapping[str, Sequence[Field]]:
    """Return the fields that a structure of a message has in any version, by their plain names."""
    whole = specification().versioned[PurePath(file).stem]
    found: dict[str, list[Field]] = defaultdict(list)
    for number in whole.versions.numbers:
        for layout in layouts(find(whole.name, number)).values():
            if layout.type_name == structure:
                for field in members(layout):
                    if not isinstance(field.type, TagSection):
                        found[plain_name(field.kafka)].append(field)
    return found


def _values(_layout: Layout, values: dict[str, Any]) -> dict[str, Any]:
    return values


def _value(kind: Any, expected: Any, got: Any, path: str) -> Difference | None:
    if expected is None or got is None:
        same = expected is got or _may_be_null(kind, expected)
        return None if same else Difference(path, _show(expected), _show(got))
    if isinstance(kind, Counted):
        return _items(kind, expected, got, path)
    nested = inner(kind)
    if nested is not None:
        return difference(nested, expected, got, path)
    same = str(expected) == str(got) if not isinstance(expected, bool | float) else expected == got
    return None if same else Difference(path, _show(expected), _show(got))


def _may_be_null(kind: Any, expected: Any) -> bool:
    """Tell whether a value is empty where null cannot be: some languages have one word for both."""
    nullable = kind.nullable if isinstance(kind, Counted) else getattr(kind, "null", None) is not None
    return not nullable and expected in ("", [])


def _items(kind: Counted, expected: list[Any], got: Any, path: str) -> Difference | None:
    if not isinstance(got, list) or len(got) != len(expected):
        return Difference(path, f"{len(expected)} items", f"{len(got)} items" if isinstance(got, list) else _show(got))
    pairs = enumerate(zip(expected, got, strict=True))
    differences = (_value(kind.item, element, other, f"{path}[{index}]") for index, (element, other) in pairs)
    return next((unlike for unlike in differences if unlike is not None), None)


def _show(value: Any) -> str:
    return json.dumps(value)[:SHOWN]
