"""Cut is not wrong: what there is of a vector is shown to its last byte, and what is missing said.

However it is cut, the exit status is 1, and nothing is called wrong; where a size tells how much is
missing, that number is right.
"""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner
from kafka_conformance.vectors import protocol as vectors
from kafka_format import protocol
from kafka_format.records import v07
from kafka_format.records.entries import MAGIC_AT, split
from kafka_tools.commands.explain import command

from tests import shipped
from tests.sampling import Share


def explain(data: bytes, *options: str) -> tuple[int, list[dict[str, Any]]]:
    """Explain bytes; return the exit status, and what was printed as JSON."""
    result = CliRunner().invoke(command, [*options, "--json", "-"], input=data, standalone_mode=False)
    assert result.exception is None, (data.hex(), options)
    return result.return_value, [json.loads(line) for line in result.stdout.splitlines()]


def faults(documents: list[dict[str, Any]]) -> list[str]:
    """Return where something is wrong; what vectors have for records may be anything."""
    return [document["fault"]["path"] for document in documents if document["fault"]]


def check_shown(data: bytes, documents: list[dict[str, Any]]) -> None:
    """Check that every byte is in a line, where it stands, once."""
    shown = b"".join(
        bytes.fromhex(line["bytes"]) for document in documents for line in document["lines"] if "payload" not in line
    )
    assert shown == data


RECORDS = [
    vector
    for vector in shipped.vectors().values()
    if vector.verdict == "valid" and not vector.is_large and 1 < len(vector.data) < 3000
]


def cuts(size: int, count: int) -> list[int]:
    chance = random.Random(size)  # noqa: S311 - chance, not secrets
    return sorted({chance.randrange(1, size) for _ in range(count)})


@pytest.mark.parametrize("format_", ["v0", "v1", "v2"])
def test_records_that_are_cut_anywhere(some: Share, format_: str) -> None:
    for vector in some([one for one in RECORDS if one.formats == (format_,)], 20, of="vectors"):
        ends = [entry.end for entry in split(vector.data)]
        for at in cuts(len(vector.data), 2):
            if at in ends:
                continue  # then nothing tells that it is cut
            status, documents = explain(vector.data[:at])
            check_shown(vector.data[:at], documents)
            assert status == 1
            begun = max([0, *(end for end in ends if end < at)])
            if begun and at - begun > MAGIC_AT:  # the entries before it tell what it is
                due = min((end for end in ends if end > at), default=None)
                assert due is None or [one.get("missing") for one in documents] == [due - at]


def test_messages_of_07_that_are_cut_anywhere() -> None:
    for vector in [one for one in RECORDS if one.formats == ("v07",)]:
        try:
            ends = [entry.end for entry in v07.split(vector.data)]
        except ValueError:
            continue
        for at in cuts(len(vector.data), 3):
            status, documents = explain(vector.data[:at], "--v07")
            check_shown(vector.data[:at], documents)
            due = min((end for end in ends if end > at), default=None)
            begun = max([0, *(end for end in ends if end <= at)])
            if at not in ends and due is not None and at - begun >= v07.OVERHEAD:
                assert (status, documents[0].get("missing"), documents[0]["fault"]) == (1, due - at, None)


@cache
def messages() -> list[vectors.ProtocolVector]:
    """Valid requests and responses, but for what a release had beside the API of its number."""
    return [
        vector
        for vector in vectors.load()
        if vector.verdict == "valid"
        and vector.kind in ("request", "response")
        and len(vector.data) < 2000
        and vector.api is not None
        and not vector.special.startswith("surplus")  # cut in what nobody reads, they are whole
        and vector.layout == f"{protocol.api_name(vector.api)}_{vector.kind}"
    ]


def framed(vector: vectors.ProtocolVector) -> tuple[bytes, tuple[str, ...]]:
    """Return a request or response with its size, and what there is to say of a response."""
    api, version = vector.api or 0, vector.versions[-1]
    number = protocol.header_version(api, version, vector.kind)
    if vector.kind == "response":
        header = (4711).to_bytes(4, "big") + bytes(number)
        said: tuple[str, ...] = ("--api", protocol.api_name(api), "--version", str(version))
    else:
        header = api.to_bytes(2, "big") + version.to_bytes(2, "big") + (4711).to_bytes(4, "big")
        header, said = header + b"\0\6orders" * (number > 0) + bytes(number > 1), ()
    frame = header + vector.data
    return len(frame).to_bytes(4, "big") + frame, said


@pytest.mark.parametrize("kind", ["request", "response"])
def test_requests_and_responses_that_are_cut_anywhere(some: Share, kind: str) -> None:
    for vector in some([one for one in messages() if one.kind == kind], 120, of="vectors"):
        frame, said = framed(vector)
        (at,) = cuts(len(frame) - 5, 1)
        data = frame[: at + 4]
        for options in ((), (f"--{kind}",), (f"--{kind}", *said)):
            status, documents = explain(data, *options)
            check_shown(data, documents)
            is_whole_without_its_size = status == 0 and documents[0]["lines"][0]["path"] != "size"
            if is_whole_without_its_size and kind == "response":
                continue  # a correlation id is as good as a size
            assert status == 1, (vector.id, at, options)
            if options:
                missing = [document.get("missing") for document in documents]
                assert missing == [len(frame) - len(data)] or documents[0]["lines"][0]["path"] != "size"
                assert [fault for fault in faults(documents) if "records" not in fault] == [], vector.id


def test_requests_and_responses_without_their_size_that_are_cut_anywhere(some: Share) -> None:
    for vector in some(messages(), 200, of="vectors"):
        frame, said = framed(vector)
        (at,) = cuts(len(frame) - 5, 1)
        data = frame[4 : at + 4]
        for options in ((), (f"--{vector.kind}", *said)):
            status, documents = explain(data, *options)
            check_shown(data, documents)
            if vector.kind == "request" and options and len(data) > 4:
                assert status == 1, (vector.id, at)
                assert [fault for fault in faults(documents) if "records" not in fault] == [], vector.id
