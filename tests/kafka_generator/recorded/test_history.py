from collections.abc import Callable
from pathlib import Path

import pytest
from kafka_conformance.targets import resolve
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.targets.installation import Installation
from kafka_generator.recorded import history, results
from kafka_generator.recorded.results import Row
from kafka_tools.errors import UsageError

BUGS = {"met": 0, "damage": 0, "crafted": 0}


def row(target: str, findings: int = 0, problem: str = "", **outcomes: int) -> Row:
    return Row(target, Part.DECODER, "1", "C", "", 9, 9, findings, BUGS, outcomes, problem=problem)


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def _record(*rows: Row) -> None:
        monkeypatch.setattr(results, "load", lambda part: [one for one in rows if one.part is part])

    return _record


def names(**options: bool) -> list[str]:
    return [one.installed.name for one in history.missing(["aiokafka"], [Part.DECODER], **options)]


def test_every_release_of_the_manifest_is_missing_at_first(record: Callable[..., None]) -> None:
    record()
    known = resolve.installation("aiokafka").manifest
    assert known.history is not None
    assert names() == ["aiokafka", *(f"aiokafka@{version}" for version in known.history.releases)]


def test_what_was_recorded_is_passed_over_unless_its_causes_were_not_noted(record: Callable[..., None]) -> None:
    record(row("aiokafka", right=9), row("aiokafka@0.13.0"), row("aiokafka@0.12.0", findings=3, right=6))
    assert "aiokafka" not in names()
    assert {"aiokafka@0.13.0", "aiokafka@0.12.0"} <= set(names())


def test_what_could_not_be_run_is_only_tried_again_if_that_is_asked(record: Callable[..., None]) -> None:
    record(row("aiokafka@0.13.0", problem="no wheel"))
    assert "aiokafka@0.13.0" not in names()
    assert "aiokafka@0.13.0" in names(again=True)


def test_single_releases_can_be_asked_for_and_unknown_ones_are_refused(record: Callable[..., None]) -> None:
    record()
    asked = history.missing(["aiokafka@0.12.0"], [Part.DECODER])
    assert [one.installed.name for one in asked] == ["aiokafka@0.12.0"]
    with pytest.raises(UsageError, match="no target 'aiokafak'"):
        list(history.missing(["aiokafak"], [Part.DECODER]))


def test_a_target_without_that_part_is_not_asked_about_it(record: Callable[..., None]) -> None:
    record()
    both = [Part.DECODER, Part.MESSAGES]
    assert {one.part for one in history.missing(["aiokafka"], both)} == {*both}
    assert list(history.missing(["consumer-aiokafka"], [Part.MESSAGES])) == []
    assert {one.part for one in history.missing(["consumer-aiokafka"], [Part.CONSUMER])} == {Part.CONSUMER}


def test_a_build_of_a_release_has_no_history_of_its_own() -> None:
    assert resolve.installation("aiokafka-pure").manifest.history is None


def test_releases_that_only_the_history_installs_count_nowhere_else(record: Callable[..., None]) -> None:
    record()
    assert row("aiokafka").is_pinned
    assert row("kafka-clients@3.9.2").is_pinned
    assert not row("aiokafka@0.13.0").is_pinned


def test_a_release_that_cannot_be_installed_is_recorded_with_the_reason(
    record: Callable[..., None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object) -> None:
        raise UsageError("cannot install it: `pip` failed.", "no matching distribution")

    record(row("sarama", right=9))
    monkeypatch.setattr(Installation, "install", fail)
    monkeypatch.setattr(history, "FOLDER", tmp_path)
    release = history.Missing(resolve.installation("aiokafka@0.13.0"), Part.DECODER)
    assert history.take(release).endswith("no matching distribution")
    read = list(results.parse((tmp_path / "decoder.json").read_text(encoding="utf-8"), "decoder.json"))
    assert {one.target: one.problem for one in read} == {
        "aiokafka@0.13.0": "it cannot be installed: no matching distribution",
        "sarama": "",
    }
