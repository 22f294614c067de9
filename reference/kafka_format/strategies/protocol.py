"""Strategies for the protocol: values of any version of a layout, whole requests and responses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, partial
from typing import Any, Final, Literal

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kafka_format import protocol
from kafka_format.codec.compiler import Structure, version
from kafka_format.codec.drawing import Depth, draw
from kafka_format.codec.runtime import UnknownTaggedField
from kafka_format.primitives.integers import INT32_MAX, INT32_MIN
from kafka_format.protocol.apis import Api, layout_of
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import (
    Boolean,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
)
from kafka_format.strategies.layouts import contents, numbers

_MOST_ITEMS: Final = 3
_HIGHEST_TAG: Final = (1 << 31) - 1
_TEXT_LENGTHS: Final = (1, 126, 127, 128, 16382, 16383)
"""Around them the lengths of strings take more bytes."""

Kind = Literal["request", "response"]


def pairs(api: Api | None = None, number: int | None = None, kind: Kind = "request") -> list[tuple[int, int]]:
    """Return the APIs and versions that there are; given ones only."""
    apis = specification().enums["api"].values if api is None else (protocol.api_number(api),)
    return [(api, known) for api in apis for known in layout_of(api, kind).versions.numbers if number in {None, known}]


def versions(layout: str, number: int) -> SearchStrategy[Any]:
    """Draw values of one version of a layout, as named tuples that encode and decode to the same.

    Numbers and lengths lean to the edges. What may be null sometimes is; tagged fields have their
    defaults or other values; some structures have tagged fields that nobody knows.

    Raises:
        LayoutError: there is no layout of that name, or it has no such version.
    """
    return _version(layout, number)


@cache
def _version(layout: str, number: int) -> SearchStrategy[Any]:
    compiled = version(layout, number)
    return draw(compiled.layout, _Strategies(compiled))


def encoded_versions(layout: str, number: int) -> SearchStrategy[bytes]:
    """Draw the bytes of values of one version of a layout."""
    return versions(layout, number).map(version(layout, number).encode)


def requests(api: Api | None = None, number: int | None = None) -> SearchStrategy[bytes]:
    """Draw whole requests, header and body, of all APIs and versions or of given ones.

    No size in front.

    Raises:
        LayoutError: there is no such API.
        ValueError: the API has no such version.
    """
    return _of_pairs(pairs(api, number), _request)


def responses(api: Api | None = None, number: int | None = None) -> SearchStrategy[tuple[int, int, bytes]]:
    """Draw API, version and bytes of whole responses; otherwise as `requests`."""
    return _of_pairs(pairs(api, number, "response"), _response)


def _of_pairs(
    known: list[tuple[int, int]], make: Callable[[tuple[int, int]], SearchStrategy[Any]]
) -> SearchStrategy[Any]:
    if not known:
        raise ValueError("no API has such a version; docs/protocol.md lists those that there are")
    return make(known[0]) if len(known) == 1 else st.sampled_from(known).flatmap(make)


@cache
def _request(pair: tuple[int, int]) -> SearchStrategy[bytes]:
    api, number = pair
    body = versions(f"{protocol.api_name(api)}_request", number)
    ids, clients = numbers(INT32_MIN, INT32_MAX), st.none() | _texts()
    return st.tuples(body, ids, clients).map(
        lambda draw: protocol.encode_request(api, number, draw[0], correlation_id=draw[1], client_id=draw[2])
    )


@cache
def _response(pair: tuple[int, int]) -> SearchStrategy[tuple[int, int, bytes]]:
    api, number = pair
    write = partial(protocol.encode_response, api, number)
    drawn = st.tuples(versions(f"{protocol.api_name(api)}_response", number), numbers(INT32_MIN, INT32_MAX))
    return drawn.map(lambda draw: (api, number, write(draw[0], correlation_id=draw[1])))


class _Strategies:
    """A strategy for each type."""

    def __init__(self, compiled: Structure[Any]) -> None:
        self._compiled = compiled

    def structure(self, layout: Layout, fields: Sequence[SearchStrategy[Any]]) -> SearchStrategy[Any]:
        return st.tuples(*fields).map(self._compiled.types[layout.type_name]._make)

    def field(self, field: Field, drawn: SearchStrategy[Any]) -> SearchStrategy[Any]:
        if field.tag is None or isinstance(field.type, Nested | Optional):
            return drawn
        default: SearchStrategy[Any] = st.builds(list) if field.default == () else st.just(field.default)
        return default | drawn

    def or_null(self, _kind: Type, drawn: SearchStrategy[Any], _depth: Depth) -> SearchStrategy[Any]:
        return st.none() | drawn

    def items(self, item: SearchStrategy[Any], _depth: Depth) -> SearchStrategy[Any]:
        return st.lists(item, max_size=_MOST_ITEMS)

    def unknown(self, section: TagSection) -> SearchStrategy[Any]:
        known = {field.tag for field in section.fields if field.tag is not None}
        return _unknown({*section.elsewhere, *known})

    def scalar(self, _field: Field, kind: Type) -> SearchStrategy[Any]:
        return _scalar(kind)


def _scalar(kind: Type) -> SearchStrategy[Any]:
    match kind:
        case Integer(lowest=lowest, highest=highest):
            return numbers(lowest, highest)
        case Boolean():
            return st.booleans()
        case Float():
            return st.floats(allow_nan=False)
        case Fixed(size=size):
            return st.just(bytes(size)) | st.binary(min_size=size, max_size=size)
        case Form(content=content):
            return _texts() if content == "text" else contents()
        case _:
            msg = f"{kind.name} is none of the protocol's types"
            raise TypeError(msg)


def _texts() -> SearchStrategy[str]:
    """Draw short texts of any characters, and uniform ones whose length is at an edge."""
    short = st.text(max_size=12)
    uniform = st.tuples(st.sampled_from("a\0"), st.sampled_from(_TEXT_LENGTHS)).map(lambda pair: pair[0] * pair[1])
    return st.integers(0, 9).flatmap(lambda die: uniform if die == 9 else short)


def _unknown(known: AbstractSet[int]) -> SearchStrategy[tuple[UnknownTaggedField, ...]]:
    """Draw tagged fields that no version knows: none mostly, else one or two, by ascending tag.

    Args:
        known: the tags that some version has.
    """
    tags = st.integers(0, _HIGHEST_TAG).filter(lambda tag: tag not in known) | st.sampled_from(
        [tag for tag in (127, 128, 16383, 16384, _HIGHEST_TAG) if tag not in known]
    )
    some = st.dictionaries(tags, contents(), min_size=1, max_size=2)
    made = some.map(lambda by_tag: tuple(UnknownTaggedField(tag, by_tag[tag]) for tag in sorted(by_tag)))
    return st.integers(0, 9).flatmap(lambda die: made if die == 9 else st.just(()))
