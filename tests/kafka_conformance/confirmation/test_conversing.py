"""A script takes part in a conversation: it is told what to do, and what its broker saw is told."""

import sys
from pathlib import Path

import pytest
from kafka_conformance.confirmation import conversing
from kafka_conformance.confirmation.programs import Program
from kafka_conformance.kinds.conversation.requests_seen import ClientRequest
from kafka_tools.errors import UsageError

ROOT = Path(__file__).parents[3]
NAME = "conversation/transactions-v1/add-not-authorized"


def run(code, name=NAME, wanted=None):
    program = Program((sys.executable, "-c", code), folder=ROOT)
    return conversing.producer_lines(program, conversing.conversation_of(name), wanted or {})


def test_name_of_an_order_is_no_conversation():
    assert conversing.conversation_of("produce/v2/one/none") is None


def test_script_that_fails_is_told():
    with pytest.raises(UsageError, match=r"exited with status 3"):
        run("raise SystemExit(3)")


def test_script_knows_steps_and_settings():
    told = run("import sys; print(open(sys.argv[3]).read().strip(), *sys.argv[4:])")
    assert told == ("transaction a b idempotent=true transactional=true", "log: empty")


def test_requests_and_what_is_in_the_log_are_told():
    code = """
import socket, sys
from kafka_format import protocol, records
from kafka_format.records import Record
host, port = sys.argv[1].split(":")
with socket.create_connection((host, int(port))) as connection:
    def ask(api, version, body):
        request = protocol.encode_request(api, version, body, client_id="it")
        connection.sendall(len(request).to_bytes(4, "big") + request)
        data = b""
        while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "big"):
            data += connection.recv(4096)
        return protocol.decode_response(data[4:], api, version).body
    given = ask("init_producer_id", 4, {"transactional_id": None, "transaction_timeout_ms": 1})
    batch = records.encode([Record(0, 1, 0, None, b"a", (), given.producer_id, 0, 0)])
    partition = {"index": 0, "records": batch}
    for _ in range(2):
        ask("produce", 9, {"acks": -1, "topic_data": [{"name": "t1", "partition_data": [partition]}]})
"""
    wanted = {"produce": ["base_sequence", "values"]}
    assert run(code, "conversation/idempotence/duplicate", wanted) == (
        "produce base_sequence=0 values=[a]",
        "log: a",
    )


def test_line_that_comes_again_is_told_once():
    def heartbeat(epoch):
        return ClientRequest("heartbeat", 4, 1, 1, 0.0, fields={"generation_id": epoch, "instance": None})

    requests = [heartbeat(1), heartbeat(1), ClientRequest("fetch", 12, 1, 1, 0.0), heartbeat(2), heartbeat(1)]
    assert conversing.request_lines(requests, {"heartbeat": ["generation_id", "instance"]}) == (
        "heartbeat generation_id=1 instance=null",
        "heartbeat generation_id=2 instance=null",
    )
