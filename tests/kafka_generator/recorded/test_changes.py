from dataclasses import replace

import pytest
from kafka_conformance.targets.catalogue import Part
from kafka_generator.recorded import changes, results
from kafka_generator.recorded.results import RecordedCause, Row


def cause(name: str, *vectors: str, harmless: bool = False) -> RecordedCause:
    return RecordedCause(
        name, f"does {name}", "decode", "broker", "", len(vectors), vectors[0], vectors, harmless=harmless
    )


def row(version: str, *causes: RecordedCause, findings: int | None = None, problem: str = "") -> Row:
    found = sum(one.findings for one in causes) if findings is None else findings
    return Row(
        f"aiokafka@{version}", Part.DECODER, version, "C", "", 9, 9, found, {"met": len(causes)},
        causes=causes, problem=problem,
    )  # fmt: skip


def line(monkeypatch: pytest.MonkeyPatch, *rows: Row) -> changes.Line:
    monkeypatch.setattr(results, "load", lambda _: list(rows))
    (only,) = changes.lines([Part.DECODER], fewest=1)
    return only


def test_releases_stand_in_the_order_of_their_numbers_and_absent_ones_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    known = line(monkeypatch, row("0.10.0"), row("0.9.0"), row("0.8.0", problem="no wheel"))
    assert [one.version for one in known.rows] == ["0.9.0", "0.10.0"]
    assert [one.problem for one in known.absent] == ["no wheel"]


def test_a_library_with_too_few_releases_has_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "load", lambda _: [row("1.0"), row("1.1", problem="gone")])
    assert list(changes.lines([Part.DECODER], fewest=2)) == []


def test_what_the_next_release_gets_right_is_mended_and_a_new_bug_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = row("1.0", cause("a", "v/1", "v/2", "v/3")), row("1.1", cause("b", "v/9"))
    (change,) = line(monkeypatch, new, old).changes
    assert ([one.id for one in change.mended], [one.id for one in change.broken]) == (["a"], ["b"])
    assert (change.before.version, change.row.version) == ("1.0", "1.1")


def test_the_same_vectors_under_another_name_are_the_same_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = row("1.0", cause("a", "v/1", "v/2")), row("1.1", cause("renamed", "v/1", "v/2", "v/3"))
    (change,) = line(monkeypatch, new, old).changes
    assert (change.mended, change.broken) == ((), ())


def test_the_same_cause_is_the_same_bug_though_a_row_shows_others_of_its_vectors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of thousands, a row has the first; a release that reads more versions has others first."""
    (change,) = line(monkeypatch, row("1.1", cause("a", "v/8", "v/9")), row("1.0", cause("a", "v/1", "v/2"))).changes
    assert (change.mended, change.broken) == ((), ())


def test_a_difference_that_is_no_bug_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    (change,) = line(monkeypatch, row("1.1"), row("1.0", cause("a", "v/1", harmless=True))).changes
    assert change.mended == ()


def test_what_shows_by_chance_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    flaky = replace(cause("a", "v/1"), outcomes=("flaky",))
    (change,) = line(monkeypatch, row("1.1", flaky), row("1.0")).changes
    assert change.broken == ()


def test_nothing_is_said_about_a_release_whose_causes_nobody_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert line(monkeypatch, row("1.1", cause("a", "v/1")), row("1.0", findings=3)).changes == []


def test_a_bug_is_there_since_the_first_release_of_those_that_all_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    bug = cause("a", "v/1")
    known = line(monkeypatch, row("1.3", bug), row("1.2", bug), row("1.1"), row("1.0", bug))
    assert known.since(bug).version == "1.2"


@pytest.mark.parametrize(
    ("rows", "since"),
    [
        ([row("1.0"), row("1.1"), row("1.2")], "1.0"),
        ([row("1.0", cause("a", "v/1")), row("1.1"), row("1.2")], "1.1"),
        ([row("1.0"), row("1.1", findings=3), row("1.2"), row("1.3")], "1.2"),  # nobody noted the causes of 1.1
        ([row("1.0"), row("1.1", cause("a", "v/1"))], "1.1"),
    ],
)
def test_releases_are_alike_since_the_last_change_that_is_known(
    monkeypatch: pytest.MonkeyPatch, rows: list[Row], since: str
) -> None:
    assert line(monkeypatch, *rows).alike_since.version == since


def test_what_the_other_run_did_not_look_at_is_no_change(monkeypatch: pytest.MonkeyPatch) -> None:
    asks = row("1.1", cause("consumer/isolation-not-asked-of-fetch", "v/1"))
    (change,) = line(monkeypatch, asks, replace(row("1.0"), run="2026-11-28")).changes
    assert change.broken == ()
    (change,) = line(monkeypatch, asks, replace(row("1.0"), run="2026-11-30")).changes
    assert [one.id for one in change.broken] == ["consumer/isolation-not-asked-of-fetch"]
