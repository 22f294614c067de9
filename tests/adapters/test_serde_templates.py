"""The templates for readers of keys and values do the same in all languages, with a toy each."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.protocol.hello import hello_request, parse_hello
from kafka_conformance.protocol.messages import Status
from kafka_conformance.run.smoke import smoke
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.folders import TEMPLATES

from tests.adapters.languages import C_WARNINGS
from tests.adapters.test_client_templates import ask

TOYS = Path(__file__).with_name("toys") / "serde"
WORDS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "python": ("toy.py", (), (sys.executable, "toy.py")),
    "java": ("Toy.java", ("javac", "-Xlint:all", "-Werror", "Serde.java", "Toy.java"), ("java", "-cp", ".", "Toy")),
    "go": ("main.go", ("go", "build", "-o", "toy", "."), ("./toy",)),
    "rust": ("main.rs", ("rustc", "--edition=2021", "-D", "warnings", "-o", "toy", "main.rs"), ("./toy",)),
    "javascript": ("toy.js", (), ("node", "toy.js")),
    "c": ("toy.c", ("cc", *C_WARNINGS, "-o", "toy", "toy.c"), ("./toy",)),
}
"""By language the toy's file, what builds it, and what runs it."""

Start = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Makes the toy of a language, once, and returns its command."""

    @cache
    def make(language: str) -> list[str]:
        toy, build, run = WORDS[language]
        folder, program = tmp_path_factory.mktemp(language), (build or run)[0]
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not on the PATH")
        place = folder / "serde" if language == "go" else folder
        place.mkdir(exist_ok=True)
        shutil.copy(TEMPLATES[language]["serde"], place)
        shutil.copy(TOYS / toy, folder)
        (folder / "go.mod").write_text("module toy\n\ngo 1.25\n", encoding="utf-8")
        if build:
            subprocess.run(build, cwd=folder, check=True, timeout=1800)
        return [str(folder / word) if (folder / word).is_file() or word == "." else word for word in run]

    return make


def block(*questions: dict[str, Any], ascii_only: bool = True) -> bytes:
    asked = [json.dumps(question, ensure_ascii=ascii_only).encode() for question in questions]
    inputs = b"".join(len(each).to_bytes(4, "big") + each for each in asked)
    return b"F\0\0\0\7" + len(asked).to_bytes(4, "big") + inputs


def results(reply: bytes) -> list[tuple[Status, bytes]]:
    assert reply[:5] == b"F\0\0\0\7"
    found, at = [], 9
    while at < len(reply):
        end = at + 5 + int.from_bytes(reply[at + 1 : at + 5], "big")
        found.append((Status(reply[at]), reply[at + 5 : end]))
        at = end
    assert len(found) == int.from_bytes(reply[5:9], "big")
    return found


def question(content: str, data: str | None, *headers: list[str | None], schema: str = '"string"') -> dict[str, Any]:
    return {"content": content, "data": data, "headers": list(headers), "schema": schema}


@pytest.mark.parametrize("language", TEMPLATES)
def test_values_are_read_refused_or_not_supported(language: str, start: Start) -> None:
    asked = [
        question("confluent", None),
        question("confluent", ""),
        question("string", "00"),
        question("confluent", "00ff7f", ["data", "00"], ["n", None]),
    ]
    hello, first, second = ask(start(language), hello_request(), block(*asked), block(asked[3]))
    declared = parse_hello(hello)
    assert (declared.name, declared.formats, declared.serdes["void"]) == ("toy", (), ["value"])
    said = results(first)
    assert [status for status, _ in said] == [Status.REFUSED, Status.REFUSED, Status.UNSUPPORTED, Status.ANSWER]
    assert all(word in said[at][1] for at, word in ((0, b"not so"), (1, b"not so"), (2, b"no such thing")))
    assert json.loads(said[3][1]) == json.loads(results(second)[0][1]) == {"schema_id": 2, "payload": "00ff7f"}


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("language", TEMPLATES)
def test_texts_arrive_as_they_are(language: str, ascii_only: bool, start: Start) -> None:
    names = ['a"b\\c/\n\r\t\b\f', "é日本𝄞", "", "null]}"]
    asked = [
        question("void", None, ["n", "00"], [name, value], schema=name) for name in names for value in ("ff", None)
    ]
    _, reply = ask(start(language), hello_request(), block(*asked, ascii_only=ascii_only))
    expected = [f"{name.encode().hex()}:{said}:{name.encode().hex()}" for name in names for said in ("ff", "-")]
    assert [json.loads(answer)["value"] for _, answer in results(reply)] == expected


@pytest.mark.parametrize("language", TEMPLATES)
def test_smoke_asks_a_reader(language: str, start: Start) -> None:
    """The toy reads values in a way of its own, which smoke says."""
    steps = list(smoke(Candidate("toy", Command(tuple(start(language)))), Limits(seconds=60, start_seconds=60)))
    assert (steps[0].name, steps[0].passed, "toy 1" in steps[0].words) == ("hello", True, True)
    assert (steps[-1].name, steps[-1].passed, "schema_id" in steps[-1].words) == ("serde: one question", False, True)
