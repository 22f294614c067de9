"""What clients and a broker sent: each message is whole, and names what it is."""

import json
from pathlib import Path

from kafka_generator.protocol_vectors import wild
from kafka_generator.protocol_vectors.case import judge
from kafka_generator.protocol_vectors.files import WILD
from kafka_generator.wild.sessions import sessions
from kafka_generator.wild.traffic import PRODUCERS, Frame, _first

HEARTBEAT = "000c0004000000070008636c69656e742d310004672d3100000001046d2d310000"


def test_a_line_becomes_a_case(tmp_path: Path) -> None:
    file = tmp_path / "wild.jsonl"
    line = {"client": "java-4.4.0", "broker": "4.4.0", "kind": "request", "api": 12, "version": 4, "hex": HEARTBEAT}
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    (case,) = wild.cases(file)
    assert case.id == "wild/heartbeat-request/4/java-4-4-0"
    assert (case.file, case.kind, case.verdict) == ("wild", "framed_request", "valid")
    assert judge(case).decoded.header.client_id == "client-1"


def test_no_file_no_cases(tmp_path: Path) -> None:
    assert list(wild.cases(tmp_path / "none.jsonl")) == []


def test_what_breaks_a_rule_is_lenient(tmp_path: Path) -> None:
    file = tmp_path / "wild.jsonl"
    line = {"client": "x-1.0", "broker": "3.9.2", "kind": "request", "api": 12, "version": 4, "hex": HEARTBEAT + "00"}
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    (case,) = wild.cases(file)
    assert case.id == "wild/heartbeat-request/4/x-1-0-and-3-9-2"
    assert (case.verdict, case.rules, case.flag) == ("lenient", ("protocol.body.exact",), "body-trailing-bytes")


def test_every_producer_and_session_was_recorded() -> None:
    lines = [json.loads(line) for line in WILD.read_text(encoding="utf-8").splitlines()]
    known = {*PRODUCERS, *(session.label for session in sessions())}
    brokers = {line["client"] for line in lines} - known
    assert all(name.startswith("broker-") for name in brokers)
    assert known <= {line["client"] for line in lines}
    assert {line["kind"] for line in lines} == {"request", "response"}


def test_the_first_of_each_kind_is_kept() -> None:
    frames = [Frame("request", 3, 1, b"a"), Frame("request", 3, 1, b"b"), Frame("response", 3, 1, bytes(9000))]
    assert list(_first(frames)) == frames[:1]
