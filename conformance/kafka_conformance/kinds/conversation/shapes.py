"""What a request must be like: values of fields, and how they relate to what was said before.

A value is that of the field, or one of:

- `{any: [...]}`: one of these;
- `{has: X}`, `{lacks: X}`: a list with X in it, or without;
- `{from: N}`, `{to: N}`: N at least, or at most;
- `{is: same}`, `{is: other}`: as in the request that the step answered, or not as there;
- `{is: none}`: null, empty or zero; `{is: some}`: none of these;
- `{is: told}`, `{is: next}`: as the broker told it last, or one more;
- `{is: after}`: one more than in the request that the step answered.

Besides the fields of its layout (see `request_fields`) a request has `node`, `version` and what
else `ClientRequest` tells, and `after_ms`, the milliseconds since the answer of the step was out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kafka_conformance.kinds.conversation.requests_seen import ClientRequest

Shape = Mapping[str, Any]
"""Values of fields, by name; `request` is the API."""

_WORDS: Final = frozenset({"any", "has", "lacks", "from", "to", "is"})
_RELATIONS: Final = frozenset({"same", "other", "none", "some", "told", "next", "after"})
_NOTHING: Final[tuple[object, ...]] = (None, "", 0, [], "0" * 32)


def check_shape(shape: Shape) -> None:
    """Check that a shape says nothing that is not known here.

    Raises:
        ValueError: it does.
    """
    for name, said in shape.items():
        if isinstance(said, Mapping) and (len(said) != 1 or not set(said) <= _WORDS):
            raise ValueError(f"{name}: {dict(said)} is not one of {', '.join(sorted(_WORDS))}")
        if isinstance(said, Mapping) and said.get("is", "same") not in _RELATIONS:
            raise ValueError(f"{name}: {said['is']!r} is none of {', '.join(sorted(_RELATIONS))}")


def misfit(shape: Shape, request: ClientRequest, before: ClientRequest | None = None) -> str:
    """Return the first field in which a request is not as it must be; empty if it is.

    Args:
        shape: what it must be like.
        request: the request.
        before: the request that the step answered; None at the end.
    """
    if shape.get("request", request.api) != request.api:
        return "request"
    return next(
        (name for name, said in shape.items() if name != "request" and not _fits(said, name, request, before)), ""
    )


def _fits(said: Any, name: str, request: ClientRequest, before: ClientRequest | None) -> bool:
    got = request.value(name)
    if not isinstance(said, Mapping):
        return bool(got == said)
    ((word, value),) = said.items()
    match word:
        case "any":
            return got in value
        case "has":
            return value in (got or ())
        case "lacks":
            return value not in (got or ())
        case "from" | "to":
            return got is not None and bool(got >= value if word == "from" else got <= value)
        case _:
            return _relates(value, got, name, request, before)


def _relates(relation: str, got: Any, name: str, request: ClientRequest, before: ClientRequest | None) -> bool:
    match relation:
        case "none":
            return got in _NOTHING
        case "some":
            return got not in _NOTHING
        case "told":
            return bool(got == request.told.get(name))
        case "next":
            return name in request.told and bool(got == request.told[name] + 1)
        case "after":
            there = None if before is None else before.value(name)
            return there is not None and bool(got == there + 1)
        case _:
            there = None if before is None else before.value(name)
            return (got == there) is (relation == "same")


def words(shape: Shape) -> str:
    """Say what a request must be like."""
    fields = [f"`{name}` {_value_words(said)}" for name, said in shape.items() if name != "request"]
    return " ".join([str(shape.get("request", "")), *(["with", ", ".join(fields)] if fields else [])]).strip()


def _value_words(said: Any) -> str:
    if not isinstance(said, Mapping):
        return _value_text(said)
    ((word, value),) = said.items()
    told = {"any": "one of", "has": "with", "lacks": "without", "from": "at least", "to": "at most"}
    relations = {"same": "as before", "other": "another one", "none": "empty", "some": "not empty"}
    relations |= {
        "told": "as the broker told",
        "next": "one more than the broker told",
        "after": "one more than before",
    }
    return relations[value] if word == "is" else f"{told[word]} {_value_text(value)}"


def _value_text(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_value_text, value)) + "]"
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def shown(request: ClientRequest, name: str) -> str:
    """Show what a request has in a field, for a report."""
    return request.api if name == "request" else _value_text(request.value(name))
