"""Functions as targets: what is wrong with their records is told before any vector."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.protocol.messages import InputKind
from kafka_conformance.serving import python_function, trial
from kafka_conformance.targets import resolve
from kafka_tools.errors import UsageError


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Return a function that loads another one as a target, with what it declares."""

    def load(decode: Callable[[bytes], Any], seconds: float = 60.0, **hello: Any) -> Any:
        module = ModuleType("half_a_decoder")
        module.decode = decode
        module.HELLO = hello
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(trial, "SECONDS", seconds)
        monkeypatch.setattr(sys, "path", [*sys.path])  # the current folder joins it
        return python_function.load("half_a_decoder:decode")

    return load


def test_a_record_that_lacks_a_declared_field(served: Callable[..., Any]) -> None:
    with pytest.raises(UsageError, match="returned a record without the field headers") as raised:
        served(lambda _: [{"offset": 0, "timestamp": 0, "key": None, "value": b""}])
    assert "HELLO" in raised.value.hint


def test_a_value_that_is_text(served: Callable[..., Any]) -> None:
    with pytest.raises(UsageError, match="returned 'text' as value of a record"):
        served(lambda _: [{"offset": 0, "value": "text"}], fields=["offset", "value"])


@pytest.mark.parametrize(
    ("offset", "fits"), [(2**63 - 1, True), (-(2**63), True), (2**63, False), (-(2**63) - 1, False)]
)
def test_an_integer_that_no_field_holds(served: Callable[..., Any], *, offset: int, fits: bool) -> None:
    if fits:
        assert served(lambda _: [{"offset": offset}], fields=["offset"])
        return
    with pytest.raises(UsageError, match=f"returned {offset} as offset of a record"):
        served(lambda _: [{"offset": offset}], fields=["offset"])


@pytest.mark.parametrize("formats", [["v0"], ["v1"], ["v2"], ["v07"], []])
def test_what_it_declares_is_enough(served: Callable[..., Any], formats: list[str]) -> None:
    found = served(lambda _: [{"offset": 0}], fields=["offset"], formats=formats)
    assert found.hello.formats == tuple(formats)


def test_what_the_records_have_besides_is_compared(served: Callable[..., Any]) -> None:
    record = {"offset": 0, "timestamp": 0, "key": None, "value": b"", "headers": ()}
    besides = {"sequence": 3, "codec": "none", "timestamp_type": 0, "control": False}
    found = served(lambda _: [record | besides, record | besides | {"producer_id": 7}])
    assert found.hello.fields == ("offset", "timestamp", "timestamp_type", "key", "value", "headers", "sequence")
    assert found.record(record | besides).sequence == 3


def test_what_is_declared_is_all_that_is_compared(served: Callable[..., Any]) -> None:
    assert served(lambda _: [{"offset": 0, "sequence": 3}], fields=["offset"]).hello.fields == ("offset",)


def test_a_decoder_that_refuses_plain_records_is_for_the_vectors_to_judge(served: Callable[..., Any]) -> None:
    def refuse(_: bytes) -> list[Any]:
        raise ValueError("not yet")

    assert served(refuse).hello.formats == ("v0", "v1", "v2")


def crash(_: bytes) -> list[Any]:
    os._exit(3)


def hang(_: bytes) -> list[Any]:
    while True:
        time.sleep(1)


@pytest.mark.parametrize("decode", [crash, hang])
def test_a_function_that_crashes_or_hangs_is_for_the_vectors_to_judge(
    served: Callable[..., Any], decode: Callable[[bytes], Any]
) -> None:
    assert served(decode, seconds=0.5).hello.formats == ("v0", "v1", "v2")


def test_a_function_that_ends_the_process_gets_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ends.py").write_text("import sys\n\n\ndef decode(data):\n    sys.exit(3)\n", encoding="ascii")
    monkeypatch.chdir(tmp_path)
    command = resolve.candidate("python:ends:decode").command
    assert command is not None
    with AdapterClient(command, Limits()) as client:
        client.put_decode([b""], InputKind.RECORDS)
        with pytest.raises(TargetLostError, match="status 3"):
            client.receive()
