"""docs/reports.md names what reports name."""

from pathlib import Path

from kafka_conformance.child.launch import Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run.target import Standing

PAGE = (Path(__file__).parents[3] / "docs" / "reports.md").read_text(encoding="utf-8")


def test_page_names_every_outcome_and_standing() -> None:
    assert [outcome for outcome in Outcome if outcome.is_finding and f"| `{outcome}` |" not in PAGE] == []
    assert [standing for standing in Standing if f"`{standing}`" not in PAGE] == []


def test_page_tells_the_limits_that_hold() -> None:
    assert f"no reply within {Limits().seconds:g} s" in PAGE
    assert f"took more than {Limits().memory >> 30} GiB" in PAGE
