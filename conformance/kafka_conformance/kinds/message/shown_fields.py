"""Fields of a request or response as a program shows them to people: name, place and value.

Such a program names fields in its own way and leaves some out, so what is compared is where fields
begin and end, whole numbers, and whether a name is that of a neighbour.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from kafka_format.codec.interpreter import SpanReader

from kafka_conformance.judging.difference import Difference
from kafka_conformance.kinds.message.questions import MessageQuestion

_LENGTH: Final = "length"


class ShownField(NamedTuple):
    """A field where it is.

    Attributes:
        path: the way to it, from `header` or `body`.
        start: its first byte, that of its length if it has one.
        inner: the first byte after the length.
        end: the byte after the last.
        value: what it says.
    """

    path: tuple[str | int, ...]
    start: int
    inner: int
    end: int
    value: Any

    @property
    def text(self) -> str:
        """The path as people write it, and the bytes."""
        words = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path).lstrip(".")
        return f"{words} ({_bytes(self.start, self.end)})"


def difference(question: MessageQuestion, content: bytes) -> Difference | None:
    """Return the first field that is shown wrong; None if there is none."""
    if not content:
        return None
    try:
        shown = [
            (str(field["name"]), int(field["at"]), int(field["size"]), field.get("value")) for field in _fields(content)
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return Difference("the answer", "JSON with fields", repr(error))
    places = list(_places(question))
    edges = {edge for place in places for edge in (place.start, place.inner, place.end)}
    differences = (_differing(places, edges, *field) for field in shown)
    return next((unlike for unlike in differences if unlike is not None), None)


def _fields(content: bytes) -> Iterable[Mapping[str, Any]]:
    fields: Iterable[Mapping[str, Any]] = json.loads(content)["fields"]
    return fields


def _places(question: MessageQuestion) -> Iterator[ShownField]:
    """Yield the fields of a message; a length is part of the field that it belongs to."""
    data, flags = question.message, frozenset({question.vector.flag} - {""})
    front, body = SpanReader(data, flags=flags), SpanReader(data, flags=flags)
    _, end = front.read(question.front_layout, 0, len(data), ("header",))
    body.read(question.body().layout, end, len(data), ("body",))
    spans = [*front.spans, *body.spans]
    length: tuple[tuple[str | int, ...], int] = ((), 0)
    for at, span in enumerate(spans):
        path = tuple(span.path)
        if path[-1] != _LENGTH:
            start = length[1] if length[0] == path else span.start
            yield ShownField(path, start, span.start, span.end, span.value)
        elif at + 1 < len(spans) and tuple(spans[at + 1].path) == path[:-1]:
            length = (path[:-1], span.start)
        else:  # null or empty: the length is all that there is
            yield ShownField(path[:-1], span.start, span.end, span.end, None)


def _differing(
    places: Sequence[ShownField], edges: set[int], name: str, at: int, size: int, value: object
) -> Difference | None:
    """Hold one field that is shown against those that there are."""
    end = at + size
    inside = next(
        (place for place in places if isinstance(place.value, bytes) and place.inner <= at and end <= place.end), None
    )
    if inside is not None:
        return None
    same = next((place for place in places if place.end == end and at in (place.start, place.inner)), None)
    shown = f"{name} ({_bytes(at, end)})"
    if same is None:
        if {at, end} <= edges:
            return None
        there = [place.text for place in places if place.start < end and at < place.end]
        return Difference("a field", " and ".join(there) or "the end", shown)
    if isinstance(same.value, int) and not isinstance(same.value, bool) and _number(value) not in (None, same.value):
        return Difference(same.text, str(same.value), str(value))
    other = _namesake(places, same, name)
    return None if other is None else Difference("a field", same.text, shown)


def _namesake(places: Iterable[ShownField], place: ShownField, name: str) -> ShownField | None:
    """Return the neighbour in the same structure whose name a field is shown with."""
    plain = _plain(name.rpartition(".")[2])
    if plain == _plain(str(place.path[-1])):
        return None
    return next(
        (
            sibling
            for sibling in places
            if sibling.path[:-1] == place.path[:-1] and _plain(str(sibling.path[-1])) == plain
        ),
        None,
    )


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _number(value: object) -> int | None:
    try:
        return int(str(value))
    except ValueError:
        return None


def _bytes(start: int, end: int) -> str:
    return f"byte {start}" if end - start == 1 else f"bytes {start} to {end - 1}"
