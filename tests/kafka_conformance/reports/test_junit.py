from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from kafka_conformance.reports import junit
from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Standing

from tests.kafka_conformance.reports import runs


def suites(run: Run, folder: Path) -> dict[str, ET.Element]:
    file = folder / "report.junit.xml"
    junit.write(run, file)
    root = ET.parse(file).getroot()  # noqa: S314 - our own file
    return {suite.get("name", ""): suite for suite in root}


def test_a_suite_a_target_a_case_a_finding_and_a_case_for_what_passed(tmp_path: Path) -> None:
    by_target = suites(runs.RUN, tmp_path)
    assert list(by_target) == ["sound", "careless", "missing"]
    named = [(case.get("classname"), case.get("name")) for case in by_target["sound"].iter("testcase")]
    assert ("passed.plain", "1 vector (decode)") in named
    assert ("passed.plain", "1 vector (encode)") in named
    assert ("gap", "1 vector") in named
    assert len(named) == 9  # both vectors of the family gzip are one case


def test_a_finding_goes_by_its_cause(tmp_path: Path) -> None:
    cases = suites(runs.diagnosed(), tmp_path)["careless"].iter("testcase")
    named = {case.get("name"): case.get("classname") for case in cases}
    assert named["v2/plain/two-records"] == "crafted.record.base"
    assert named["v2/length/below"] == "crafted.no-cause"


def test_a_suite_says_what_bugs_there_are(tmp_path: Path) -> None:
    properties = suites(runs.diagnosed(), tmp_path)["careless"].iter("property")
    assert next(properties).get("value", "").startswith("2 bugs that users meet, 1 only with crafted bytes")


def test_outcomes_are_told_apart(tmp_path: Path) -> None:
    cases = suites(runs.RUN, tmp_path)["careless"].iter("testcase")
    told = {case.get("name"): (child.tag, child.get("type")) for case in cases for child in case}
    assert told == {
        "v2/plain/two-records": ("failure", "wrong-answer"),
        "v2/checksum/flipped": ("failure", "accepted-invalid"),
        "v2/length/below": ("error", "crashed"),
        "v2/gzip/two-records": ("error", "hung"),
        "v1/gzip/wrapper": ("error", "out-of-memory"),
        "v2/cut/tail": ("failure", "refused-valid"),
        "v2/empty/nothing": ("error", "broken-protocol"),
        "v2/lenient/flag": ("skipped", None),
        "1 vector": ("skipped", None),
        "v2/plain/two-records (encode)": ("failure", "refused-valid"),
    }


def test_what_was_not_asked_is_skipped_with_the_reason(tmp_path: Path) -> None:
    suite = suites(runs.not_asked(), tmp_path)["careless"]
    (case,) = [case for case in suite.iter("testcase") if case.get("classname") == "not-asked"]
    assert case.get("name") == "2 vectors"
    assert [child.get("message") for child in case] == [runs.HUNG_THREE_TIMES]


def test_counts_fit_the_cases(tmp_path: Path) -> None:
    careless = suites(runs.RUN, tmp_path)["careless"]
    counts = {name: careless.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "10", "failures": "4", "errors": "4", "skipped": "2"}


def test_skipped_cases_say_why(tmp_path: Path) -> None:
    reasons = [element.get("message", "") for element in suites(runs.RUN, tmp_path)["careless"].iter("skipped")]
    assert reasons[0].startswith("known failure: issue 17")
    assert reasons[1] == "does not declare codec zstd"


def test_failure_tells_how_to_see_it_again(tmp_path: Path) -> None:
    failure = next(suites(runs.RUN, tmp_path)["careless"].iter("failure"))
    assert "kafka-conformance run careless --vectors v2/plain/two-records" in (failure.text or "")
    assert runs.PLAIN.hex() in (failure.text or "")


@pytest.mark.parametrize(
    ("standing", "tag"),
    [
        (Standing.DID_NOT_COME_UP, "error"),
        (Standing.GIVEN_UP, "error"),
        (Standing.UNSTEADY, "error"),
        (Standing.NOT_READY, "skipped"),
    ],
)
def test_target_that_did_not_run_is_not_green(tmp_path: Path, standing: Standing, tag: str) -> None:
    missing = replace(runs.MISSING, standing=standing, problem="no java")
    (case,) = suites(replace(runs.RUN, targets=(missing,), results=()), tmp_path)["missing"].iter("testcase")
    assert [(child.tag, child.get("message")) for child in case] == [(tag, f"{standing.words}: no java")]


def test_hostile_texts_leave_the_xml_whole(tmp_path: Path) -> None:
    (sound, hostile) = suites(runs.hostile(), tmp_path).values()
    assert {element.tag for element in hostile.iter()} <= {
        *(element.tag for element in sound.iter()),
        "failure",
        "error",
        "skipped",
    }
    assert all("<script>" in (element.text or "") for element in hostile.iter("failure"))


def test_huge_text_is_cut(tmp_path: Path) -> None:
    huge = replace(runs.CARELESS_RESULTS[2], detail="\x00" * 5_000_000)
    suites(replace(runs.RUN, results=(huge,)), tmp_path)
    assert (tmp_path / "report.junit.xml").stat().st_size < 100_000
