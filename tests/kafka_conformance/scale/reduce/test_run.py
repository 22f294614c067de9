"""Which findings are reduced, and in which order; what is kept, what is left, what goes wrong."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.scale.plan import RunSettings
from kafka_conformance.scale.reduce import run
from kafka_conformance.scale.results import reductions
from kafka_conformance.scale.results.counts import Counts
from kafka_conformance.scale.results.reductions import GeneratedBatch, Reduced, Reductions
from kafka_conformance.scale.results.rows import Done, FindingRow, TallyRow
from kafka_conformance.scale.results.run_folder import RunFolder
from kafka_tools.errors import UsageError

from tests.kafka_conformance.scale.reduce.sample import change

HELLO = Hello("toy", "1", "Python", ("v2",), ("none",), ("offset",), checks_crc=True)
TARGETS = ("one", "two")
SETTINGS = RunSettings(TARGETS, 50, 7, "tiny", 50)
Reducing = Callable[..., Reduced]


class Watching:
    def __init__(self) -> None:
        self.seen: list[str] = []

    def stage(self, text: str) -> None:
        self.seen.append(text)

    def detail(self, text: str) -> None:
        self.seen.append(text)


def finding(target: str, symptom: str, index: int, size: int) -> FindingRow:
    texts = {
        "format": "v2",
        "codec": "none",
        "path": "",
        "expected": "",
        "got": "",
        "detail": "",
        "fault": "",
        "rule": "",
    }
    return FindingRow(
        target=target,
        seed=7,
        index=index,
        profile="tiny",
        outcome="crashed",
        symptom=symptom,
        size=size,
        hex="",
        **texts,
    )


def done(target: str, *kinds: tuple[str, int, int]) -> Done:
    tally = tuple(TallyRow("v2", "none", "crashed", symptom, batches, first) for symptom, batches, first in kinds)
    return Done(target, 0, 0, 50, 50, 9, 9, tally, 1.0, 1.0, 1.0, 1, "h", 1, "", ())


DONE = (done("one", ("a", 9, 3), ("b", 2, 4), ("c", 1, 48)), done("two", ("a", 5, 5)))
FINDINGS = (
    finding("one", "a", 3, 90),
    finding("one", "a", 7, 60),
    finding("one", "b", 4, 70),
    finding("two", "a", 5, 80),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    RunFolder(tmp_path, SETTINGS, [HELLO, HELLO], "0.1", resume=False).write(DONE, FINDINGS)
    return tmp_path


def reduce_run(folder: Path, seconds: float = 60, watching: Watching | None = None) -> Reductions:
    counts = Counts(SETTINGS)
    for row in DONE:
        counts.add(row)
    targets = [counts.of_target(name, HELLO) for name in TARGETS]
    commands = {name: Command(("no-such-program",)) for name in TARGETS}
    return run.reduce_run(folder, targets, commands, Limits(), seconds, watching or Watching())


def reducing(
    monkeypatch: pytest.MonkeyPatch,
    then: Callable[[GeneratedBatch], None] = lambda _: None,
    right_about: Sequence[int] = (),
) -> list[GeneratedBatch]:
    """Reduce without a target, which is right about some indices this time; gives the batches that
    were asked for."""
    asked = []

    def reduce(batch: GeneratedBatch, _asker: object, seconds: float, progress: Callable[[str], None]) -> Reduced:
        assert seconds > 0
        asked.append(batch)
        progress(f"batch {batch.index}")
        then(batch)
        outcome = "passed" if batch.index in right_about else "crashed"
        return change(batch=asdict(batch), failure={"outcome": outcome}, cause={"parts": (batch.symptom,)})

    monkeypatch.setattr(run, "reduce", reduce)
    return asked


def test_the_smallest_of_each_kind_is_reduced_the_targets_by_turns(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, watching = reducing(monkeypatch), Watching()
    result = reduce_run(folder, watching=watching)
    assert [(reduction.target, reduction.symptom, reduction.index, reduction.batches) for reduction in asked] == [
        ("one", "a", 7, 9),
        ("two", "a", 5, 5),
        ("one", "b", 4, 2),
        ("one", "c", 48, 1),  # of which no row was kept
    ]
    assert watching.seen[:2] == ["reducing 1 of 4: one crashed", "batch 7"]
    assert (len(result.reduced), result.left, result.problems) == (4, 0, ())
    assert reductions.read(folder) == result.reduced


@pytest.mark.parametrize(("right_about", "index"), [((), 7), ((7,), 3), ((7, 3), 7)])
def test_where_the_smallest_does_not_fail_again_the_next_is_tried(
    folder: Path, monkeypatch: pytest.MonkeyPatch, right_about: tuple[int, ...], index: int
) -> None:
    asked = reducing(monkeypatch, right_about=right_about)
    [found] = [each for each in reduce_run(folder).reduced if (each.batch.target, each.batch.symptom) == ("one", "a")]
    assert (found.batch.index, found.is_finding) == (index, index not in right_about)
    assert len(asked) == 4 + (7 in right_about)


def test_what_is_done_is_kept_and_what_was_cut_is_done_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = reducing(monkeypatch)
    before = reduce_run(folder).reduced
    kept = [asdict(change(before[0], batch={"batches": 1})), asdict(change(before[1], effort={"finished": False}))]
    (folder / reductions.FILE).write_text(json.dumps({"kind": reductions.KIND, "reduced": kept}))
    asked.clear()
    result = reduce_run(folder)
    assert before[0] in result.reduced
    assert sorted(batch.index for batch in asked) == sorted(each.batch.index for each in before[1:])


def test_without_time_nothing_is_written(folder: Path) -> None:
    assert reduce_run(folder, 0).left == 4
    assert not (folder / reductions.FILE).exists()
    with pytest.raises(UsageError, match="has no reduced findings"):
        reductions.read(folder)


def test_a_target_that_does_not_come_up_spoils_its_findings_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(batch: GeneratedBatch) -> None:
        if batch.target == "one":
            raise TargetLostError(Outcome.CRASHED, "went")

    reducing(monkeypatch, lose)
    result = reduce_run(folder)
    assert [each.batch.target for each in result.reduced] == ["two"]
    assert result.problems[0] == "batch 7 of one was not reduced: the target went"
    assert (len(result.problems), result.left) == (3, 0)


def test_who_presses_ctrl_c_keeps_what_is_reduced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def press(batch: GeneratedBatch) -> None:
        if batch.index == 4:
            raise KeyboardInterrupt

    reducing(monkeypatch, press)
    result = reduce_run(folder)
    assert (len(result.reduced), result.left) == (2, 2)
    assert len(reductions.read(folder)) == 2


@pytest.mark.parametrize(
    ("part", "field", "value"),
    [
        ("failure", "outcome", "of-tomorrow"),
        ("minimal", "hex", "0x"),
        ("minimal", "fault", "v9/none"),
        ("cause", "x", 1),
    ],
)
def test_a_reduced_finding_that_cannot_be_read_is_none(
    folder: Path, part: str, field: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    reducing(monkeypatch)
    reduce_run(folder)
    document = json.loads((folder / reductions.FILE).read_text())
    document["reduced"][0][part][field] = value
    (folder / reductions.FILE).write_text(json.dumps(document))
    with pytest.raises(UsageError, match=r"reduced\.json has no reduced findings"):
        reductions.read(folder)
    assert len(reduce_run(folder).reduced) == 4


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"kind": "kafka-format-conformance reduced findings", "reduced": [{}]}']
)
def test_a_spoilt_file_is_named_and_made_anew(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / reductions.FILE).write_text(text)
    with pytest.raises(UsageError, match=r"reduced\.json has no reduced findings"):
        reductions.read(folder)
    reducing(monkeypatch)
    assert len(reduce_run(folder).reduced) == 4
