"""A target among thousands of batches: its faults are pinned on the right ones, the rest
compared."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.ask.checker import Checker, Commands
from kafka_conformance.scale.ask.search import AT_ONCE
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.plan import Endurance
from kafka_format.sampler import FAULTS, Fault

from tests.kafka_conformance.miniature_targets import command, limits
from tests.kafka_conformance.scale.miniature_batches import miniature_batches

COUNT = 700
PASSED = Checked({}, set(), set())


@contextmanager
def checking(name: str, *arguments: str, **endurance: float) -> Iterator[Checker]:
    checker = Checker(name, Commands(command(name, *arguments)), limits(name), replace(Endurance(), **endurance))
    try:
        yield checker
    finally:
        checker.close()


def check(checker: Checker, batches: Batches) -> Checked:
    checker.send(batches)
    return checker.next_results()


def outcomes(checked: Checked) -> dict[int, Outcome]:
    return {number: result.outcome for number, result in checked.results.items()}


def test_sound_target_passes_block_after_block() -> None:
    with checking("serve") as checker:
        for start in (0, COUNT):
            checked = check(checker, miniature_batches(COUNT, 3, start=start))
            assert checked == PASSED
        assert (checker.problem, checker.take_notes()) == ("", ())


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("crashes", Outcome.CRASHED),
        ("exits_with_0_half_way", Outcome.CRASHED),
        ("dies_in_mid_reply", Outcome.CRASHED),
        ("hangs", Outcome.HUNG),
        ("eats_memory", Outcome.OUT_OF_MEMORY),
        ("claims_2_gib", Outcome.BROKEN_PROTOCOL),
        ("logs_on_poison", Outcome.BROKEN_PROTOCOL),
    ],
)
def test_killer_is_found_and_the_next_block_is_checked_as_usual(name: str, outcome: Outcome) -> None:
    with checking(name) as checker:
        checked = check(checker, miniature_batches(COUNT, 0, 433))
        assert outcomes(checked) == {0: outcome, 433: outcome}
        assert checked.not_put == set()
        assert check(checker, miniature_batches(COUNT)) == PASSED
        assert (checker.problem, checker.take_notes()) == ("", ())


def test_crash_that_does_not_happen_again_is_noted_and_no_finding(tmp_path: Path) -> None:
    with checking("crashes_once", str(tmp_path / "seen")) as checker:
        assert check(checker, miniature_batches(COUNT, 5)) == PASSED
        [note] = checker.take_notes()
    assert "SIGABRT" in note
    assert f"on one of {COUNT} batches, and on none when they came again" in note


def test_target_that_dies_of_everything_is_given_up_and_stays_so() -> None:
    with checking("crashes_on_everything") as checker:
        checked = check(checker, miniature_batches(COUNT))
        assert "given up" in checker.problem
        assert set(outcomes(checked).values()) == {Outcome.CRASHED}
        assert checked.not_put | set(checked.results) == set(range(COUNT))
        assert not checked.not_put & set(checked.results)
        assert check(checker, miniature_batches(5)) == Checked({}, set(), set(range(5)))


def test_target_that_hangs_again_and_again_is_given_up_with_what_was_found() -> None:
    with checking("hangs", patience=2.0) as checker:
        checked = check(checker, miniature_batches(400, *range(0, 400, 50)))
        assert "given up: it gave no reply for 0.6 s, and so on, for 2 s; `--patience` gives" in checker.problem
        assert outcomes(checked)[0] is Outcome.HUNG
        assert set(range(351, 400)) <= checked.not_put
        assert not checked.not_put & set(checked.results)


def test_batches_with_a_fault_are_skipped_after_some_deaths_by_it() -> None:
    """Those that are put again together may all die; the next ones are skipped, and the sound ones
    are put."""
    places = range(0, COUNT, AT_ONCE)
    with checking("crashes", deaths=3) as checker:
        checked = check(checker, miniature_batches(COUNT, *places, fault=FAULTS[1]))
        died = {0, AT_ONCE, 2 * AT_ONCE}
        assert outcomes(checked) == dict.fromkeys(died, Outcome.CRASHED)
        assert checked.skipped == set(places) - died
        assert checked.not_put == set()
        # A block with nothing else, one of another fault, and one without any.
        assert check(checker, miniature_batches(2, 0, 1, fault=FAULTS[1])) == Checked({}, {0, 1}, set())
        assert outcomes(check(checker, miniature_batches(5, 2, fault=FAULTS[2]))) == {2: Outcome.CRASHED}
        assert outcomes(check(checker, miniature_batches(5, 2))) == {2: Outcome.CRASHED}
        assert checker.problem == ""


def test_batches_of_a_block_that_was_put_before_the_deaths_are_skipped_too() -> None:
    with checking("crashes", deaths=2) as checker:
        checker.send(miniature_batches(5, 1, 2, fault=FAULTS[1]))
        checker.send(miniature_batches(5, 1, 2, fault=FAULTS[1]))
        checker.send(miniature_batches(2, 0, 1, fault=FAULTS[1]))
        found = [checker.next_results() for _ in range(3)]
    assert outcomes(found[0]) == {1: Outcome.CRASHED, 2: Outcome.CRASHED}
    assert found[1:] == [Checked({}, {1, 2}, set()), Checked({}, {0, 1}, set())]


@pytest.mark.parametrize(("deaths", "fault"), [(0, FAULTS[1]), (1, FAULTS[0])], ids=["asked for all", "no fault"])
def test_nothing_is_skipped(deaths: int, fault: Fault) -> None:
    places = [0, AT_ONCE, 2 * AT_ONCE]
    with checking("crashes", deaths=deaths) as checker:
        assert outcomes(check(checker, miniature_batches(COUNT, *places, fault=fault))) == dict.fromkeys(
            places, Outcome.CRASHED
        )


def test_target_that_does_not_start_is_given_up_at_once() -> None:
    with checking("never_starts") as checker:
        assert check(checker, miniature_batches(5)) == Checked({}, set(), set(range(5)))
        assert "did not come up: it exited with status 4" in checker.problem


def test_wrong_answer_has_the_path_and_both_values() -> None:
    with checking("wrong_offset") as checker:
        checked = check(checker, miniature_batches(COUNT, 2433, start=2000))
    [(number, result)] = checked.results.items()
    assert (number, result.vector, result.outcome) == (433, "2433", Outcome.WRONG_ANSWER)
    assert (result.path, result.expected, result.got) == ("records[0].offset", "7", "8")


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("refuses_everything", Outcome.REFUSED_VALID),
        ("supports_nothing", Outcome.UNSUPPORTED),
        ("answer_cut_short", Outcome.BROKEN_PROTOCOL),
    ],
)
def test_every_batch_is_judged_when_every_reply_is_wrong(name: str, outcome: Outcome) -> None:
    with checking(name) as checker:
        assert outcomes(check(checker, miniature_batches(50))) == dict.fromkeys(range(50), outcome)


@pytest.mark.parametrize("name", ["serve", "crashes", "hangs"])
def test_block_that_is_put_before_the_last_one_is_taken_is_judged_as_well(name: str) -> None:
    """So the target works while the next block is generated; that one is put again if the target is
    lost."""
    with checking(name) as checker:
        checker.send(miniature_batches(COUNT, 433))
        for start in (COUNT, 2 * COUNT):
            checker.send(miniature_batches(COUNT, start + 5, start=start))
            first = checker.next_results()
            assert list(first.results) == ([] if name == "serve" else [433 if start == COUNT else 5])
        assert list(checker.next_results().results) == ([] if name == "serve" else [5])


def test_reply_of_the_wrong_size_is_the_target_s_fault() -> None:
    with checking("answers_too_few") as checker:
        checked = check(checker, miniature_batches(50))
    assert set(outcomes(checked).values()) == {Outcome.BROKEN_PROTOCOL}
    assert "given up" in checker.problem


def test_formats_that_are_not_declared_are_not_put() -> None:
    with checking("crashes_on_everything") as checker:
        checked = check(checker, miniature_batches(5, version="v1"))
        assert checker.problem == ""
    assert outcomes(checked) == dict.fromkeys(range(5), Outcome.UNSUPPORTED)
    assert checked.results[0].detail == "does not declare format v1"


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="nothing here ends a target together with its runner")
def test_target_does_not_outlive_a_worker_that_is_killed(tmp_path: Path) -> None:
    """Spark ends its workers with SIGKILL when a run is interrupted, and a target that hangs sees
    no end of input."""
    script = (
        "from tests.kafka_conformance.scale.miniature_batches import miniature_batches;"
        "from tests.kafka_conformance.miniature_targets import command, PATIENT; from dataclasses import replace;"
        "from kafka_conformance.scale.ask.checker import Checker, Commands;"
        "from kafka_conformance.scale.plan import Endurance;"
        "commands = Commands(command('hangs_and_tells', 'MARK'));"
        "checker = Checker('hangs', commands, replace(PATIENT, seconds=300), Endurance());"
        "checker.send(miniature_batches(5, 2)); checker.next_results()"
    ).replace("MARK", str(hung := tmp_path / "hung"))
    root = Path(__file__).parents[4]
    worker = subprocess.Popen([sys.executable, "-c", script], cwd=root)
    assert _wait(hung.exists)
    assert len(_running(str(hung))) == 1
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    assert _wait(lambda: not _running(str(hung)))


def _running(mark: str) -> list[str]:
    """Processes other than the worker, which has the mark inside a longer argument."""
    lines = [path.read_bytes().split(b"\0") for path in Path("/proc").glob("[0-9]*/cmdline") if _readable(path)]
    return [line[0].decode() for line in lines if mark.encode() in line]


def _readable(path: Path) -> bool:
    try:
        return bool(path.read_bytes())
    except OSError:
        return False


def _wait(until: object, seconds: float = 600) -> bool:
    assert callable(until)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if until():
            return True
        time.sleep(0.05)
    return False
