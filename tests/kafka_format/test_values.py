"""What an editor and a type checker know of decoded values: a program of a user, put to mypy."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from kafka_format import structure, values

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
"""What each line from `batch.` on gets wrong is in MISTAKES, in this order."""

MISTAKES = [
    '"RecordBatch" has no attribute "baseOffset"',
    'Item "None" of "bytes | None" has no attribute "decode"',
    '"int" has no attribute "decode"',
    'Item "MessageV0" of "MessageV0 | MessageV1" has no attribute "timestamp"',
    'Argument 1 to "Header" has incompatible type "str"; expected "bytes"',
]


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Checks a program strictly: the errors, without their places."""
    folder = tmp_path_factory.mktemp("program")

    def check(program: str) -> list[str]:
        (folder / "program.py").write_text(program, encoding="utf-8")
        command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "program.py"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode in {0, 1}, done.stderr
        return re.findall(r"^program\.py:\d+: error: (.*)  \[[a-z-]+\]$", done.stdout, flags=re.MULTILINE)

    return check


def test_the_types_of_fields_are_known(mypy):
    assert mypy(RIGHT) == []


def test_mistakes_are_found(mypy):
    assert mypy(WRONG) == MISTAKES


def test_the_classes_are_those_of_values():
    batch = structure("record_batch").type
    assert values.RecordBatch is batch
    assert "RecordBatch" in dir(values)
    with pytest.raises(AttributeError, match="has no attribute 'Batch'"):
        _ = values.Batch


def test_the_stub_has_every_class_and_every_field():
    stub = Path(values.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    written = re.split(r"^class (\w+)\(NamedTuple\):", stub, flags=re.MULTILINE)
    fields = {
        name: tuple(re.findall(r"^    (\w+): ", body, flags=re.MULTILINE))
        for name, body in zip(written[1::2], written[2::2], strict=True)
    }
    assert fields == {name: getattr(values, name)._fields for name in dir(values)}
