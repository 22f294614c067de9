"""The templates of all languages do the same, each with a toy decoder behind it."""

import re
import struct
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from kafka_conformance.targets.folders import TEMPLATES

from tests.adapters.languages import FULL, LANGUAGES, make
from tests.kafka_conformance.targets.adapter_client import Adapter, AnswerRecord, read_partial

ENCODES = [name for name, language in LANGUAGES.items() if language.encodes]
YIELDS = [name for name, language in LANGUAGES.items() if language.yields]
PRINTS = [name for name, language in LANGUAGES.items() if language.keeps_output]
PANICS = [name for name, language in LANGUAGES.items() if language.panics]

Made = tuple[list[str], Path]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Made]:
    """Makes the toy of a language, once."""

    @cache
    def make_once(language: str) -> Made:
        folder = tmp_path_factory.mktemp(language)
        return make(language, folder), folder

    return make_once


@pytest.fixture(params=LANGUAGES)
def toy(request: pytest.FixtureRequest, made: Callable[[str], Made]) -> Iterator[Adapter]:
    command, folder = made(request.param)
    with Adapter(command, folder=folder) as adapter:
        yield adapter


def test_hello_says_what_the_adapter_declares(toy: Adapter) -> None:
    hello = toy.hello()
    assert (hello["protocol"], hello["name"]) == (1, "toy")


@pytest.mark.parametrize("toy", ["python", "javascript"], indirect=True)
def test_directions_follow_from_the_functions_that_are_given(toy: Adapter) -> None:
    assert toy.hello()["directions"] == ["decode", "encode"]


def test_every_field_of_a_record_is_packed(toy: Adapter) -> None:
    everything, nothing = toy.decode(b"all", b"empty")
    assert everything.answer == [FULL]
    assert nothing.answer == []


def test_refusal_and_gap_are_told_apart(toy: Adapter) -> None:
    refuses, cannot = toy.decode(b"refuses", b"cannot")
    assert (refuses.status, cannot.status) == (1, 2)
    assert "not so" in refuses.text
    assert "no such thing" in cannot.text


@pytest.mark.parametrize("toy", ENCODES, indirect=True)
def test_records_to_encode_arrive_in_every_field(toy: Adapter) -> None:
    written, cannot = toy.encode(2, 3, [FULL, AnswerRecord(), FULL]), toy.encode(1, 4, [])
    assert [(result.status, result.content) for result in written] == [(0, b"\2\3\2")]
    assert cannot[0].status == 2


def test_messages_arrive_with_kind_api_and_version(toy: Adapter) -> None:
    first, refuses, cannot, last = toy.messages(
        (0, 18, 3, b"abc"), (1, 0, 0, b"refuses"), (1, 0, 0, b"cannot"), (1, 94, -1, b"\0")
    )
    assert [(first.status, first.content), (last.status, last.content)] == [(0, b"0 18 3 abc"), (0, b"1 94 -1 \0")]
    assert (refuses.status, cannot.status) == (1, 2)
    assert "not so" in refuses.text
    assert "no such thing" in cannot.text


def test_block_larger_than_a_pipe_is_read_whole(toy: Adapter) -> None:
    results = toy.decode(*[b"all"] * 20_000)
    assert len(results) == 20_000
    assert results[-1].answer == [FULL]


def test_frames_may_come_in_pieces_and_together(toy: Adapter) -> None:
    stdin = toy.process.stdin
    assert stdin is not None
    frame = framed(b"D" + struct.pack(">ibi", 7, 0, 2) + (struct.pack(">i", 5) + b"empty") * 2)
    for piece in (frame[:2], frame[2:9], frame[9:] + frame, frame[:11]):
        stdin.write(piece)
    reply = framed(b"D" + struct.pack(">ii", 7, 2) + (struct.pack(">bi", 0, 4) + bytes(4)) * 2)
    assert toy.finish(frame[11:]) == (0, reply * 3, "")


@pytest.mark.parametrize("toy", YIELDS, indirect=True)
def test_records_before_an_error_are_no_answer(toy: Adapter) -> None:
    half, whole = toy.decode(b"half", b"all")
    assert half.status == 1
    assert "not to the end" in half.text
    assert whole.answer == [FULL]


@pytest.mark.parametrize("toy", PRINTS, indirect=True)
def test_what_a_library_prints_goes_to_standard_error(toy: Adapter) -> None:
    assert [result.status for result in toy.decode(b"print", b"empty")] == [0, 0]
    assert toy.finish() == (0, b"", "noise\n")


def test_end_of_input_is_a_clean_end(toy: Adapter) -> None:
    assert toy.finish() == (0, b"", "")


@pytest.mark.parametrize("toy", PANICS, indirect=True)
def test_panic_is_a_crash_and_no_refusal(toy: Adapter) -> None:
    """It ends the process with its own words, before there is a reply."""
    status, output, log = toy.finish(framed(b"D" + struct.pack(">ibii", 1, 0, 1, 5) + b"panic"))
    assert status not in {0, 1}
    assert output == b""
    assert "bad luck" in log


def framed(body: bytes) -> bytes:
    return struct.pack(">i", len(body)) + body


# What one language has that the others have not.


@pytest.mark.parametrize("toy", ["python"], indirect=True)
def test_python_records_before_an_error_are_shown_to_a_suite_that_can_read_them(toy: Adapter) -> None:
    assert toy.hello(partial=True)["partial"] is True
    (shown,) = toy.decode(b"half")
    assert (shown.status, read_partial(shown.content)) == (3, ([FULL], "KeyError: 'not to the end'"))


@pytest.mark.parametrize("toy", ["python"], indirect=True)
def test_python_integers_that_no_int64_holds_are_not_wrapped(toy: Adapter) -> None:
    [record] = toy.decode(b"far")[0].answer
    assert (record.offset, record.timestamp) == (2**63 - 1, -(2**63))


@pytest.mark.parametrize("toy", ["c"], indirect=True)
def test_c_every_negative_length_is_null(toy: Adapter) -> None:
    [record] = toy.decode(b"odd")[0].answer
    assert (record.key, record.value) == (None, None)


@pytest.mark.parametrize("toy", ["javascript"], indirect=True)
def test_javascript_what_a_library_does_not_tell_has_its_default(toy: Adapter) -> None:
    (least,) = toy.decode(b"least")
    assert least.answer == [AnswerRecord(0), AnswerRecord(1)]


@pytest.mark.parametrize("toy", ["javascript"], indirect=True)
def test_javascript_number_that_is_no_int64_is_the_nearest(toy: Adapter) -> None:
    (beyond,) = toy.decode(b"beyond")
    assert [record[:2] for record in beyond.answer] == [(2**63 - 1, -(2**63)), (-(2**63), -(2**63))]


@pytest.mark.parametrize("toy", ["javascript"], indirect=True)
def test_javascript_what_is_given_instead_of_bytes_is_shown_as_its_text(toy: Adapter) -> None:
    (odd,) = toy.decode(b"odd")
    assert odd.answer[0].value == b"x"
    assert (odd.answer[0].key or b"").startswith(b"function Object()")


@pytest.mark.parametrize("toy", ["javascript"], indirect=True)
def test_javascript_promises_are_waited_for_and_results_stay_in_order(toy: Adapter) -> None:
    later, rejects, empty = toy.decode(b"later", b"rejects", b"empty")
    assert (later.answer, empty.answer) == ([AnswerRecord(5)], [])
    assert (rejects.status, rejects.text) == (1, "Error: not later either")


IMPORTS = {
    "python": (r"^(?:import|from) (\w+)", sys.stdlib_module_names),
    "java": (r"^import (\w+)\.", {"java"}),
    "go": (r'^\t"([^"]+)"$', {"encoding/binary", "encoding/json", "errors", "io", "os"}),
    "rust": (r"^use (\w+)", {"std"}),
    "javascript": (r"\brequire\(([^)]*)\)", set[str]()),
    "c": (r"^#include (\S+)", {f"<{name}.h>" for name in ("stdint", "stdio", "stdlib", "string", "unistd")}),
}
CATCHES = {"go": r"\brecover\(", "rust": "catch_unwind"}


@pytest.mark.parametrize("name", LANGUAGES)
def test_template_needs_nothing_but_its_language(name: str) -> None:
    text = TEMPLATES[name]["decoder"].read_text(encoding="utf-8")
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    pattern, allowed = IMPORTS[name]
    assert set(re.findall(pattern, code, re.MULTILINE)) <= set(allowed)


@pytest.mark.parametrize("name", CATCHES)
def test_template_catches_no_panic(name: str) -> None:
    assert not re.search(CATCHES[name], TEMPLATES[name]["decoder"].read_text(encoding="utf-8"))
