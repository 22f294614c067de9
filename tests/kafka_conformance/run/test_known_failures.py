"""Known failures hide nothing: untrue entries are reported, and updates lose no reason."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from kafka_conformance.diagnosis.cause import Cause
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run import known_failures, known_failures_update
from kafka_conformance.run.known_failures import KnownFailure, KnownFailures, KnownFile
from kafka_conformance.vectors.patterns import chooses
from kafka_conformance.vectors.vector import Reach
from kafka_tools.errors import UsageError

URL = "https://example.com/17"
TEXT = f"""# Ours.
# Ask Ada.
target: toy*
failures:
  - vectors: mixed/*
    outcome: refused-valid
    reason: The reader takes the magic of the first batch for all.
    url: {URL}
  - vectors: [a, b]
    direction: encode
    outcome: flaky
    reason: ""
    url: ""
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "known.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def entry(*vectors: str, outcome: Outcome = Outcome.CRASHED, **fields: object) -> KnownFailure:
    return KnownFailure("toy", vectors, outcome, **{"reason": "why", "url": URL, "place": "here", **fields})


def results(**outcomes: Outcome) -> list[Result]:
    return [Result(vector, "toy", outcome) for vector, outcome in outcomes.items()]


def problems(one: KnownFailure, found: Sequence[Result], *, whole: bool = True) -> tuple[str, ...]:
    return KnownFailures((one,)).problems(found, whole=whole)


def test_file_is_read_entry_by_entry(tmp_path: Path) -> None:
    file = known_failures.load(write(tmp_path, TEXT))
    first, second = file.failures
    assert (file.target, file.head) == ("toy*", "# Ours.\n# Ask Ada.")
    assert (first.vectors, first.outcome, first.direction) == (("mixed/*",), Outcome.REFUSED_VALID, Direction.DECODE)
    assert (second.vectors, second.direction, second.is_explained) == (("a", "b"), Direction.ENCODE, False)
    assert second.place.endswith("known.yaml: failures[1]")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (TEXT, "", "is wrong at $: None is not of type 'object'"),
        (TEXT, "target: [", "is not YAML"),
        ("target: toy*\n", "", "'target' is a required property"),
        ("refused-valid", "exploded", "failures[0].outcome: 'exploded' is not one of"),
        ("refused-valid", "passed", "failures[0].outcome: 'passed' is not one of"),
        (URL, "see Jira", "failures[0].url: 'see Jira' does not match"),
        ("    reason: The", "    because: The", "failures[0]: "),
        ("[a, b]", "[]", "failures[1].vectors"),
    ],
)
def test_bad_file_is_told_with_its_place(tmp_path: Path, old: str, new: str, words: str) -> None:
    file = write(tmp_path, TEXT.replace(old, new))
    with pytest.raises(UsageError) as caught:
        known_failures.load(file)
    assert str(file) in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("outcome", "marked"),
    [(Outcome.CRASHED, True), (Outcome.HUNG, False), (Outcome.PASSED, False), (Outcome.UNSUPPORTED, False)],
)
def test_only_the_foreseen_kind_of_finding_is_marked(outcome: Outcome, *, marked: bool) -> None:
    result = KnownFailures((entry("v"),)).mark(Result("v", "toy", outcome))
    assert result.known == (f"why {URL}" if marked else "")


@pytest.mark.parametrize(
    ("one", "found", "words"),
    [
        (entry("a*"), results(a1=Outcome.CRASHED, a2=Outcome.CRASHED), []),
        (entry("a*"), results(a1=Outcome.CRASHED, a2=Outcome.PASSED), ["stale: a2 passed; the entry says"]),
        (entry("a1"), results(a1=Outcome.UNSUPPORTED), ["stale: a1 does not support it"]),
        (entry("a*"), results(a1=Outcome.CRASHED, a2=Outcome.NOT_ASKED), []),
        (entry("a1"), results(a1=Outcome.HUNG), ["changed: a1 hung; the entry says that it crashed"]),
        (entry("a1", "b*"), results(a1=Outcome.CRASHED), ["unmatched: b* covers no vector"]),
        (entry("a1", direction=Direction.ENCODE), results(a1=Outcome.CRASHED), ["unmatched: a1 covers no vector"]),
        (entry("a1", reason=""), results(a1=Outcome.CRASHED), ["unexplained: nobody has written down why yet"]),
        (entry("a1", url=""), results(a1=Outcome.CRASHED), ["unexplained: nobody has written down why yet"]),
        (entry("a*", outcome=Outcome.FLAKY), results(a1=Outcome.PASSED, a2=Outcome.HUNG, a3=Outcome.FLAKY), []),
        (entry("a1", outcome=Outcome.FLAKY), results(a1=Outcome.UNSUPPORTED), ["stale: a1 does not support it"]),
    ],
)
def test_entries_that_are_not_true_are_told(one: KnownFailure, found: list[Result], words: list[str]) -> None:
    told = problems(one, found)
    assert len(told) == len(words)
    for problem, expected in zip(told, words, strict=True):
        assert problem.startswith(f"here: {expected}")


def test_what_is_mended_is_one_line_an_entry() -> None:
    (told,) = problems(entry("a*"), results(a1=Outcome.PASSED, a2=Outcome.PASSED, a3=Outcome.PASSED))
    assert told == "here: stale: a1 passed (and so did 2 others); the entry says that it crashed"


def test_what_was_not_put_proves_nothing() -> None:
    assert problems(entry("b*"), results(a1=Outcome.CRASHED), whole=False) == ()
    other = [Result("a1", "another", Outcome.PASSED)]
    assert problems(entry("a*"), other) == ()


def counting(*every: str) -> Callable[[Sequence[str]], tuple[int, int]]:
    """Return what counts which of these ids a run left out that asked those that begin with `a`."""

    def count(patterns: Sequence[str]) -> tuple[int, int]:
        fitting = [name for name in every if chooses(patterns, name)]
        return sum(not name.startswith("a") for name in fitting), len(fitting)

    return count


SHOWN = entry(cause="toy/always", outcome=Outcome.FLAKY)


@pytest.mark.parametrize(
    ("shown_by", "whole", "told"),
    [((), False, 0), ((), True, 1), (("a*",), False, 1), (("a*", "b*"), False, 0), (("a*", "b*"), True, 1)],
)
def test_a_mended_cause_is_told_by_a_run_that_asks_all_that_showed_it(
    shown_by: tuple[str, ...], whole: bool, told: int
) -> None:
    known = KnownFailures((replace(SHOWN, shown_by=shown_by),))
    passed = results(a1=Outcome.PASSED, a2=Outcome.PASSED)
    lines = known.problems(passed, whole=whole, count=counting("a1", "a2", "b1"))
    assert lines == ("here: stale: no finding comes from the cause toy/always any more",) * told
    shows = [replace(passed[0], outcome=Outcome.CRASHED, known=SHOWN.words)]
    assert known.problems(shows, whole=whole, count=counting("a1", "a2", "b1")) == ()


def test_what_was_not_asked_of_a_cause_that_did_not_show_is_said() -> None:
    known = KnownFailures((replace(SHOWN, shown_by=("a*", "b*")), replace(SHOWN, cause="other", shown_by=("b*",))))
    (line,) = known.half_asked(results(a1=Outcome.PASSED), counting("a1", "a2", "b1"))
    assert line == "here: toy/always did not show, but 1 of the 3 vectors that may show it were not put"


def test_update_takes_a_mended_cause_out_after_a_run_that_asks_what_showed_it() -> None:
    file = KnownFile(Path("known.yaml"), "toy", (replace(SHOWN, shown_by=("a*",)),))
    done = known_failures_update.update(file, results(a1=Outcome.PASSED), whole=False, count=counting("a1", "b1"))
    assert [one.cause for one in done.mended] == ["toy/always"]
    half = KnownFile(Path("known.yaml"), "toy", (replace(SHOWN, shown_by=("a*", "b*")),))
    kept = known_failures_update.update(half, results(a1=Outcome.PASSED), whole=False, count=counting("a1", "b1"))
    assert kept.file.failures == half.failures
    assert not known_failures_update.update(file, results(a1=Outcome.PASSED), whole=False).mended


@pytest.mark.parametrize(
    ("vectors", "shown_by"),
    [
        (["b", "a"], ("a", "b")),
        ([f"a/b/{n}" for n in range(1580)], ("a/b/*",)),
        ([f"a/{n}/c" for n in range(20)], ("a/*",)),
        (["a/b/c/d", "e", *(f"f/{n}" for n in range(20))], ("a/b/c/d", "e", "f/*")),
        ([f"{n}/c" for n in range(20)], ("*",)),
    ],
)
def test_a_new_cause_says_in_a_few_patterns_what_shows_it(vectors: list[str], shown_by: tuple[str, ...]) -> None:
    found = [Result(name, "toy", Outcome.CRASHED) for name in vectors]
    cause = Cause("toy/x", "is wrong", Direction.DECODE, tuple(found), 0, Reach.PRODUCER, "", ())
    file = KnownFile(Path("known.yaml"), "toy")
    (written,) = known_failures_update.update(file, found, [cause], whole=False).file.failures
    assert (written.cause, written.reason, written.shown_by) == ("toy/x", "is wrong", shown_by)


def update(*entries: KnownFailure, found: list[Result], whole: bool = True) -> known_failures_update.Update:
    return known_failures_update.update(KnownFile(Path("known.yaml"), "toy", entries), found, whole=whole)


def shape(found: known_failures_update.Update) -> list[tuple[tuple[str, ...], Outcome, str]]:
    return [(failure.vectors, failure.outcome, failure.reason) for failure in found.file.failures]


def test_update_leaves_what_is_true_as_it_is() -> None:
    some_results = results(a1=Outcome.CRASHED, a2=Outcome.CRASHED, b=Outcome.PASSED)
    done = update(entry("a*"), found=some_results)
    assert (shape(done), done.removed, done.changed, done.added) == ([(("a*",), Outcome.CRASHED, "why")], 0, 0, 0)


def test_update_takes_out_what_passes_and_moves_what_changed_with_its_reason() -> None:
    some_results = results(a1=Outcome.CRASHED, a2=Outcome.PASSED, a3=Outcome.HUNG, c=Outcome.PASSED)
    done = update(entry("a*"), entry("c", reason="other"), found=some_results)
    assert shape(done) == [(("a1",), Outcome.CRASHED, "why"), (("a3",), Outcome.HUNG, "why")]
    assert (done.removed, done.changed, done.added) == (2, 1, 0)


def test_update_adds_what_no_cause_explains_by_what_the_target_says() -> None:
    some_results = [
        *results(a=Outcome.CRASHED, b=Outcome.HUNG, c=Outcome.HUNG),
        Result("a", "toy", Outcome.CRASHED, Direction.ENCODE),
    ]
    done = update(found=some_results)
    assert shape(done) == [
        (("a",), Outcome.CRASHED, "crashed"),
        (("b", "c"), Outcome.HUNG, "hung"),
        (("a",), Outcome.CRASHED, "crashed"),
    ]
    assert done.added == 4


def test_a_folder_that_goes_wrong_as_a_whole_is_one_pattern_and_no_block_of_ids() -> None:
    wrong = [Result(f"a/b/{n}", "toy", Outcome.REFUSED_VALID, detail=f"bad byte {n}") for n in range(1580)]
    half = [Result(f"a/c/{n}", "toy", Outcome.REFUSED_VALID, detail="bad byte 0") for n in (1, 2)]
    found = [*wrong, *half, Result("a/c/3", "toy", Outcome.PASSED)]
    assert shape(update(found=found)) == [(("a/b/*", "a/c/1", "a/c/2"), Outcome.REFUSED_VALID, "bad byte N")]


def test_update_writes_anew_what_nobody_gave_a_reason() -> None:
    block = entry("a1", "a2", reason="")
    assert shape(update(block, found=results(a1=Outcome.CRASHED, a2=Outcome.PASSED))) == [
        (("a1",), Outcome.CRASHED, "crashed")
    ]


def test_update_after_a_part_of_the_vectors_keeps_the_other_patterns() -> None:
    some_results = results(a1=Outcome.PASSED)
    assert shape(update(entry("a1", "b*"), found=some_results, whole=False)) == [(("b*",), Outcome.CRASHED, "why")]
    assert shape(update(entry("a1", "b*"), found=some_results)) == []


def test_updated_file_is_true_and_reads_back(tmp_path: Path) -> None:
    file = known_failures.load(write(tmp_path, TEXT))
    found = [Result("mixed/1", "toy", Outcome.REFUSED_VALID), Result("new", "toy", Outcome.HUNG)]
    known_failures_update.write(known_failures_update.update(file, found, whole=True).file)
    again = known_failures.load(file.path)
    assert again.head == file.head
    assert again.failures[0] == file.failures[0]
    assert yaml.safe_load(file.path.read_text())["failures"][1] == {
        "vectors": "new",
        "outcome": "hung",
        "reason": "hung",
        "url": "",
    }
    told = KnownFailures(again.failures).problems(found, whole=True)
    assert [problem.partition("]: ")[2] for problem in told] == [
        "unexplained: nobody has written down why yet; fill in reason and url"
    ]
