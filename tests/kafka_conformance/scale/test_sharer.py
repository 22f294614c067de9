"""A Python target that takes blocks out of shared memory: what it gives is held against what is due, batch by batch."""

from pathlib import Path

import pytest
from kafka_conformance.child.launch import Command
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale import slots
from kafka_conformance.scale.batches import Checked
from kafka_conformance.scale.sharer import Sharer
from kafka_format import sampler

from tests.kafka_conformance.scale.liars import LIES
from tests.kafka_conformance.scale.sharers import LIMITS, batches, check, sharing, sharing_rows, sharing_slots, told

pytestmark = pytest.mark.skipif(not slots.possible(), reason="blocks are shared on Linux only")


@pytest.mark.parametrize("profile", sampler.PROFILES)
def test_sound_target_passes_every_profile(profile: str) -> None:
    with sharing("reference") as sharer:
        for start in (0, 60):
            assert check(sharer, batches(60, profile, start)) == Checked({}, set())
        assert (sharer.problem, sharer.notes) == ("", [])


def test_wrong_answer_is_found_wherever_it_is() -> None:
    block = batches(300)
    with sharing("python:liars:one_a_residue") as sharer:
        checked = check(sharer, block)
    residues = {number: block.input(number)[-1] % 16 for number in range(300)}
    paths = {number: path for number in range(300) for place, path in enumerate(LIES) if residues[number] == place}
    assert set(paths.values()) == set(LIES)
    found = {number: result.path for number, result in checked.results.items()}
    assert found.keys() == paths.keys()
    assert all(found[number].startswith(path) for number, path in paths.items())


def test_records_that_are_missing_shift_no_other_batch() -> None:
    block = batches(300)
    with sharing("python:liars:loses_records") as sharer:
        checked = check(sharer, block)
    assert set(checked.results) == {number for number in range(300) if block.input(number)[-1] % 16 == 0}


def test_fields_that_are_not_declared_are_not_compared() -> None:
    with sharing("python:liars:only_offsets") as sharer:
        assert check(sharer, batches(300, "mixed")) == Checked({}, set())
    with sharing("python:liars:mappings") as sharer:
        assert check(sharer, batches(300, "mixed")) == Checked({}, set())


def test_records_that_no_answer_can_hold_are_the_target_s_fault() -> None:
    with sharing("python:liars:text_for_key") as sharer:
        checked = check(sharer, batches(40))
    outcomes = {result.outcome for result in checked.results.values()}
    assert outcomes == {Outcome.CRASHED}
    assert "gave records that no answer can hold" in checked.results[min(checked.results)].detail


def test_records_that_raise_what_is_no_error_are_told_of_their_batch() -> None:
    block = batches(300)
    with sharing("python:liars:exits_when_looked_at") as sharer:
        found = told(check(sharer, block))
    due = (Outcome.CRASHED, "gave records that no answer can hold: SystemExit: offset")
    assert found == {place: due for place in range(300) if block.input(place)[-1] % 16 == 0}


ROWS = """
from batchwise import Batchwise
from kafka_format import records
from kafka_python_family import State, answer
from python_adapter import Record, serve


def read(data):
    found = records.decode(data)
    rows = [(*one[:5], [(name.decode(), content) for name, content in one.headers]) for one in found]
    if data[-1] % 16 == 0:
        rows = [(*row[:5], 5) for row in rows]
    if data[-1] % 16 == 1:
        rows = [(1 << 63, *row[1:]) for row in rows]
    if data[-1] % 16 == 2:
        yield State(), [(1, 2, 0, b"k", b"v", [])]
        raise ValueError("the second run")
    yield State(), rows


fields = ["offset", "timestamp", "timestamp_type", "key", "value", "headers", "control"]
hello = {"name": "rows", "version": "1", "language": "Python", "formats": ["v2"], "codecs": ["none"], "fields": fields}
serve({**hello, "checks_crc": True, "url": ""}, Batchwise(read, answer))
"""


def test_adapter_that_reads_rows_is_told_of_each_batch_that_differs(tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text(ROWS)
    block = batches(600)
    with sharing_rows(tmp_path / "adapter.py") as sharer:
        found = told(check(sharer, block))
    due: dict[int, tuple[Outcome, str]] = {0: (Outcome.CRASHED, "gave records that no answer can hold: TypeError: ")}
    due |= {1: (Outcome.WRONG_ANSWER, "records[0].offset is "), 2: (Outcome.REFUSED_VALID, "ValueError: the second")}
    kinds = {place: block.input(place)[-1] % 16 for place in range(600)}
    assert set(due) < set(kinds.values())
    assert found.keys() == {place for place, kind in kinds.items() if kind in due}
    for place, (outcome, detail) in found.items():
        assert outcome is due[kinds[place]][0]
        assert detail.startswith(due[kinds[place]][1])


WHOLE = """
import collections

from batchwise import Batchwise
from kafka_python_family import answer
from python_adapter import serve
from wholes import HELLO, run_of


def read(data):
    state, found = run_of(data)
    rows = [(*row[:5], {HEADERS}(row[5])) for row in found]
    if rows and data[-1] % 16 == 0:
        rows[-1] = (rows[-1][0] ^ 1, *rows[-1][1:])
    yield state, rows


def taken_apart(row, state):
    raise RuntimeError("taken apart")


serve(HELLO, Batchwise(read, {RECORD}))
"""


HEADERS = ("list", "tuple", "collections.deque")
"""As due; of another type; of a type that has no image."""


@pytest.mark.parametrize(("headers", "record"), [*((one, "answer") for one in HEADERS), ("list", "taken_apart")])
def test_adapter_that_reads_whole_batches_is_told_of_lies_alone(tmp_path: Path, headers: str, record: str) -> None:
    """Right rows are not taken apart; those of other types are, and are right all the same."""
    (tmp_path / "adapter.py").write_text(WHOLE.replace("{HEADERS}", headers).replace("{RECORD}", record))
    block = batches(400, "compressed")
    lies = {place for place in range(400) if block.input(place)[-1] % 16 == 0 and block.due(place)}
    with sharing_rows(tmp_path / "adapter.py") as sharer:
        found = told(check(sharer, block))
    assert lies
    assert found.keys() == lies
    outcomes = {outcome for outcome, _ in found.values()}
    assert outcomes == {Outcome.WRONG_ANSWER if record == "answer" else Outcome.CRASHED}


def test_control_records_are_not_expected_of_targets_that_hide_them() -> None:
    with sharing("python:liars:hides_control") as sharer:
        assert check(sharer, batches(1000, "mixed")) == Checked({}, set())


def test_target_that_does_not_come_up_gives_its_reason() -> None:
    with sharing("python:liars:nothing") as sharer:
        assert check(sharer, batches(5)) == Checked({}, set(range(5)))
        assert "no function 'nothing'" in sharer.problem


def test_program_that_cannot_share_blocks_is_told() -> None:
    with sharing_slots() as shared:
        sharer = Sharer("cat", Command(("cat",), sharing=("cat",)), LIMITS, shared)
        assert check(sharer, batches(5)) == Checked({}, set(range(5)))
        assert "did not come up" in sharer.problem
        sharer.close()
