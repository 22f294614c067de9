"""What clients and a broker sent: each message is whole, and names what it is."""

import json
from pathlib import Path

from kafka_format import protocol
from kafka_generator.protocol_vectors import wild
from kafka_generator.protocol_vectors.case import judge
from kafka_generator.protocol_vectors.files import WILD
from kafka_generator.recordings.wild.sessions import sessions
from kafka_generator.recordings.wild.traffic import PRODUCERS, Frame, _worth_storing, filled_fields, without_release

HEARTBEAT = "000c0004000000070008636c69656e742d310004672d3100000001046d2d310000"


def test_a_line_becomes_a_case(tmp_path: Path) -> None:
    file = tmp_path / "wild.jsonl"
    line = {"client": "java-4.4.0", "broker": "4.4.0", "kind": "request", "api": 12, "version": 4, "hex": HEARTBEAT}
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    (case,) = wild.cases(file)
    assert case.id == "wild/heartbeat-request/4/java-4-4-0"
    assert (case.file, case.kind, case.verdict) == ("wild", "framed_request", "valid")
    assert judge(case).value.header.client_id == "client-1"


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
    """What a session says is not stored if another of the same library has said it."""
    lines = [json.loads(line) for line in WILD.read_text(encoding="utf-8").splitlines()]
    known = {*PRODUCERS, *(session.label for session in sessions())}
    stored = {line["client"] for line in lines}
    assert all(name.startswith("broker-") for name in stored - known)
    assert {without_release(name) for name in known} <= {without_release(name) for name in stored}
    assert {line["kind"] for line in lines} == {"request", "response"}


def test_messages_of_one_kind_have_ids_of_their_own(tmp_path: Path) -> None:
    line = {"client": "java-4.4.0", "broker": "4.4.0", "kind": "request", "api": 12, "version": 4, "hex": HEARTBEAT}
    file = tmp_path / "wild.jsonl"
    file.write_text(f"{json.dumps(line)}\n" * 3, encoding="utf-8")
    first = "wild/heartbeat-request/4/java-4-4-0"
    assert [case.id for case in wild.cases(file)] == [first, f"{first}-2", f"{first}-3"]


def test_the_first_of_each_kind_is_kept() -> None:
    frames = [Frame("request", 3, 1, b"a"), Frame("request", 3, 1, b"b"), Frame("response", 3, 1, bytes(9000))]
    assert _worth_storing(frames) == frames[:1]


def test_what_something_is_wrong_with_is_kept_instead() -> None:
    whole = Frame("request", 12, 4, bytes.fromhex(HEARTBEAT))
    wrong = whole._replace(data=whole.data + b"\0")
    assert _worth_storing([whole, wrong, whole]) == [wrong, whole]


def test_what_fills_another_field_is_kept_beside_the_first() -> None:
    def heartbeat(**fields: object) -> Frame:
        return Frame("request", 12, 4, protocol.encode_request("heartbeat", 4, fields, correlation_id=1))

    plain, same = heartbeat(group_id="g"), heartbeat(group_id="h")
    static = heartbeat(group_id="g", group_instance_id="i")
    assert _worth_storing([plain, same, static, plain]) == [plain, static]
    assert filled_fields(static) == {".group_id", ".group_instance_id"}


def test_fields_inside_arrays_are_told_apart() -> None:
    body = {"topics": [{"name": "t"}, {"topic_id": b"\1" * 16}]}
    frame = Frame("request", 3, 12, protocol.encode_request("metadata", 12, body, correlation_id=1))
    assert {".topics", ".topics.name", ".topics.topic_id"} <= filled_fields(frame)
