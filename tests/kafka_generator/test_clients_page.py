import json

import pytest
from kafka_conformance.errors import UsageError
from kafka_generator import clients_page


def test_a_file_that_is_no_report_is_refused(tmp_path):
    file = tmp_path / "report.json"
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError):
        clients_page.results([file], '{"targets": []}')


def test_parts_of_one_library_stand_in_one_row(monkeypatch):
    bugs = {"met": 1, "damage": 2, "crafted": 3}
    names = ("sarama", "consumer-sarama", "producer-sarama", "consumer-librdkafka", "gone-since")
    of_records = [{"name": name, "version": "1", "bugs": bugs} for name in names]
    of_messages = [{"name": "sarama", "version": "1", "bugs": bugs}]
    files = {clients_page.FILE: of_records, "protocol-results.json": of_messages}
    monkeypatch.setattr(clients_page, "_read", lambda name: {"targets": files[name]})
    clients = clients_page.values()["clients"]
    assert [(client.name, list(client.parts)) for client in clients] == [
        ("sarama", ["messages", "producer", "consumer", "decoder"]),
        ("librdkafka", ["consumer"]),
    ]
    assert json.dumps(clients[1].parts["consumer"]) == json.dumps({"unexplained": 0, **bugs})


def test_older_releases_of_clients_stand_apart(monkeypatch):
    bugs = {"met": 1, "damage": 2, "crafted": 3, "unexplained": 4}
    names = ("consumer-librdkafka@1.9.2", "producer-librdkafka", "kafka-clients@3.9.2", "consumer-gone@1")
    known = [{"name": name, "version": "1", "bugs": bugs} for name in names]
    monkeypatch.setattr(clients_page, "_read", lambda name: {"targets": known if name == clients_page.FILE else []})
    assert clients_page.values()["releases"] == [("librdkafka 1.9.2", "consumer", bugs)]
