"""The protocol's vectors and the reference: every version of a vector, by every engine."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import pytest
from kafka_conformance.vectors import protocol as vectors
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import Verdict
from kafka_format import protocol
from kafka_format.codec.compiler import version
from kafka_format.errors import FormatError
from kafka_format.protocol.json_form import EXACT
from kafka_format.spec import data
from kafka_generator.protocol_vectors.shapes import layouts

from tests.sampling import Share

FAMILIES = [entry.name.split(".")[0] for entry in sorted((data.path("vectors") / "protocol").glob("*.gz"))]
STRICT: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def index() -> dict[str, dict[str, set[int]]]:
    """The versions that each file has vectors of, by file and layout, as the index says: `0-4,
    7`."""
    document = json.loads((data.path("vectors") / "protocol/index.json").read_text(encoding="utf-8"))
    return {
        entry["file"].split(".")[0]: {name: numbers(ranges) for name, ranges in entry["versions"].items()}
        for entry in document["files"]
    }


def numbers(ranges: str) -> set[int]:
    bounds = [[int(number) for number in part.split("-")] for part in ranges.split(", ")]
    return {number for bound in bounds for number in range(bound[0], bound[-1] + 1)}


def read(vector: ProtocolVector, number: int, flags: frozenset[str]) -> Any:
    """Return the value as JSON."""
    if not vector.is_framed:
        compiled = version(vector.layout, number)
        return EXACT.write(compiled.layout, compiled.decode(vector.data, flags=flags))
    if vector.topic:
        return in_topic(vector, flags)
    if vector.kind == "framed_request":
        request = protocol.decode_request(vector.data, flags=flags)
        return framed("request", request.version, request)
    response = protocol.decode_response(vector.data, vector.api or 0, number, flags=flags)
    return framed("response", number, response)


def in_topic(vector: ProtocolVector, flags: frozenset[str]) -> Any:
    """Return what stands in front of a key or a value of one of Kafka's own topics, and that, as
    JSON."""
    if vector.kind == "framed_record_key":
        found = protocol.decode_key(vector.topic, vector.data, flags=flags)
        header = {"number": int.from_bytes(vector.data[:2], "big")}
    else:
        key = protocol.SchemaRecord(f"{vector.layout.removesuffix('_value')}_key", 0, None)
        found = protocol.decode_value(vector.topic, vector.data, key, flags=flags)
        header = (vector.value or {})["header"]
        assert header["version"] == found.version
    assert found.layout == vector.layout
    body = EXACT.write(version(found.layout, found.version).layout, found.value)
    return {"version": found.version, "header": header, "body": body}


def framed(kind: Literal["request", "response"], asked: int, found: protocol.Request | protocol.Response) -> Any:
    """Return header and body as JSON."""
    head = version(f"{kind}_header", protocol.header_version(found.api, asked, kind))
    body = version(f"{protocol.api_name(found.api)}_{kind}", found.version)
    return {
        "version": found.version,
        "header": EXACT.write(head.layout, found.header),
        "body": EXACT.write(body.layout, found.body),
    }


def said(vector: ProtocolVector, number: int) -> Iterator[str]:
    """Yield what is wrong with what the reference says."""
    try:
        value = read(vector, number, STRICT)
    except FormatError as error:
        if vector.fault is None:
            yield f"refused: {error}"
        elif (error.rule, error.offset, error.path_text) != (
            vector.fault["rule"], vector.fault["offset"], vector.fault["path"],
        ):  # fmt: skip
            yield f"refused otherwise: {error}"
    else:
        if vector.verdict is not Verdict.VALID:
            yield "accepted"
        elif value != vector.value:
            yield f"read as {value}"
    if vector.verdict is Verdict.LENIENT and read(vector, number, frozenset({vector.flag})) != vector.value:
        yield "read otherwise with the flag"


@pytest.fixture(scope="module", params=FAMILIES)
def family(request: pytest.FixtureRequest) -> tuple[ProtocolVector, ...]:
    """The vectors of one file, loaded once for all tests of them."""
    return vectors.load(families=[request.param])


@pytest.fixture
def few(family: tuple[ProtocolVector, ...], some: Share) -> list[ProtocolVector]:
    """Of the vectors of one file, one in 18 in a usual run: generate.py reads and writes them
    all."""
    return some(family, 18, of="vectors")


def wrongs(family: Iterable[ProtocolVector]) -> list[tuple[str, int, str]]:
    return [
        (vector.id, number, word) for vector in family for number in vector.versions for word in said(vector, number)
    ]


@pytest.mark.usefixtures("engine")
def test_the_reference_says_what_the_vectors_say(few: list[ProtocolVector]) -> None:
    """In all their versions."""
    assert wrongs(few) == []


@pytest.mark.usefixtures("engine")
def test_canonical_vectors_are_what_the_reference_writes(few: list[ProtocolVector]) -> None:
    wrong = [
        (vector.id, number)
        for vector in few
        if vector.canonical and vector.value is not None and not vector.is_framed
        for number in vector.versions
        if (compiled := version(vector.layout, number)).encode(EXACT.read(compiled, vector.value)) != vector.data
    ]
    assert wrong == []


def test_the_vectors_of_a_file_are_of_the_versions_that_the_index_says(
    family: tuple[ProtocolVector, ...], index: Mapping[str, Mapping[str, set[int]]]
) -> None:
    there: dict[str, set[int]] = {}
    for vector in family:
        there.setdefault(vector.layout, set()).update(vector.versions)
    assert there == index[family[0].family]


def test_every_version_of_every_layout_has_vectors(index: Mapping[str, Mapping[str, set[int]]]) -> None:
    there = {(name, n) for named in index.values() for name, numbers in named.items() for n in numbers}
    assert there == {(layout.name, number) for layout in layouts() for number in layout.versions.numbers}
