"""A decoder in isolation that dies, hangs or eats memory: each is attributed to the right batch."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.ask import isolation_page
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.plan import Endurance

from tests.kafka_conformance.scale.ask.isolated_targets import (
    LIMITS,
    batches,
    check,
    details,
    function,
    outcomes,
    passed,
)

pytestmark = pytest.mark.skipif(not isolation_page.possible(), reason="decoders are isolated on Linux only")

TARGET = "python:decoders_that_crash:decode"
AGAIN = " (again in a fresh process)"

Write = Callable[[Mapping[int, str], Batches], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes down what happens at some batches of a block; returns the file."""

    def write(deeds: Mapping[int, str], block: Batches) -> str:
        file = tmp_path / "deeds.json"
        file.write_text(json.dumps({block.input(place).hex(): deed for place, deed in deeds.items()}))
        return str(file)

    return write


DEEDS: Mapping[str, tuple[Outcome, str]] = {
    "segfault": (Outcome.CRASHED, "was killed by SIGSEGV (Segmentation fault)" + AGAIN),
    "exit 3": (Outcome.CRASHED, "exited with status 3" + AGAIN),
    "exit 0": (Outcome.CRASHED, "exited with status 0 before it had answered" + AGAIN),
    "eats memory": (Outcome.OUT_OF_MEMORY, "took more memory than the limit of 150 MiB"),
    "loops": (Outcome.HUNG, "gave no reply for 3 s"),
    "sleeps": (Outcome.HUNG, "gave no reply for 3 s"),
    "system exit": (Outcome.CRASHED, "raised SystemExit: 3"),
    "interrupt": (Outcome.CRASHED, "raised KeyboardInterrupt: "),
    "refusal": (Outcome.REFUSED_VALID, "ValueError: refusal"),
}
TWELVE = [*DEEDS, "segfault", "exit 3", "refusal"]
PLACES: Sequence[Sequence[int]] = [
    range(100, 112),
    [0, 1, 5, 255, 256, 257, 400, 401, 511, 512, 698, 699],
]
"""Results are sent after 256 inputs, so that is where the edges are."""


@pytest.mark.parametrize(
    "places",
    [
        pytest.param(PLACES[0], id="one after another", marks=pytest.mark.whole),
        pytest.param(PLACES[1], id="apart, at every edge"),
    ],
)
def test_twelve_deaths_are_each_attributed_to_their_batch(places: Sequence[int], write: Write) -> None:
    deeds = dict(zip(places, TWELVE, strict=True))
    block = batches(700)
    with function(TARGET, DEEDS=write(deeds, block)) as checker:
        checked = check(checker, block)
        assert check(checker, batches(700, start=700)) == passed()
        assert checker.problem == ""
    assert checked.not_put == set()
    assert details(checked) == {place: DEEDS[deed] for place, deed in deeds.items()}


def test_block_that_was_put_before_the_last_one_was_taken_is_checked_as_well(write: Write) -> None:
    first, second = batches(300), batches(300, start=300)
    deeds = write({5: "exit 3", 299: "segfault"}, first)
    with function(TARGET, DEEDS=deeds) as checker:
        checker.send(first)
        checker.send(second)
        assert details(checker.next_results()) == {5: DEEDS["exit 3"], 299: DEEDS["segfault"]}
        assert checker.next_results() == passed()


def is_gone(process: str) -> bool:
    """Wait until a process has ended, however long its memory takes to be freed; nobody may have
    asked how it did."""
    with suppress(FileNotFoundError, ProcessLookupError):
        while Path("/proc", process, "stat").read_text().rpartition(") ")[2][0] not in "ZX":
            sleep(0.01)
    return True


ELSEWHERE: Mapping[str, tuple[Outcome, str]] = {
    "eats memory elsewhere": DEEDS["eats memory"],
    "crashes beside another": DEEDS["segfault"],
    "hangs beside another": DEEDS["loops"],
}


@pytest.mark.parametrize("deed", ELSEWHERE)
def test_what_a_decoder_starts_is_its_own_and_ends_with_it(deed: str, write: Write, tmp_path: Path) -> None:
    block = batches(100)
    with function(TARGET, DEEDS=write({40: deed}, block)) as checker:
        checked = check(checker, block)
        assert is_gone((tmp_path / "deeds.elsewhere").read_text())
        assert check(checker, batches(100, start=100)) == passed()
        assert checker.problem == ""
    assert details(checked) == {40: ELSEWHERE[deed]}


def test_crash_that_does_not_happen_again_says_so(write: Write) -> None:
    block = batches(300)
    with function(TARGET, DEEDS=write({200: "exits once", 210: "refusal"}, block)) as checker:
        checked = check(checker, block)
    blame = "exited with status 7 (but not in a fresh process: an earlier input may be to blame)"
    assert details(checked) == {200: (Outcome.CRASHED, blame), 210: DEEDS["refusal"]}


def test_loss_of_the_process_that_forks_names_the_batches_at_hand(write: Write) -> None:
    block = batches(300, start=1000)
    with function(TARGET, DEEDS=write({40: "kills its parent"}, block)) as checker:
        assert check(checker, block) == Checked({}, set(), set(range(300)))
        assert check(checker, batches(5)) == Checked({}, set(), set(range(5)))
    which = "one of batches 1000 to 1299 (`--index` puts one alone)"
    assert checker.problem == f"given up on {which}: it was killed by SIGKILL (Killed)"


def test_target_that_dies_of_everything_is_given_up(write: Write) -> None:
    block = batches(300)
    with function(TARGET, DEEDS=write(dict.fromkeys(range(50, 300), "exit 3"), block)) as checker:
        checked = check(checker, block)
        assert "given up" in checker.problem
        assert check(checker, batches(5, start=300)) == Checked({}, set(), set(range(5)))
    assert 10 < len(checked.results) < 50
    assert set(checked.results) | checked.not_put == set(range(300))
    assert not set(checked.results) & checked.not_put


@pytest.mark.parametrize(("patience", "hung"), [(0.5, 3), (60, 4)])
def test_target_that_hangs_again_and_again_is_given_up_when_patience_ends(
    patience: float, hung: int, write: Write
) -> None:
    """Each hang takes 0.2 seconds; the third one ends a patience of half a second."""
    block, limits = batches(100), replace(LIMITS, seconds=0.2)
    deeds = write(dict.fromkeys((10, 20, 30, 40), "sleeps"), block)
    with function(TARGET, limits, Endurance(patience=patience), DEEDS=deeds) as checker:
        checked = check(checker, block)
        assert ("`--patience` gives it more time" in checker.problem) == (hung == 3)
    assert list(details(checked)) == [10, 20, 30, 40][:hung]
    assert checked.not_put == (set() if hung == 4 else set(range(100)) - {10, 20, 30})


def test_batches_with_a_fault_are_skipped_after_some_deaths_by_it(write: Write) -> None:
    """Also those that come after in the same block."""
    block = batches(4000, "hostile")
    sort = next(sort for sort, number in block.sorts.items() if sort.format == "v2" and sort.fault and number > 10)
    places = [place for place in range(4000) if block.sort(place) == sort]
    deaths = len(places) // 10 + 1
    deeds = dict.fromkeys(places[:deaths], "exit 3")
    with function(TARGET, LIMITS, Endurance(deaths=deaths), DEEDS=write(deeds, block)) as checker:
        checked = check(checker, block)
        assert checker.problem == ""
    assert outcomes(checked) == dict.fromkeys(deeds, Outcome.CRASHED)
    assert checked.skipped == set(places[deaths:])


def test_exceptions_that_are_no_refusals_are_no_deaths(write: Write) -> None:
    first, second = batches(2000, "hostile"), batches(2000, "hostile", 2000)
    sort, _ = first.sorts.most_common(1)[0]
    place = next(place for place in range(2000) if first.sort(place) == sort)
    deeds = write({place: "system exit"}, first)
    with function(TARGET, LIMITS, Endurance(deaths=1), DEEDS=deeds) as checker:
        assert outcomes(check(checker, first)) == {place: Outcome.CRASHED}
        assert outcomes(check(checker, second)) == {}
