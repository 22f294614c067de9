"""The page of a run."""

from dataclasses import replace

from kafka_conformance.scale.report.page import page
from kafka_conformance.scale.results.summary import Timing

from tests.kafka_conformance.scale.summaries import PASSED, REFUSED, UNDECLARED, WRONG, done, summed


def test_page_shows_what_the_screen_shows_and_nothing_of_a_target_as_markup() -> None:
    text = page(summed(done(0, [PASSED, WRONG, REFUSED, UNDECLARED], notes=("<script>",)), gaps=("chunk 1: missing",)))
    for told in ("40 of 40", "0 of 3", "0 of 7", "records[*].key", "chunk 1: missing", "20,000.0 hours"):
        assert told in text
    assert "&lt;script&gt;" in text
    assert "<script" not in text
    assert "\x1b" not in text


def test_page_of_a_run_that_had_nothing_left_to_do_has_no_costs() -> None:
    assert "Nothing was left to do." in page(replace(summed(done(0, [PASSED])), timing=Timing()))
