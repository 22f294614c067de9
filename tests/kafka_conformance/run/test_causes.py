"""Causes in a run: a known failure may name one, and a comparison says which came and went."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.diagnosis.cause import CausePart, Diagnosis
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run import known_failures, known_failures_update
from kafka_conformance.run.comparison import Side, causes_of, compare
from kafka_conformance.run.known_failures import KnownFailures
from kafka_tools.errors import UsageError

from tests.kafka_conformance.reports import runs

ENTRY = "{cause: record/base, reason: The base is left out., url: 'https://example.com/1'}"
RUN = runs.diagnosed()
DIAGNOSIS = RUN.diagnoses["careless"]
MINE = list(RUN.of("careless"))


def file(tmp_path: Path, *entries: str) -> known_failures.KnownFile:
    path = tmp_path / "known.yaml"
    path.write_text("target: careless\nfailures:\n" + "".join(f"  - {entry}\n" for entry in entries), encoding="utf-8")
    return known_failures.load(path)


def test_a_known_failure_that_names_a_cause_covers_its_findings(tmp_path: Path) -> None:
    known = KnownFailures(file(tmp_path, ENTRY).failures)
    marked = known.mark_causes(MINE, DIAGNOSIS)
    new = [(one.vector, one.direction) for one in marked if one.known and one.known.startswith("The base")]
    assert new == [("v2/plain/two-records", "decode")]
    assert known.problems(marked, whole=True) == ()
    assert [cause.is_known for cause in DIAGNOSIS.with_results(marked).causes] == [True, False, False]


def test_an_entry_whose_cause_is_gone_is_stale(tmp_path: Path) -> None:
    known = KnownFailures(file(tmp_path, ENTRY).failures)
    marked = known.mark_causes(MINE, Diagnosis())
    (problem,) = known.problems(marked, whole=True)
    assert problem.endswith("stale: no finding comes from the cause record/base any more")
    assert known.problems(marked, whole=False) == ()


@pytest.mark.parametrize("both", ["vectors: 'v2/*'", "outcome: crashed", "direction: encode"])
def test_an_entry_names_a_cause_or_vectors(tmp_path: Path, both: str) -> None:
    with pytest.raises(UsageError):
        file(tmp_path, ENTRY.replace("{", f"{{{both}, "))


def test_an_update_keeps_a_cause_that_is_there_and_drops_one_that_is_gone(tmp_path: Path) -> None:
    known = file(tmp_path, ENTRY, ENTRY.replace("record/base", "gone").replace("left out", "gone"))
    marked = KnownFailures(known.failures).mark_causes(MINE, DIAGNOSIS)
    done = known_failures_update.update(known, marked, whole=True)
    assert [entry.cause for entry in done.file.failures if entry.cause] == ["record/base"]
    assert "v2/plain/two-records" not in [
        vector for entry in done.file.failures if entry.direction == "decode" for vector in entry.vectors
    ]
    known_failures_update.write(done.file)
    assert known_failures.load(known.path).failures[0].cause == "record/base"


def test_an_update_writes_a_cause_an_entry_with_its_reason(tmp_path: Path) -> None:
    known = file(tmp_path, ENTRY)
    marked = KnownFailures(known.failures).mark_causes(MINE, DIAGNOSIS)
    done = known_failures_update.update(known, marked, DIAGNOSIS.causes, whole=True)
    added = [entry for entry in done.file.failures[1:] if entry.cause]
    assert [(entry.cause, entry.reason) for entry in added] == [
        (cause.id, cause.does) for cause in DIAGNOSIS.causes[1:]
    ]
    assert all(len(entry.vectors) <= 1 and entry.reason for entry in done.file.failures)
    entries = KnownFailures(done.file.failures)
    again = entries.mark_causes([entries.mark(result) for result in MINE], DIAGNOSIS)
    assert all(result.known for result in again if result.is_finding)


def test_a_cause_that_is_mended_is_a_line(tmp_path: Path) -> None:
    known = file(tmp_path, ENTRY)
    mended = [replace(result, outcome=Outcome.PASSED) for result in MINE]
    done = known_failures_update.update(known, mended, (), whole=True)
    assert ([entry.cause for entry in done.mended], done.file.failures) == (["record/base"], ())


def test_a_comparison_names_the_causes_that_came_and_went() -> None:
    elsewhere = tuple(replace(result, vector="gone/one") for result in DIAGNOSIS.causes[1].findings)
    old = replace(DIAGNOSIS.causes[1], id="old", does="did it", findings=elsewhere)
    then = replace(DIAGNOSIS, causes=(*DIAGNOSIS.causes[:1], old))
    was = [replace(result, outcome=Outcome.PASSED) for result in RUN.results if result.target == "careless"]
    sides = [
        Side("then", "0", RUN.targets, [*was, *elsewhere], causes_of({"careless": then})),
        Side("now", "1", RUN.targets, RUN.results, causes_of(RUN.diagnoses)),
    ]
    comparison = compare(*sides, whole=True)
    assert [change.id for change in comparison.causes_new] == ["encode/headers", "batch/crc"]
    assert [(change.target, change.id, change.does) for change in comparison.causes_gone] == [
        ("careless", "old", "did it")
    ]
    assert compare(*sides, whole=False).causes_gone == ()


def test_a_cause_is_gone_from_a_part_of_the_vectors_if_all_that_it_explained_was_put_again() -> None:
    then = Side("then", "0", RUN.targets, RUN.results, causes_of(RUN.diagnoses))
    mended = [replace(result, outcome=Outcome.PASSED) if result in MINE else result for result in RUN.results]
    now = Side("now", "1", RUN.targets, mended, {"careless": []})
    gone = {change.id for change in compare(then, now, whole=False).causes_gone}
    assert gone == {cause.id for cause in DIAGNOSIS.causes if set(cause.findings) & set(MINE)}
    assert compare(then, replace(now, results=[]), whole=False).causes_gone == ()


def test_what_fails_as_it_did_and_is_explained_in_another_way_is_no_news() -> None:
    others = tuple(replace(cause, id=f"old/{cause.id}", findings=cause.findings[:1]) for cause in DIAGNOSIS.causes)
    then = Side("then", "0", RUN.targets, RUN.results, causes_of({"careless": replace(DIAGNOSIS, causes=others)}))
    now = Side("now", "1", RUN.targets, RUN.results, causes_of(RUN.diagnoses))
    comparison = compare(then, now, whole=True)
    assert (comparison.cases, comparison.causes_new, comparison.causes_gone) == ((), (), ())


@pytest.mark.parametrize(
    "before",
    [
        {"id": "old"},  # the same vectors
        {"findings": (replace(MINE[0], vector="gone/one"),)},  # the same name
        {
            "id": "old",
            "findings": (replace(MINE[0], vector="gone/one"),),
            "parts": (CausePart("batch/crc", "", frozenset()),),
        },
    ],
)
def test_a_cause_that_goes_by_another_name_or_explains_less_is_no_news(before: dict[str, Any]) -> None:
    last = DIAGNOSIS.causes[-1]
    assert last.id == "batch/crc"
    then = replace(DIAGNOSIS, causes=(*DIAGNOSIS.causes[:-1], replace(last, **before)))
    sides = (
        Side("then", "0", RUN.targets, RUN.results, causes_of({"careless": then})),
        Side("now", "1", RUN.targets, RUN.results, causes_of(RUN.diagnoses)),
    )
    comparison = compare(*sides, whole=True)
    assert (comparison.causes_new, comparison.causes_gone) == ((), ())


def test_a_known_failure_that_names_a_part_covers_that_part_alone() -> None:
    cause = max(DIAGNOSIS.causes, key=lambda confirmation: len(confirmation.findings))
    first = cause.findings[0].vector
    parts = (CausePart("part/one", "", frozenset({first})), CausePart("part/two", "", frozenset()))
    told = replace(cause, parts=parts)
    assert [result.vector for result in told.findings_named("part/one")] == [first]
    assert list(told.findings_named(cause.id)) == list(cause.findings)
    assert told.ids == {cause.id, "part/one", "part/two"}


def test_a_report_that_says_nothing_of_causes_has_none_that_came_or_went() -> None:
    then = Side("then", "0", RUN.targets, RUN.results)
    now = Side("now", "1", RUN.targets, RUN.results, causes_of(RUN.diagnoses))
    assert (compare(then, now, whole=True).causes_new, compare(then, now, whole=True).causes_gone) == ((), ())


def test_what_is_done_to_every_answer_is_another_bug_by_its_name() -> None:
    (then, *_), vectors = causes_of({"careless": DIAGNOSIS})["careless"], frozenset("abc")
    seconds, zero = (then._replace(id=f"always/{name}", ids=frozenset(), findings=vectors) for name in ("in-s", "zero"))
    assert not seconds.is_like(zero)
    assert seconds.is_like(seconds._replace(id="always/in-s/v1"))
    assert seconds.is_like(then._replace(findings=vectors))
