"""What a response can be.

Only the client that asked knows; without it, what reads to the end is a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import pairwise
from typing import Final, NamedTuple

from kafka_format.codec.interpreter import Reader, Span, SpanReader
from kafka_format.errors import FormatError
from kafka_format.explain.cut import CutError, CutReader
from kafka_format.explain.plausible import plausible
from kafka_format.explain.shapes import Shapes
from kafka_format.protocol.apis import api_name, api_number, header_version, layout_of
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.model import Counted, Layout, Nested, Optional, TagSection, Type, minimum_size

_API_VERSIONS_0: Final = (18, 0)
_CORRELATION: Final = 4
"""Bytes of the correlation id, which is all of the header of that response."""

_MANY_NAMES: Final = 3
"""Numbers with names, each greater than the one before, that bear a response out: ApiVersions."""

_MOST_CUT: Final = 1000
"""Bytes that a count or a length may promise for each one that is there."""

_UNSUPPORTED_VERSION: Final = (35).to_bytes(2, "big")


class Guess(NamedTuple):
    """An API and a version whose response reads to the end.

    Attributes:
        api: number of the API.
        version: the version.
        unnamed: numbers in it that should have a name and have none, such as errors that nobody
            knows.
        fields: fields that it has in these bytes.
        texts: texts of two letters or more in them; -1 if one has what nobody can print.
        named: numbers other than 0 in it that have a name.
        odd: values that nobody writes.
        signs: texts, records, random ids and times in them.
    """

    api: int
    version: int
    unnamed: int
    fields: int
    texts: int = 0
    named: int = 0
    odd: int = 0
    signs: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether what speaks against it is less than what bears it out."""
        return not self.unnamed and self.texts >= 0 and self.odd <= 2 * self.signs

    @property
    def is_told(self) -> bool:
        """Whether values bear it out that bytes of others seldom have."""
        return self.signs > 0

    def __str__(self) -> str:
        """As a person says it."""
        return f"{api_name(self.api)} {self.version}"


def guesses(data: bytes, start: int = 0, api: int | str | None = None, version: int | None = None) -> tuple[Guess, ...]:
    """Return what a response can be, the most likely first.

    Likely is what has few numbers without a name, few values that nobody writes and no text that
    nobody can print, then what has many fields, then a high version.
    Error 35 at the start of what can be a response of ApiVersions 0 is one: nobody else answers in
    another version than was asked.

    Args:
        data: the response.
        start: where its header begins.
        api: its API, if that is known.
        version: its version, if that is known.
    """
    fitting = _shapes().fitting(data, start) if api is None and version is None else None
    return _sorted(data, start, _each(partial(_guess, data, start), api, version, fitting))


def cut_guesses(data: bytes, start: int, api: int | str | None = None, version: int | None = None) -> tuple[Guess, ...]:
    """Return what a response can be of which bytes are missing by the size in front of it.

    It reads to its last byte, and that is not inside one string or block that would take it whole.
    The arguments are those of `guesses`.
    """
    fitting = _shapes().cut(data, start, promised_end(data, start)) if api is None and version is None else None
    return _sorted(data, start, _each(partial(_cut_guess, data, start), api, version, fitting))


def promised_end(data: bytes, start: int) -> int:
    """Return where a response ends by the size in front of it; without one, not too far away."""
    return start + int.from_bytes(data[:start], "big", signed=True) if start else _MOST_CUT * len(data)


_Alike = tuple[tuple[int, int], ...]
"""APIs and versions whose responses have the same fields."""


def _each(
    guess: Callable[[int, int], Guess | None],
    api: int | str | None,
    version: int | None,
    fitting: Iterable[_Alike] | None,
) -> Iterator[Guess | None]:
    """Yield a guess for each API and version; those with the same fields are read once."""
    if fitting is None:
        yield from (guess(*known) for known in _known(api, version))
        return
    for first, *others in fitting:
        found = guess(*first)
        yield found
        if found is not None:
            yield from (found._replace(api=other, version=number) for other, number in others)


@cache
def _shapes() -> Shapes[_Alike]:
    """Return the shapes of all responses."""
    parts = ((alike, _response(*alike[0])) for alike in _alike())
    return Shapes((alike, (response.header, response.body)) for alike, response in parts)


@cache
def _alike() -> tuple[_Alike, ...]:
    """Return all APIs and versions, together those whose responses have the same fields."""
    groups: dict[object, list[tuple[int, int]]] = {}
    for api, version in _known(None, None):
        response = _response(api, version)
        groups.setdefault((_shape(response.header), _shape(response.body)), []).append((api, version))
    return tuple(map(tuple, groups.values()))


def _shape(layout: Layout) -> tuple[object, ...]:
    """Return what of a layout tells how it is read, and which numbers have names."""
    return tuple((_kind(field.type), field.names and field.names.name, field.holds) for field in layout.fields)


def _kind(kind: Type) -> object:
    match kind:
        case Nested(layout=layout) | Optional(layout=layout):
            return type(kind).__name__, _shape(layout)
        case Counted(item=item, length=length, nullable=nullable):
            return _kind(item), _kind(length), nullable
        case TagSection(fields=fields, elsewhere=elsewhere):
            return tuple(
                (field.tag, _kind(field.type), field.names and field.names.name) for field in fields
            ), elsewhere
        case _:
            return type(kind).__name__, kind.name, getattr(kind, "size", 0)


def _sorted(data: bytes, start: int, found: Iterable[Guess | None]) -> tuple[Guess, ...]:
    readable = [guess for guess in found if guess is not None]
    has_fallback = data[start + _CORRELATION : start + _CORRELATION + 2] == _UNSUPPORTED_VERSION
    return tuple(
        sorted(
            readable,
            key=lambda guess: (
                not (has_fallback and guess[:2] == _API_VERSIONS_0),
                guess.unnamed + guess.odd + (guess.texts < 0),
                -guess.signs,
                -guess.fields,
                -guess.version,
                guess.api,
            ),
        )
    )


class _Response(NamedTuple):
    """The layouts of one API in one version.

    Attributes:
        header: that of the header.
        body: that of the body.
        size: the fewest bytes of both.
    """

    header: Layout
    body: Layout
    size: int


@cache
def _response(api: int, version: int) -> _Response:
    """Return the layouts; cached, since a stream may have thousands of responses to guess."""
    header = find("response_header", header_version(api, version, "response"))
    body = find(f"{api_name(api)}_response", version)
    return _Response(header, body, minimum_size(Nested(header)) + minimum_size(Nested(body)))


def _known(api: int | str | None, version: int | None) -> Iterator[tuple[int, int]]:
    apis = specification().enums["api"].values if api is None else (api_number(api),)
    for number in apis:
        for known in layout_of(number, "response").versions.numbers:
            if version in (None, known):
                yield number, known


def _cut_guess(data: bytes, start: int, api: int, version: int) -> Guess | None:
    response, reader = _response(api, version), CutReader(data)
    end = promised_end(data, start)
    try:
        _, position = reader.read(response.header, start, end)
        reader.read(response.body, position, end)
    except FormatError:
        return None
    except CutError:
        spans = reader.spans
        is_swallowed = not spans or (
            (spans[-1].end - spans[-1].start) * 2 > len(data) - start and spans[-1].field.holds != "records"
        )
        return None if is_swallowed else _guess_of(api, version, spans[:-1], spans[-1])
    return None


def _guess(data: bytes, start: int, api: int, version: int) -> Guess | None:
    response = _response(api, version)
    if len(data) - start < response.size or _end(response, Reader(data), start) != len(data):
        return None
    reader = SpanReader(data)
    _end(response, reader, start)
    return _guess_of(api, version, reader.spans)


def _guess_of(api: int, version: int, spans: list[Span], cut: Span | None = None) -> Guess:
    named = [span.value for span in spans if span.field.names is not None and span.value in span.field.names.values]
    numbers = sum(1 for span in spans if span.field.names is not None)
    odd, texts, signs = plausible(spans, cut)
    keys = [number for number in named if number]
    signs += len(keys) >= _MANY_NAMES and all(one < other for one, other in pairwise(keys))
    return Guess(api, version, numbers - len(named), len(spans), texts, len(keys), odd, signs)


def _end(response: _Response, reader: Reader, start: int) -> int | None:
    """Return where a response ends; None if it does not read."""
    try:
        _, position = reader.read(response.header, start, len(reader.data))
        return reader.read(response.body, position, len(reader.data))[1]
    except FormatError:
        return None
