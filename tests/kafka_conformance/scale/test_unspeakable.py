"""Exceptions that cannot tell themselves: told all the same, as what they are, in every way to ask a target."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale import slots
from kafka_conformance.scale.batches import Batches
from kafka_conformance.scale.checker import Checker
from kafka_conformance.scale.sharer import Sharer
from kafka_conformance.scale.slots import Slots
from kafka_conformance.scale.work import Target
from kafka_conformance.serving.sharing import FOLDER, PROGRAM
from kafka_conformance.targets import resolve
from kafka_format import sampler

from tests.kafka_conformance.scale.unspeakable import REMAINDERS, TOLD

HERE = Path(__file__).parent
LIMITS = Limits(seconds=5, start_seconds=20, memory=300 << 20)
COUNT = 200

ADAPTER = """
from python_adapter import NotSupported, Record, serve
from unspeakable import decode


def read(data):
    if data[20] % 16 == 15:
        raise NotSupported("\\ud800")
    return [Record(*one) for one in decode(data)]


hello = {"name": "rows", "version": "1", "language": "Python", "formats": ["v2"], "codecs": ["none"]}
serve({**hello, "fields": ["offset", "control"], "checks_crc": True, "url": ""}, read)
"""


@contextmanager
def _target(way: str, command: Command) -> Iterator[Target]:
    if way == "protocol":
        with closing(Checker("unspeakable", command, LIMITS)) as checker:
            yield checker
    else:
        with closing(Slots()) as shared, closing(Sharer("unspeakable", command, LIMITS, shared)) as sharer:
            yield sharer


def _function(name: str) -> Command:
    command = resolve.contestant(f"python:unspeakable:{name}").command
    assert command is not None
    return replace(command, folder=HERE)


def _adapter(folder: Path) -> Command:
    file = folder / "adapter.py"
    file.write_text(ADAPTER)
    environment = {"PYTHONPATH": f"{FOLDER}:{HERE}"}
    return Command((sys.executable, str(file)), None, environment, sharing=(sys.executable, str(PROGRAM), str(file)))


ways = pytest.mark.parametrize(
    "way",
    [
        "protocol",
        pytest.param("shared", marks=pytest.mark.skipif(not slots.possible(), reason="on Linux only")),
    ],
)


@ways
@pytest.mark.parametrize("kind", ["function", "adapter"])
def test_exception_is_told_by_its_name_whatever_becomes_of_its_text(way: str, kind: str, tmp_path: Path) -> None:
    block = Batches(0, sampler.block(11, 0, COUNT, "tiny"))
    due = {number: place for number in range(COUNT) if (place := block.input(number)[20] % REMAINDERS) < len(TOLD)}
    assert set(due.values()) == set(range(len(TOLD)))
    with _target(way, _function("decode") if kind == "function" else _adapter(tmp_path)) as target:
        target.put(block)
        checked = target.take()
    assert target.problem == ""
    found = {number: one for number, one in checked.results.items() if one.outcome is not Outcome.UNSUPPORTED}
    assert {number: one.outcome for number, one in found.items()} == dict.fromkeys(due, Outcome.REFUSED_VALID)
    assert {number: one.detail for number, one in found.items()} == {
        number: TOLD[place] for number, place in due.items()
    }
    gaps = {one.detail for one in checked.results.values() if one.outcome is Outcome.UNSUPPORTED}
    assert gaps == (set() if kind == "function" else {r"\ud800"})


@pytest.mark.skipif(not slots.possible(), reason="on Linux only")
def test_exception_that_refuses_nothing_is_no_exit() -> None:
    block = Batches(0, sampler.block(11, 0, COUNT, "tiny"))
    with _target("shared", _function("fatal")) as target:
        target.put(block)
        checked = target.take()
    assert {one.detail for one in checked.results.values()} == {"raised _Fatal (its text cannot be told: ValueError)"}
    assert len(checked.results) == sum(block.input(number)[20] % REMAINDERS == 0 for number in range(COUNT))
