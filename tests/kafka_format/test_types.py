"""What an editor and a type checker know of decoded values: programs of a user, put to mypy."""

import re
import subprocess
import sys

import pytest

RIGHT = """
from typing import assert_type

from kafka_format import structure
from kafka_format.values import MessageV1, Record, RecordBatch

batch = structure("record_batch").decode(b"")
assert_type(batch, RecordBatch)
assert_type(batch.records, list[Record])
assert_type(batch.records[0].value, bytes | None)
assert_type(batch.timestamp_type, str)
assert_type(batch.is_control, bool)
message = structure("message_set_entry").decode(b"").message
if message.magic == 1:
    assert_type(message, MessageV1)
    assert_type(message.timestamp, int)
data = structure("header").encode(structure("header").type(b"key", None))
assert_type(data, bytes)
"""

WRONG = """
from kafka_format import structure

batch = structure("record_batch").decode(b"")
batch.baseOffset
batch.records[0].value.decode()
batch.base_offset.decode()
structure("message_set_entry").decode(b"").message.timestamp
structure("header").type("key", None)
"""

MISTAKES = [
    '"RecordBatch" has no attribute "baseOffset"',
    'Item "None" of "bytes | None" has no attribute "decode"',
    '"int" has no attribute "decode"',
    'Item "MessageV0" of "MessageV0 | MessageV1" has no attribute "timestamp"',
    'Argument 1 to "Header" has incompatible type "str"; expected "bytes"',
]

RIGHT_OF_PROTOCOL = """
from typing import assert_type

from kafka_format import protocol, structure
from kafka_format.protocol.values import FetchRequest, FetchRequestFetchTopic, OffsetCommitValue

fetch = structure("fetch_request", 12)
asked = fetch.decode(b"")
assert_type(asked, FetchRequest)
assert_type(asked.topics, list[FetchRequestFetchTopic])
assert_type(asked.topics[0].topic, str)
assert_type(asked.cluster_id, str | None)
assert_type(protocol.request("fetch", 12).decode(b""), FetchRequest)
assert_type(protocol.request("Fetch", 12).decode(b""), FetchRequest)
assert_type(protocol.request(1, 12).decode(b""), FetchRequest)
assert_type(structure("offset_commit_value", 3).decode(b""), OffsetCommitValue)
protocol.encode_request("fetch", 12, fetch.type(max_wait_ms=500, topics=[]), correlation_id=7, client_id="me")
"""

WRONG_OF_PROTOCOL = """
from kafka_format import protocol, structure

fetch = structure("fetch_request", 12)
fetch.decode(b"").max_wait
fetch.decode(b"").cluster_id.lower()
fetch.type(max_wait_ms="500")
protocol.response("fetch", 12).decode(b"").responses[0].name
"""

MISTAKES_OF_PROTOCOL = [
    '"FetchRequest" has no attribute "max_wait"; maybe "max_wait_ms"?',
    'Item "None" of "str | None" has no attribute "lower"',
    'Argument "max_wait_ms" to "FetchRequest" has incompatible type "str"; expected "int"',
    '"FetchResponseFetchableTopicResponse" has no attribute "name"',
]


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Checks a program strictly: the errors, without their places."""
    folder = tmp_path_factory.mktemp("program")

    def check(program: str) -> list[str]:
        (folder / "program.py").write_text(program, encoding="utf-8")
        command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "program.py"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=1800)
        assert done.returncode in {0, 1}, done.stderr
        return re.findall(r"^program\.py:\d+: error: (.*)  \[[a-z-]+\]$", done.stdout, flags=re.MULTILINE)

    return check


@pytest.mark.parametrize("program", [RIGHT, RIGHT_OF_PROTOCOL], ids=["entries", "protocol"])
def test_the_types_of_fields_are_known(mypy, program):
    assert mypy(program) == []


@pytest.mark.parametrize(
    ("program", "mistakes"),
    [(WRONG, MISTAKES), (WRONG_OF_PROTOCOL, MISTAKES_OF_PROTOCOL)],
    ids=["entries", "protocol"],
)
def test_mistakes_are_found(mypy, program, mistakes):
    assert mypy(program) == mistakes
