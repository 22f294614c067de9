"""serve: topics of files, what producers send, notes, and wrong usage."""

import json
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from kafka_format import records
from kafka_format.records import Record

from tests.command_line import Main
from tests.kafka_tools.server.client import Client, Where

BATCH = records.encode([Record(offset=3, timestamp=5, timestamp_type=0, value=b"v")])


@contextmanager
def started(*arguments: object):
    command = [sys.executable, "-m", "kafka_tools", "serve", "--port", "0", *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        said = process.stderr.readline()
        client = Client(Where("127.0.0.1", int(re.search(r":(\d+);", said)[1])))
        yield process, client
        client.close()


def test_a_file_is_served_and_requests_are_noted(tmp_path: Path) -> None:
    (tmp_path / "batch.bin").write_bytes(BATCH)
    with started(f"orders={tmp_path / 'batch.bin'}", "--notes", tmp_path / "notes") as (process, client):
        (topic,) = client.ask("metadata", 1, {"topics": None}).topics
        asked = {"topic": "orders", "partitions": [{"partition": 0, "fetch_offset": 3, "partition_max_bytes": 999}]}
        partition = client.ask("fetch", 4, {"max_wait_ms": 0, "topics": [asked]}).responses[0].partitions[0]
        process.terminate()
    assert topic.name == "orders"
    assert (partition.records, partition.high_watermark) == (BATCH, 4)
    notes = [json.loads(line) for line in (tmp_path / "notes").read_text().splitlines()]
    assert [note["api"] for note in notes if note["kind"] == "request"] == ["metadata", "fetch"]


def test_what_producers_send_is_kept_and_a_wrong_request_is_told(tmp_path: Path) -> None:
    with started("--take", tmp_path / "taken") as (process, client):
        data = [{"name": "new", "partition_data": [{"index": 0, "records": b"bytes"}]}]
        client.ask("produce", 3, {"acks": 1, "topic_data": data})
        client.send(b"\xff" * 20)
        assert client.receive() is None
        client.close()
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=600)
    assert process.returncode == 1
    assert "there is no API -1" in complaints
    assert (tmp_path / "taken" / "000001-new-v3.bin").read_bytes() == b"bytes"


def test_it_ends_by_itself_when_its_time_is_over(main: Main, tmp_path: Path) -> None:
    file, notes = tmp_path / "batch.bin", tmp_path / "notes"
    file.write_bytes(BATCH)
    status, _, said = main("serve", str(file), "--port", "0", "--notes", str(notes), "--seconds", "0.1")
    assert (status, notes.read_text()) == (0, "")
    assert "1 topic at 127.0.0.1:" in said


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "nothing to serve"),
        (("no-such-file",), "cannot read"),
        (("orders=",), "the name of the file is missing"),
        (("a/b={batch}",), "is not the name of a topic"),
        (("{batch}", "--versions", "fetch"), "is not API=LOW-HIGH"),
        (("{batch}", "--versions", "fetch=3-19"), "It has 0-18"),
        (("{batch}", "--versions", "create_topics=1"), "has no API"),
        (("{batch}", "--aborted", "x"), "is not ID:OFFSET"),
        (("{batch}", "--port", "{taken}"), "Choose another --port"),
    ],
)
def test_wrong_usage_is_told(main: Main, tmp_path: Path, arguments: tuple[str, ...], expected: str) -> None:
    (tmp_path / "batch.bin").write_bytes(BATCH)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        fill = {"batch": str(tmp_path / "batch.bin"), "taken": str(taken.getsockname()[1])}
        status, _, complaint = main("serve", *(argument.format(**fill) for argument in arguments))
    assert status == 2
    assert expected in complaint


def test_an_empty_file_is_an_empty_log(tmp_path: Path) -> None:
    (tmp_path / "none.bin").touch()
    with started(tmp_path / "none.bin") as (process, client):
        asked = {"partition_index": 0, "timestamp": -1}
        body = {"topics": [{"name": "none", "partitions": [asked]}]}
        assert client.ask("list_offsets", 1, body).topics[0].partitions[0].offset == 0
        process.terminate()
