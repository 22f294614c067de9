import json
from pathlib import Path

from kafka_generator.recorded import append_errors


def test_a_report_without_answers_of_brokers_changes_nothing(tmp_path: Path) -> None:
    known = {"v2/x": {"A": ["4.4.0"]}}
    append_errors.take_over(known, tmp_path)
    assert known == {"v2/x": {"A": ["4.4.0"]}}


def test_answers_of_a_release_replace_its_earlier_ones_and_other_brokers_say_nothing(tmp_path: Path) -> None:
    rows = [
        {"target": "broker-kafka@3.9.2", "vector": "v2/x", "errors": ["B"]},
        {"target": "broker-librdkafka", "vector": "v2/x", "errors": ["C"]},
        {"target": "broker:localhost:9092", "vector": "v2/x", "errors": ["D"]},
    ]
    (tmp_path / "appends.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    known = {"v2/x": {"A": ["4.4.0", "3.9.2"]}, "v2/y": {"A": ["3.9.2"]}}
    append_errors.take_over(known, tmp_path)
    assert json.loads(append_errors.text(known)) == {"errors": {"v2/x": {"A": ["4.4.0"], "B": ["3.9.2"]}}}
