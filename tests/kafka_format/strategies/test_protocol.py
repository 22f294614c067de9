"""Strategies of the protocol: every version of every layout has one, and draws reach the edges."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from kafka_format import protocol, strategies
from kafka_format.codec.compiler import version
from kafka_format.codec.interpreter import Reader, encode
from kafka_format.errors import FormatError, LayoutError
from kafka_format.spec.layout import specification

LAYOUTS = sorted(specification().versioned)
FIRST = settings(database=None, phases=[Phase.generate], max_examples=1000)
"""Takes the first example, however large: to make it smaller takes most of the time."""


def pairs() -> Iterator[tuple[str, int]]:
    for name in LAYOUTS:
        yield from ((name, number) for number in specification().versioned[name].versions.numbers)


def values(value: object) -> Iterator[object]:
    """Yield all values inside a value."""
    yield value
    if isinstance(value, tuple | list):
        for one in value:
            yield from values(one)


@pytest.mark.sampled(20, of="layouts")
@pytest.mark.parametrize(("name", "number"), list(pairs()))
def test_values_come_back_from_their_bytes(name: str, number: int) -> None:
    """Written and read compiled and interpreted, which agree."""
    compiled = version(name, number)

    @settings(max_examples=10)
    @given(strategies.versions(name, number))
    def check(value: object) -> None:
        data = compiled.encode(value)
        assert data == encode(compiled.layout, value)
        assert compiled.decode(data) == value
        found, end = Reader(data, make=compiled._make).read(compiled.layout, 0, len(data))
        assert (found, end) == (value, len(data))

    check()


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(strategies.requests())
def test_requests_are_whole(data: bytes) -> None:
    request = protocol.decode_request(data)
    again = protocol.encode_request(
        request.api,
        request.version,
        request.body,
        correlation_id=request.header.correlation_id,
        client_id=getattr(request.header, "client_id", None),
    )
    assert again == data


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(strategies.responses())
def test_responses_are_whole(drawn: tuple[int, int, bytes]) -> None:
    api, number, data = drawn
    response = protocol.decode_response(data, api, number)
    assert protocol.encode_response(api, number, response.body, correlation_id=response.header.correlation_id) == data


EDGES: dict[str, Callable[[Any], Any]] = {
    "null": lambda value: value.topics is None,
    "empty": lambda value: value.topics == [],
    "null in a structure": lambda value: value.topics and value.topics[0].name is None,
    "uuid": lambda value: value.topics and any(value.topics[0].topic_id),
    "unknown tag": lambda value: value.unknown_tagged_fields and value.unknown_tagged_fields[0].tag > 127,
    "unknown tag inside": lambda value: value.topics and value.topics[0].unknown_tagged_fields,
}


def missing(name: str, number: int, conditions: dict[str, Callable[[Any], Any]], draws: int) -> set[str]:
    """Return which of these conditions no value meets, of so many draws at most."""
    left = dict(conditions)

    def is_last(value: Any) -> bool:
        for edge in [edge for edge, condition in left.items() if condition(value)]:
            del left[edge]
        return not left

    with suppress(NoSuchExample):
        drawn = strategies.versions(name, number).map(is_last)
        find(drawn, bool, settings=settings(FIRST, max_examples=draws), random=Random(1))  # noqa: S311 - no secret
    return set(left)


def test_the_edges_are_drawn() -> None:
    assert missing("metadata_request", 12, EDGES, 5000) == set()
    longest = {"a text with a length of three bytes": lambda value: len(value.transactional_id or "") == 16383}
    assert missing("init_producer_id_request", 2, longest, 5000) == set()  # seldom drawn, so from few fields


def test_no_unknown_tag_is_one_of_another_version() -> None:
    """Version 0 has no fields with the tags 1 to 3, which came later."""
    foreign = {"foreign": lambda value: any(tag.tag in {1, 2, 3} for tag in value.unknown_tagged_fields)}
    assert missing("broker_registration_change_record", 0, foreign, 400) == {"foreign"}


def test_tagged_fields_are_drawn_with_and_without_their_defaults() -> None:
    is_default = {"default": lambda value: value.node_endpoints == [], "other": lambda value: value.node_endpoints}
    assert missing("fetch_response", 16, is_default, 200) == set()


def test_given_apis_and_versions() -> None:
    assert protocol.decode_request(find(strategies.requests("fetch", 12), lambda _: True, settings=FIRST)).version == 12
    assert find(strategies.responses("heartbeat"), lambda drawn: drawn[1] == 4, settings=FIRST)[0] == 12
    with pytest.raises(LayoutError, match="there is no API"):
        strategies.requests("fetsh")
    with pytest.raises(ValueError, match="no API has such a version"):
        strategies.responses("fetch", 99)


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(strategies.damaged(strategies.requests()), st.sampled_from(["fetch", "produce", "metadata"]))
def test_damaged_requests_are_refused_or_read(data: bytes, api: str) -> None:
    with suppress(FormatError):
        protocol.decode_request(data)
    with suppress(FormatError):
        protocol.decode_response(data, api, 9)
