"""A decoder in isolation: what it gives is held against what is due, batch by batch."""

from pathlib import Path

import pytest
from kafka_conformance.child.launch import Command
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.ask import isolation_page
from kafka_conformance.scale.ask.checker import Checker, Commands
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.plan import Endurance
from kafka_format import sampler

from tests.kafka_conformance.scale.ask.decoders_that_forge import LIES
from tests.kafka_conformance.scale.ask.isolated_targets import (
    LIMITS,
    NOT_PIPED,
    adapter,
    batches,
    check,
    details,
    function,
    passed,
)

pytestmark = pytest.mark.skipif(not isolation_page.possible(), reason="decoders are isolated on Linux only")

FORGERS = "python:decoders_that_forge:"


def residues(block: Batches) -> dict[int, int]:
    return {number: block.input(number)[-1] % 16 for number in range(len(block))}


@pytest.mark.parametrize("profile", sampler.PROFILES)
def test_sound_target_passes_every_profile(profile: str) -> None:
    with function("reference") as checker:
        for start in (0, 60):
            assert check(checker, batches(60, profile, start)) == passed()
        assert (checker.problem, checker.take_notes()) == ("", ())


def test_wrong_answer_is_found_wherever_it_is() -> None:
    block = batches(300)
    with function(FORGERS + "one_a_residue") as checker:
        checked = check(checker, block)
    paths = {number: dict(enumerate(LIES)).get(residue) for number, residue in residues(block).items()}
    expected = {number: path for number, path in paths.items() if path is not None}
    assert set(expected.values()) == set(LIES)
    assert checked.results.keys() == expected.keys()
    assert all(checked.results[number].path.startswith(path) for number, path in expected.items())


def test_records_that_are_missing_shift_no_other_batch() -> None:
    block = batches(300)
    with function(FORGERS + "loses_records") as checker:
        checked = check(checker, block)
    assert set(checked.results) == {number for number, residue in residues(block).items() if residue == 0}


@pytest.mark.parametrize("name", ["only_offsets", "mappings", "hides_control"])
def test_fields_that_are_not_declared_are_not_compared(name: str) -> None:
    with function(FORGERS + name) as checker:
        assert check(checker, batches(1000, "mixed")) == passed()


@pytest.mark.parametrize(
    ("name", "profile", "detail"),
    [
        ("text_for_key", "tiny", "returned 'text' as key of a record"),
        ("text_for_header_key", "mixed", "as headers of a record"),
    ],
)
def test_records_that_no_answer_can_hold_are_the_target_s_fault(name: str, profile: str, detail: str) -> None:
    block = batches(40, profile)
    with function(FORGERS + name) as checker:
        checked = check(checker, block)
    assert {result.outcome for result in checked.results.values()} == {Outcome.CRASHED}
    assert all("gave records that no answer can hold: " in result.detail for result in checked.results.values())
    assert any(detail in result.detail for result in checked.results.values())  # some are longer than is quoted


def test_records_that_raise_what_is_no_error_are_attributed_to_their_batch() -> None:
    block = batches(300)
    with function(FORGERS + "exits_when_looked_at") as checker:
        found = details(check(checker, block))
    expected = (Outcome.CRASHED, "gave records that no answer can hold: SystemExit: offset")
    assert found == {number: expected for number, residue in residues(block).items() if residue == 0}


BY_RECORD = """
from kafka_format import records
from python_adapter import NotSupported, Record, serve


def decode(data):
    if data[-1] % 16 == 1:
        raise NotSupported("such bytes")
    if data[-1] % 16 == 2:
        raise ValueError("such bytes")
    for one in records.decode(data):
        if data[-1] % 16 == 3:
            one = one._replace(offset=1 << 63)
        yield Record(one.offset, key=one.key, control=one.control)


hello = {"name": "x", "version": "1", "language": "Python", "formats": ["v2"], "codecs": ["none"], "checks_crc": True}
serve({**hello, "fields": ["offset", "key", "control"], "url": ""}, decode)
"""


def test_adapter_that_reads_record_by_record_is_asked_too(tmp_path: Path) -> None:
    """An integer that no int64 holds becomes the nearest, as over the pipe."""
    (tmp_path / "adapter.py").write_text(BY_RECORD)
    block = batches(300)
    with adapter(tmp_path / "adapter.py") as checker:
        checked = check(checker, block)
    expected = {
        1: (Outcome.UNSUPPORTED, "such bytes"),
        2: (Outcome.REFUSED_VALID, "ValueError: such bytes"),
        3: (Outcome.WRONG_ANSWER, f"records[0].offset is {2**63 - 1}, not "),
    }
    found = {number: residue for number, residue in residues(block).items() if residue in expected}
    assert set(found.values()) == set(expected)
    assert checked.results.keys() == found.keys()
    for number, residue in found.items():
        outcome, detail = expected[residue]
        assert checked.results[number].outcome is outcome
        assert checked.results[number].detail.startswith(detail)


BY_BATCH = """
from batchwise import Batchwise
from kafka_format import structure
from kafka_format import records
from kafka_python_family import answer
from python_adapter import Record, serve


def read(data):
    batch = structure("record_batch").decode(data)
    attributes = batch.attributes
    state = (
        *(batch.producer_id, batch.producer_epoch, batch.base_sequence, batch.base_offset),
        *(bool(attributes & 16), bool(attributes & 32), attributes & 7),
    )
    rows = [(*one[:5], [(key.decode(), value) for key, value in one.headers]) for one in records.decode(data)]
    if rows and data[-1] % 16 == 0:
        rows[-1] = (rows[-1][0] ^ 1, *rows[-1][1:])
    if rows and data[-1] % 16 == 1:
        rows[-1] = (*rows[-1][:5], 5)
    if data[-1] % 16 == 2:
        yield state, rows
        raise ValueError("the second run")
    yield state, rows


hello = {"name": "x", "version": "1", "language": "Python", "formats": ["v2"], "codecs": ["none"], "checks_crc": True}
serve({**hello, "fields": [*Record._fields], "url": ""}, Batchwise(read, answer))
"""


def test_adapter_that_reads_batch_by_batch_is_asked_too(tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text(BY_BATCH)
    block = batches(600, "mixed")
    with adapter(tmp_path / "adapter.py") as checker:
        checked = check(checker, block)
    expected = {
        0: (Outcome.WRONG_ANSWER, "records["),
        1: (Outcome.CRASHED, "gave records that no answer can hold: TypeError: "),
        2: (Outcome.REFUSED_VALID, "ValueError: the second run"),
    }
    found = {
        number: residue
        for number, residue in residues(block).items()
        if residue in expected and (residue == 2 or block.expected_records(number))
    }
    assert set(found.values()) == set(expected)
    assert checked.results.keys() == found.keys()
    for number, residue in found.items():
        outcome, detail = expected[residue]
        assert checked.results[number].outcome is outcome
        assert checked.results[number].detail.startswith(detail)


def test_adapter_that_encodes_and_reads_messages_is_asked_too(tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text(
        "from python_adapter import Record, serve\n"
        "hello = {'name': 'x', 'version': '1', 'language': 'Python', 'formats': ['v2'], 'codecs': ['none']}\n"
        "hello |= {'checks_crc': True, 'fields': [*Record._fields], 'url': '', 'apis': {'form': 'bytes'}}\n"
        "def other(*asked): raise ValueError\n"
        "serve(hello, lambda data: [], other, other)\n"
    )
    with adapter(tmp_path / "adapter.py") as checker:
        checked = check(checker, batches(5))
    assert {result.outcome for result in checked.results.values()} == {Outcome.WRONG_ANSWER}
    assert (len(checked.results), checker.problem) == (5, "")


def test_target_that_does_not_come_up_gives_its_reason() -> None:
    with function(FORGERS + "nothing") as checker:
        assert check(checker, batches(5)) == Checked({}, set(), set(range(5)))
        assert "no function 'nothing'" in checker.problem


def test_program_that_speaks_something_else_is_given_up() -> None:
    checker = Checker("cat", Commands(NOT_PIPED, Command(("cat",))), LIMITS, Endurance())
    assert check(checker, batches(5)) == Checked({}, set(), set(range(5)))
    assert "did not come up" in checker.problem
    checker.close()
