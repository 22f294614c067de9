from dataclasses import replace

from kafka_conformance.kinds.scenario.steps import scenario
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors import loader, scenarios
from kafka_generator import brokers_page
from kafka_generator.recorded import results
from kafka_generator.recorded.results import RecordedCause, Row
from kafka_generator.scenarios import recording
from kafka_generator.scenarios.__main__ import VECTORS

MARKS = """\
<!-- unasked: made by generate.py -->
<!-- end of unasked -->
<!-- results: made by generate.py -->
<!-- end of results -->
<!-- differences: made by generate.py -->
<!-- end of differences -->
<!-- answers: made by generate.py -->
<!-- end of answers -->
"""
BUGS = {"met": 1, "damage": 2, "crafted": 3}


def broker(name, version, causes=(), part=Part.BROKER):
    return Row(name, part, version, "Java", "2026-11-23", 9, 5, 1, BUGS, causes=tuple(causes))


def test_kafka_stands_first_by_release_and_the_others_by_name(monkeypatch):
    names = [
        ("broker-kfake", "0.0.0-1"),
        ("broker-kafka@3.9.2", "3.9.2"),
        ("broker-kafka-legacy@0.11.0.3", "0.11.0.3"),
        ("broker-kafka", "4.10.0"),
        ("broker-kafka-authorizer", "4.9.0"),
    ]
    monkeypatch.setattr(results, "of", lambda part: [broker(*name, part=part) for name in names])
    page = brokers_page.with_results(MARKS)
    titles = [
        "| Kafka 4.10.0 |",
        "| Kafka 4.9.0 with its authorizer |",
        "| Kafka 3.9.2 |",
        "| Kafka 0.11.0.3 |",
        "| kfake 0.0.0-1 |",
    ]
    assert sorted(titles, key=page.index) == titles


def test_the_page_shows_the_first_differences_and_counts_the_others(monkeypatch):
    causes = [
        RecordedCause("x", f"answers {number}", "decode", "producer", "v2.crc", 7, "v2/x")
        for number in range(brokers_page.SHOWN + 2)
    ]
    rows = [broker("broker-kafka", "4.4.0"), broker("broker-librdkafka", "2.16.0", causes)]
    whole = [replace(row, part=Part.SCENARIO, findings=3) for row in rows[1:]]
    monkeypatch.setattr(results, "of", lambda part: rows if part is Part.BROKER else whole)
    page = brokers_page.with_results(MARKS)
    assert "| Kafka 4.4.0 | 4 of 5 | 1 | 2 | 3 | - | - | 2026-11-23 |" in page
    assert "| librdkafka's mock cluster 2.16.0 | 4 of 5 | 1 | 2 | 3 | 2 of 5 | 10 | 2026-11-23 |" in page
    assert "- 7: answers 0 (`v2/x`)." in page
    assert "And 2 more in" in page
    assert "**Kafka 4.4.0**" not in page


def test_every_api_that_kafka_offers_has_a_scenario_or_a_reason_why_not():
    (newest, offered), *_ = recording.offered(VECTORS).items()
    assert newest == recording.RELEASES[0]
    asked = {step.api for vector in loader.of_family(scenarios.FAMILY) for step in scenario(vector).steps}
    assert {*offered} - asked == brokers_page.unasked().keys()
