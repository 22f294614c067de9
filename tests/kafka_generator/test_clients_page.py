import json
import re
from types import SimpleNamespace

import pytest
from kafka_generator import clients_page
from kafka_tools.errors import UsageError


def test_a_file_that_is_no_report_is_refused(tmp_path):
    file = tmp_path / "report.json"
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError):
        clients_page.results([file], '{"targets": []}')


def report(tmp_path, command="kafka-conformance run sarama", *, target="consumer-sarama", interrupted=False):
    """Write the report of a run of one target, as far as the page reads it; return the file."""
    bugs = {"met": 1, "damage": 2, "crafted": 3, "unexplained": 4}
    document = {
        "header": {"started": "2026-11-26T23:58:07+00:00", "command": command},
        "vectors": [{}] * 7,
        "summary": [{"target": target, "asked": 5, "findings": 4, "bugs": bugs}],
        "footer": {"interrupted": interrupted},
    }
    file = tmp_path / f"{len(list(tmp_path.iterdir()))}.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


@pytest.fixture
def of_sarama(monkeypatch):
    """Let every file pass for the report of a run of sarama 1.61.1."""
    hello = SimpleNamespace(version="1.61.1")
    targets = [SimpleNamespace(name=name, hello=hello) for name in ("sarama", "consumer-sarama")]
    monkeypatch.setattr(clients_page.json_report, "load", lambda _: SimpleNamespace(targets=targets))


@pytest.mark.usefixtures("of_sarama")
def test_reports_of_several_runs_are_joined_and_each_row_says_which_run_it_is_of(tmp_path):
    old = {"name": "consumer-sarama", "version": "1", "asked": 1, "findings": 0, "bugs": {}}
    other = {**old, "name": "producer-afkak"}
    text = clients_page.results([report(tmp_path)], json.dumps({"targets": [old, other]}))
    joined = {line["name"]: line for line in json.loads(text)["targets"]}
    assert joined["producer-afkak"] == other
    assert {key: joined["consumer-sarama"][key] for key in ("version", "run", "vectors", "asked")} == {
        "version": "1.61.1",
        "run": "2026-11-26",
        "vectors": 7,
        "asked": 5,
    }


@pytest.mark.usefixtures("of_sarama")
def test_decoders_are_not_taken_since_their_counts_stand_beside_their_findings(tmp_path):
    text = clients_page.results([report(tmp_path, target="sarama")], '{"targets": []}')
    assert json.loads(text) == {"targets": []}


@pytest.mark.usefixtures("of_sarama")
@pytest.mark.parametrize(
    "option", ["--vectors 'v2/*'", "--id x", "--rule v2.crc", "--verdict valid", "--direction=decode"]
)
def test_a_run_of_chosen_vectors_is_refused(tmp_path, option):
    with pytest.raises(UsageError, match=re.escape(option.split()[0].partition("=")[0])):
        clients_page.results([report(tmp_path, f"kafka-conformance run sarama {option}")], '{"targets": []}')


@pytest.mark.usefixtures("of_sarama")
def test_an_interrupted_run_is_refused(tmp_path):
    with pytest.raises(UsageError, match="interrupted"):
        clients_page.results([report(tmp_path, interrupted=True)], '{"targets": []}')


def test_targets_stand_beside_the_run_that_they_are_of(monkeypatch):
    rows = [("afkak", "2026-11-25", 7), ("sarama", "2026-11-26", 9), ("kio", "2026-11-26", 9)]
    known = [
        {"name": name, "asked": 1, "run": run, "vectors": vectors, "version": "1", "bugs": {}}
        for name, run, vectors in rows
    ]
    known.append({"name": "brod", "version": "1", "bugs": {}})
    monkeypatch.setattr(clients_page, "_read", lambda name: {"targets": known if name == clients_page.FILE else []})
    assert clients_page.values()["runs"] == [
        ("2026-11-26", 9, ["sarama", "kio"]),
        ("2026-11-25", 7, ["afkak"]),
        ("", 0, ["brod"]),
    ]


def test_parts_of_one_library_stand_in_one_row(monkeypatch):
    bugs = {"met": 1, "damage": 2, "crafted": 3}
    names = ("consumer-sarama", "producer-sarama", "consumer-librdkafka", "gone-since")
    of_clients = [{"name": name, "version": "1", "asked": 1, "bugs": bugs} for name in names]
    of_decoders = [{"name": "sarama", "version": "1", "bugs": bugs}]
    files = {clients_page.FILE: of_clients, "protocol-results.json": of_decoders, "results.json": of_decoders}
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
    known = [{"name": name, "version": "1", "asked": 1, "bugs": bugs} for name in names]
    monkeypatch.setattr(clients_page, "_read", lambda name: {"targets": known if name == clients_page.FILE else []})
    assert clients_page.values()["releases"] == [("librdkafka 1.9.2", "consumer", bugs)]
