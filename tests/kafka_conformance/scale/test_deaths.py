"""A Python target that dies, hangs or eats memory over shared blocks: all of that is pinned on the right batch."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale import slots
from kafka_conformance.scale.batches import Batches, Checked

from tests.kafka_conformance.scale.sharers import HERE, LIMITS, batches, check, outcomes, sharing, sharing_rows, told

pytestmark = pytest.mark.skipif(not slots.possible(), reason="blocks are shared on Linux only")

AGAIN = " (again in a fresh process)"


@pytest.fixture
def deadly(tmp_path: Path) -> Callable[[Mapping[int, str], Batches], str]:
    def write(deeds: Mapping[int, str], block: Batches) -> str:
        file = tmp_path / "deadly.json"
        file.write_text(json.dumps({block.input(place).hex(): deed for place, deed in deeds.items()}))
        return str(file)

    return write


DEEDS: Mapping[str, tuple[Outcome, str]] = {
    "segfault": (Outcome.CRASHED, "was killed by SIGSEGV (Segmentation fault)" + AGAIN),
    "exit 3": (Outcome.CRASHED, "exited with status 3" + AGAIN),
    "exit 0": (Outcome.CRASHED, "exited with status 0 before it had answered" + AGAIN),
    "eats memory": (Outcome.OUT_OF_MEMORY, "took more memory than the limit of 150 MiB"),
    "loops": (Outcome.HUNG, "gave no reply for 0.8 s"),
    "sleeps": (Outcome.HUNG, "gave no reply for 0.8 s"),
    "system exit": (Outcome.CRASHED, "raised SystemExit: 3"),
    "interrupt": (Outcome.CRASHED, "raised KeyboardInterrupt: "),
    "refusal": (Outcome.REFUSED_VALID, "ValueError: refusal"),
}
TWELVE = [*DEEDS, "segfault", "exit 3", "refusal"]
PLACES: Sequence[Sequence[int]] = [
    range(100, 112),
    [0, 1, 5, 63, 64, 65, 200, 201, 300, 512, 698, 699],
]


FORMS = {"columns": sharing, "images": sharing_rows}
DEADLY = {"columns": "python:deadly:decode", "images": HERE / "deadly_rows.py"}
"""How what a target gives is compared."""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("places", PLACES, ids=["one after another", "apart, at every edge"])
def test_twelve_deaths_are_each_pinned_on_their_batch(
    places: Sequence[int], form: str, deadly: Callable[[Mapping[int, str], Batches], str]
) -> None:
    deeds = dict(zip(places, TWELVE, strict=True))
    block = batches(700)
    with FORMS[form](DEADLY[form], DEADLY=deadly(deeds, block)) as sharer:
        checked = check(sharer, block)
        assert check(sharer, batches(700, start=700)) == Checked({}, set())
        assert sharer.problem == ""
    assert checked.not_put == set()
    assert told(checked) == {place: DEEDS[deed] for place, deed in deeds.items()}


@pytest.mark.parametrize("form", FORMS)
def test_error_that_kills_when_it_is_told_kills_a_fresh_process_too(
    form: str, deadly: Callable[[Mapping[int, str], Batches], str]
) -> None:
    block = batches(100)
    with FORMS[form](DEADLY[form], DEADLY=deadly({40: "exits when its error is told"}, block)) as sharer:
        assert told(check(sharer, block)) == {40: DEEDS["exit 3"]}


ELSEWHERE: Mapping[str, tuple[Outcome, str]] = {
    "eats memory elsewhere": DEEDS["eats memory"],
    "crashes beside another": DEEDS["segfault"],
    "hangs beside another": DEEDS["loops"],
}


@pytest.mark.parametrize("deed", ELSEWHERE)
def test_what_a_decoder_starts_is_its_own_and_ends_with_it(
    deed: str, deadly: Callable[[Mapping[int, str], Batches], str]
) -> None:
    block = batches(100)
    file = deadly({40: deed}, block)
    with sharing("python:deadly:decode", replace(LIMITS, seconds=3), DEADLY=file) as sharer:
        checked = check(sharer, block)
        with pytest.raises(ProcessLookupError):
            os.kill(int(Path(file + ".elsewhere").read_text()), 0)
        assert check(sharer, batches(100, start=100)) == Checked({}, set())
        assert sharer.problem == ""
    outcome, detail = ELSEWHERE[deed]
    assert told(checked) == {40: (outcome, detail.replace("0.8", "3"))}


def test_crash_that_does_not_happen_again_says_so(deadly: Callable[[Mapping[int, str], Batches], str]) -> None:
    block = batches(300)
    with sharing("python:deadly:decode", DEADLY=deadly({200: "once", 210: "refusal"}, block)) as sharer:
        checked = check(sharer, block)
    blame = "exited with status 7 (but not in a fresh process: an earlier input may be to blame)"
    assert told(checked) == {200: (Outcome.CRASHED, blame), 210: DEEDS["refusal"]}


WATCHING: Mapping[str, tuple[Outcome, str]] = {
    "kills its parent": (Outcome.CRASHED, "was killed by SIGKILL (Killed)" + AGAIN),
    "terminates its parent": (Outcome.CRASHED, "was killed by SIGTERM (Terminated)" + AGAIN),
    "stops its parent": DEEDS["sleeps"],
    "kills its group": (Outcome.CRASHED, "was killed by SIGKILL (Killed)" + AGAIN),
    "kills its group by number": (Outcome.CRASHED, "was killed by SIGKILL (Killed)" + AGAIN),
}


def test_function_that_ends_the_process_that_watches_it_is_pinned_on_its_batch(
    deadly: Callable[[Mapping[int, str], Batches], str],
) -> None:
    deeds = dict(zip((0, 70, 71, 150, 200), WATCHING, strict=True))
    block = batches(300)
    with sharing("python:deadly:decode", DEADLY=deadly(deeds | {40: "quietly looks for its parent"}, block)) as sharer:
        checked = check(sharer, block)
        assert check(sharer, batches(300, start=300)) == Checked({}, set())
        assert sharer.problem == ""
    assert told(checked) == {place: WATCHING[deed] for place, deed in deeds.items()}


def test_loss_of_the_process_that_watches_names_the_batches_at_hand(
    deadly: Callable[[Mapping[int, str], Batches], str],
) -> None:
    block = batches(300, start=1000)
    with sharing("python:deadly:decode", DEADLY=deadly({40: "kills its parent from C"}, block)) as sharer:
        assert check(sharer, block) == Checked({}, set(range(300)))
    which = "one of batches 1000 to 1299 (`--index` puts one alone)"
    assert sharer.problem == f"given up on {which}: it was killed by SIGKILL (Killed)"


@pytest.mark.parametrize("deed", ["quietly closes 0 to 2", "quietly closes all"])
def test_decoder_that_closes_files_harms_no_other_batch(
    deadly: Callable[[Mapping[int, str], Batches], str], deed: str
) -> None:
    """Those that blocks come and go by are not its own; a child that misses them afterwards is replaced."""
    first, second = batches(100), batches(100, start=100)
    with sharing("python:deadly:decode", DEADLY=deadly({60: deed}, first)) as sharer:
        assert check(sharer, first) == Checked({}, set())
        assert check(sharer, second) == Checked({}, set())
        assert sharer.problem == ""


def test_target_that_dies_of_everything_is_given_up(deadly: Callable[[Mapping[int, str], Batches], str]) -> None:
    block = batches(300)
    with sharing("python:deadly:decode", DEADLY=deadly(dict.fromkeys(range(50, 300), "exit 3"), block)) as sharer:
        checked = check(sharer, block)
        assert "given up" in sharer.problem
        assert check(sharer, batches(5, start=300)) == Checked({}, set(range(5)))
    assert 10 < len(checked.results) < 50
    assert set(checked.results) | checked.not_put == set(range(50, 300))
    assert not set(checked.results) & checked.not_put


def test_refusal_before_a_target_is_given_up_stays_known(
    deadly: Callable[[Mapping[int, str], Batches], str],
) -> None:
    """It lies among batches that are decoded and not compared yet; those have to be taken for not put."""
    block, limits = batches(30), replace(LIMITS, seconds=0.2, patience=0.1)
    with sharing("python:deadly:decode", limits, DEADLY=deadly({0: "refusal", 2: "sleeps"}, block)) as sharer:
        checked = check(sharer, block)
        assert "given up" in sharer.problem
    assert list(told(checked)) == [0, 2]
    assert told(checked)[0] == DEEDS["refusal"]
    assert checked.not_put == {1, *range(3, 30)}


@pytest.mark.parametrize(("patience", "hung"), [(0.5, 3), (60, 4)])
def test_target_that_hangs_again_and_again_is_given_up_when_patience_ends(
    patience: float, hung: int, deadly: Callable[[Mapping[int, str], Batches], str]
) -> None:
    """Each hang takes 0.2 seconds; the third one ends a patience of half a second. What came behind the second one was
    not judged by then.
    """
    block, limits = batches(100), replace(LIMITS, seconds=0.2, patience=patience)
    deeds = dict.fromkeys((10, 20, 30, 40), "sleeps")
    with sharing("python:deadly:decode", limits, DEADLY=deadly(deeds, block)) as sharer:
        checked = check(sharer, block)
        assert ("`--patience` gives it more time" in sharer.problem) == (hung == 3)
    assert list(told(checked)) == [10, 20, 30, 40][:hung]
    assert checked.not_put == (set() if hung == 4 else {*range(21, 100)} - {30})


def test_target_is_spared_the_others_after_some_deaths_by_one_fault(
    deadly: Callable[[Mapping[int, str], Batches], str],
) -> None:
    """Deaths within a block are found by the other side; the blocks behind it leave out what is known by then."""
    first, second = batches(2000, "hostile"), batches(2000, "hostile", 2000)
    sort = next(sort for sort, number in first.sorts.items() if sort[0] == "v2" and sort[2] and number in range(10, 21))
    places = [place for place in range(2000) if first.sort(place) == sort]
    later = [place for place in range(2000) if second.sort(place) == sort]
    assert later
    deeds = dict.fromkeys(places[:2], "exit 3")
    limits = replace(LIMITS, deaths=2)
    with sharing("python:deadly:decode", limits, DEADLY=deadly(deeds, first)) as sharer:
        assert outcomes(check(sharer, first)) == dict.fromkeys(deeds, Outcome.CRASHED)
        assert outcomes(check(sharer, second)) == dict.fromkeys(later, Outcome.SPARED)
        assert sharer.problem == ""


def test_exceptions_that_are_no_refusals_are_no_deaths(deadly: Callable[[Mapping[int, str], Batches], str]) -> None:
    first, second = batches(2000, "hostile"), batches(2000, "hostile", 2000)
    sort, _ = first.sorts.most_common(1)[0]
    place = next(place for place in range(2000) if first.sort(place) == sort)
    with sharing(
        "python:deadly:decode", replace(LIMITS, deaths=1), DEADLY=deadly({place: "system exit"}, first)
    ) as sharer:
        assert outcomes(check(sharer, first)) == {place: Outcome.CRASHED}
        assert outcomes(check(sharer, second)) == {}


def test_records_that_kill_when_they_are_looked_at_are_pinned_on_their_batch() -> None:
    """That happens when many are compared at a time, of which the others are innocent."""
    block = batches(1000)
    deeds = {7: DEEDS["exit 3"], 8: DEEDS["loops"]}
    due = {place: deeds[byte] for place in range(1000) if (byte := block.input(place)[20]) in deeds}
    assert set(due.values()) == set(deeds.values())
    with sharing("python:liars:dies_when_looked_at") as sharer:
        checked = check(sharer, block)
        assert check(sharer, batches(50, start=1000)).not_put == set()
        assert sharer.problem == ""
    assert told(checked) == due
    assert checked.not_put == set()


def test_batches_that_kill_when_their_images_are_written_are_pinned_down_too(
    deadly: Callable[[Mapping[int, str], Batches], str],
) -> None:
    """Whoever is in the same group, or dies of another one of it, is innocent."""
    deeds = dict(zip((0, 9, 31, 32, 200, 298), [*DEEDS][:6], strict=True))
    written = {place: f"when compared: {deed}" for place, deed in deeds.items() if place not in (9, 298)}
    block = batches(300)
    with sharing_rows(HERE / "deadly_rows.py", DEADLY=deadly(deeds | written, block)) as sharer:
        checked = check(sharer, block)
        assert check(sharer, batches(300, start=300)) == Checked({}, set())
        assert sharer.problem == ""
    assert checked.not_put == set()
    assert told(checked) == {place: DEEDS[deed] for place, deed in deeds.items()}
