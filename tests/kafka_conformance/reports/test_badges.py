import json
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.reports import badges
from kafka_conformance.reports.summary import Tally
from kafka_conformance.run.target import Standing
from kafka_conformance.vectors.vector import Reach

from tests.kafka_conformance.reports import runs

KEYS = {"schemaVersion", "label", "message", "color", "isError"}
"""Of those that https://shields.io/badges/endpoint-badge knows."""


@pytest.mark.parametrize(
    ("tally", "reach", "message", "colour"),
    [
        (Tally(passed=9), None, "1.2.3: 9 of 9", "brightgreen"),
        (Tally(passed=9, known=1), None, "1.2.3: 9 of 10, 1 known", "yellow"),
        (Tally(passed=98, findings=2), Reach.CRAFTED, "1.2.3: no bug that users meet", "yellow"),
        (Tally(passed=9, findings=1, known=1), Reach.DAMAGE, "1.2.3: no bug that users meet, 1 known", "orange"),
        (Tally(findings=1), Reach.BROKER, "1.2.3: 1 bug that users meet", "red"),
        (Tally(gaps=1), None, "1.2.3: 0 of 0", "lightgrey"),
    ],
)
def test_badge_says_what_users_meet(tally: Tally, reach: Reach | None, message: str, colour: str) -> None:
    diagnosis = Diagnosis((), runs.CARELESS_RESULTS[:1], (reach,)) if reach else Diagnosis()
    badge = badges.badge(runs.SOUND, tally, diagnosis)
    assert (badge["schemaVersion"], badge["message"], badge["color"], badge["isError"]) == (1, message, colour, False)
    assert set(badge) == KEYS


def test_a_version_that_is_not_known_is_not_told() -> None:
    assert runs.SOUND.hello is not None
    unknown = replace(runs.SOUND, hello=replace(runs.SOUND.hello, version="unknown"))
    assert badges.badge(unknown, Tally(passed=9))["message"] == "9 of 9"


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
