"""The record of what Kafka said: what has to be asked again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_generator.protocol_vectors import wild
from kafka_generator.protocol_vectors.case import MessageCase
from kafka_generator.protocol_vectors.oracle import RELEASES, OracleLine

HEARTBEAT = "000c0004000000070008636c69656e742d310004672d3100000001046d2d310000"
SAID = {release: {} for release in RELEASES}


@pytest.fixture
def case(tmp_path: Path) -> MessageCase:
    line = {"client": "java-4.4.0", "broker": "4.4.0", "kind": "request", "api": 12, "version": 4, "hex": HEARTBEAT}
    file = tmp_path / "wild.jsonl"
    file.write_text(json.dumps(line), encoding="utf-8")
    (found,) = wild.cases(file)
    return found


def test_what_was_asked_is_not_asked_again(tmp_path: Path, case: MessageCase) -> None:
    record = OracleLine(tmp_path / "oracle.json")
    assert not record.knows("wild", [case])
    assert record.of("wild", [case]) is None
    record.keep("wild", [case], SAID)
    assert record.knows("wild", [case])
    record.save(["wild"])
    assert OracleLine(tmp_path / "oracle.json").knows("wild", [case])


def test_a_new_vector_has_its_whole_file_asked_again(tmp_path: Path, case: MessageCase) -> None:
    record = OracleLine(tmp_path / "oracle.json")
    record.keep("wild", [case], SAID)
    assert not record.knows("wild", [case, case])
    assert not record.knows("wild", [replace(case, data=case.data + b"\0")])
    assert not record.knows("groups", [case])


def test_a_new_release_is_asked_about_everything(tmp_path: Path, case: MessageCase) -> None:
    record = OracleLine(tmp_path / "oracle.json")
    record.keep("wild", [case], {release: {} for release in list(RELEASES)[1:]})
    assert not record.knows("wild", [case])
