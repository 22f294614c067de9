import json

import pytest
from kafka_generator import brokers_page
from kafka_tools.errors import UsageError

MARKS = """\
<!-- results: made by generate.py -->
<!-- end of results -->
<!-- differences: made by generate.py -->
<!-- end of differences -->
"""


def test_a_file_that_is_no_report_is_refused(tmp_path):
    file = tmp_path / "report.json"
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError):
        brokers_page.results([file], '{"brokers": []}')


def broker(name, version, differences=()):
    bugs = {"met": 1, "damage": 2, "crafted": 3}
    return {
        "name": name,
        "version": version,
        "run": "2026-11-23",
        "asked": 5,
        "passed": 4,
        "bugs": bugs,
        "differences": list(differences),
    }


def test_kafka_stands_first_by_release_and_the_others_by_name():
    names = [("broker-kfake", "0.0.0-1"), ("broker-kafka@3.9.2", "3.9.2"), ("broker-kafka-legacy@0.11.0.3", "0.11.0.3")]
    known = [broker(*name) for name in [*names, ("broker-kafka", "4.10.0")]]
    text = brokers_page.results([], json.dumps({"brokers": known}))
    versions = [line["version"] for line in json.loads(text)["brokers"]]
    assert versions == ["4.10.0", "3.9.2", "0.11.0.3", "0.0.0-1"]


def test_the_page_shows_the_first_differences_and_counts_the_others(tmp_path, monkeypatch):
    row = {"does": "answers otherwise", "reach": "producer", "vectors": 7, "e.g.": "v2/x"}
    rows = [row | {"does": f"answers {number}"} for number in range(brokers_page.SHOWN + 2)]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / brokers_page.FILE).write_text(
        json.dumps({"brokers": [broker("broker-kafka", "4.4.0"), broker("broker-librdkafka", "2.16.0", rows)]}),
        encoding="utf-8",
    )
    monkeypatch.setattr(brokers_page.data, "path", lambda name: tmp_path / name)
    page = brokers_page.with_results(MARKS)
    assert "| Kafka 4.4.0 | 4 of 5 | 1 | 2 | 3 | 2026-11-23 |" in page
    assert "- 7: answers 0 (`v2/x`)." in page
    assert "And 2 more in" in page
    assert "**Kafka 4.4.0**" not in page
