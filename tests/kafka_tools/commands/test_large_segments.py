"""Segments that are read part by part: what is printed is what a small one gives."""

import json
from pathlib import Path

import pytest
from kafka_format import records
from kafka_format.explain import segments
from kafka_format.records import Record
from kafka_tools.commands import decode, recognised

from tests.command_line import Main

BATCH = records.encode([Record(offset=at, timestamp=7, timestamp_type=0, value=b"hello") for at in range(3)])
DAMAGES = {
    "a byte of records": BATCH * 4 + BATCH[:-2] + b"x" + BATCH[-1:] + BATCH * 4,
    "its last bytes": BATCH * 8 + BATCH[:-7],
    "a size": BATCH * 4 + BATCH[:8] + bytes(4) + BATCH[12:] + BATCH * 4,
    "a magic": BATCH * 4 + BATCH[:16] + b"\x07" + BATCH[17:] + BATCH * 4,
    "nothing": BATCH * 9,
}


@pytest.fixture(params=DAMAGES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A segment with that damage."""
    file = tmp_path / "00000000000000000000.log"
    file.write_bytes(DAMAGES[request.param])
    return file


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Reads any segment as a large one, two batches at once."""
    monkeypatch.setattr(recognised, "_LARGE", 0)
    monkeypatch.setattr(segments, "_PART", 2 * len(BATCH))
    monkeypatch.setattr(decode, "_PART", 2 * len(BATCH))
    return monkeypatch


COMMANDS = (["explain", "--json"], ["log", "explain", "--json"], ["decode"], ["decode", "--max-records", "20"])


@pytest.mark.parametrize("command", COMMANDS)
def test_a_large_segment_is_printed_as_a_small_one(
    main: Main, path: Path, command: list[str], in_parts: pytest.MonkeyPatch
) -> None:
    by_parts = main(*command, str(path))
    in_parts.undo()
    at_once = main(*command, str(path))
    assert by_parts == at_once
    if by_parts[1]:
        json.loads(by_parts[1])


def test_a_large_segment_whose_first_batch_is_cut_decodes_to_nothing(
    main: Main, tmp_path: Path, in_parts: pytest.MonkeyPatch
) -> None:
    assert in_parts
    file = tmp_path / "00000000000000000000.log"
    file.write_bytes(BATCH[:-9])
    status, out, err = main("decode", str(file))
    assert (status, out) == (1, "")
    assert "9 bytes missing" in err
