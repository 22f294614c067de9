import json
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.reports import badges
from kafka_conformance.reports.summary import Tally
from kafka_conformance.runs.target import Standing

from tests.kafka_conformance.reports import runs

KEYS = {"schemaVersion", "label", "message", "color", "isError"}
"""Of those that https://shields.io/badges/endpoint-badge knows."""


@pytest.mark.parametrize(
    ("tally", "message", "colour"),
    [
        (Tally(passed=9), "1.2.3: 9 of 9", "brightgreen"),
        (Tally(passed=9, known=1), "1.2.3: 9 of 10, 1 known", "yellow"),
        (Tally(passed=98, findings=2), "1.2.3: 98 of 100", "yellow"),
        (Tally(passed=9, findings=1), "1.2.3: 9 of 10", "orange"),
        (Tally(findings=1), "1.2.3: 0 of 1", "red"),
        (Tally(gaps=1), "1.2.3: 0 of 0", "lightgrey"),
    ],
)
def test_badge_says_what_passed(tally: Tally, message: str, colour: str) -> None:
    badge = badges.badge(runs.SOUND, tally)
    assert (badge["schemaVersion"], badge["message"], badge["color"], badge["isError"]) == (1, message, colour, False)
    assert set(badge) == KEYS


@pytest.mark.parametrize(
    ("standing", "error"), [(Standing.NOT_READY, False), (Standing.GIVEN_UP, True), (Standing.STOPPED, False)]
)
def test_target_that_did_not_run_to_the_end_has_no_number(standing: Standing, *, error: bool) -> None:
    badge = badges.badge(replace(runs.SOUND, standing=standing), Tally(passed=5))
    assert (badge["message"], badge["color"], badge["isError"]) == (standing.words, "lightgrey", error)


def test_file_a_target_and_none_of_an_earlier_run(tmp_path: Path) -> None:
    badges.write(runs.RUN, tmp_path)
    files = badges.write(runs.hostile(), tmp_path)
    assert set(files) == set(tmp_path.iterdir())
    assert all(json.loads(file.read_text())["label"] == "Kafka formats" for file in files)
