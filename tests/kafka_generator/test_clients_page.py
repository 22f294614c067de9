from kafka_conformance.targets.catalogue import Part
from kafka_generator import clients_page
from kafka_generator.recorded import results
from kafka_generator.recorded.results import Row

BUGS = {"met": 1, "damage": 2, "crafted": 3}


def row(target, part, run="", vectors=0):
    return Row(target, part, "1", "Go", run, vectors, 1, 0, BUGS)


def record(monkeypatch, *rows):
    monkeypatch.setattr(results, "of", lambda part: [row for row in rows if row.part is part])


def test_targets_stand_beside_the_run_that_they_are_of(monkeypatch):
    runs = [("afkak", "2026-11-25", 7), ("sarama", "2026-11-26", 9), ("kio", "2026-11-26", 9), ("brod", "", 0)]
    record(monkeypatch, *(row(name, Part.PRODUCER, run, vectors) for name, run, vectors in runs))
    assert clients_page.runs() == [
        ("2026-11-26", 9, ["kio", "sarama"]),
        ("2026-11-25", 7, ["afkak"]),
        ("", 0, ["brod"]),
    ]


def test_older_releases_of_clients_stand_apart(monkeypatch):
    record(
        monkeypatch,
        row("consumer-librdkafka@1", Part.CONSUMER),
        row("producer-librdkafka", Part.PRODUCER),
        row("kafka-clients@1", Part.DECODER),
        row("consumer-gone@1", Part.CONSUMER),
    )
    assert clients_page.older_releases() == [("librdkafka 1", "consumer", {"unexplained": 0, **BUGS})]
