"""Segments that are explained part by part say what they say at once."""

from collections.abc import Sequence
from itertools import chain

import pytest
from kafka_format import records
from kafka_format.explain import segments
from kafka_format.explain.lines import Line
from kafka_format.explain.salvage import salvage
from kafka_format.records import Record

BATCH = records.encode([Record(offset=at, timestamp=7, timestamp_type=0, value=b"hello") for at in range(3)])
DAMAGES = {
    "nothing": BATCH * 9,
    "a byte of records": BATCH * 4 + BATCH[:-2] + b"x" + BATCH[-1:] + BATCH * 4,
    "its last bytes": BATCH * 8 + BATCH[:-7],
    "all behind the header of the last": BATCH * 8 + BATCH[:20],
    "a size": BATCH * 4 + BATCH[:8] + bytes(4) + BATCH[12:] + BATCH * 4,
    "a record count": BATCH * 4 + BATCH[:57] + b"\0\0\0\x09" + BATCH[61:] + BATCH * 4,
}


def said(lines: Sequence[Line]) -> list[Line]:
    return [line._replace(fault=str(line.fault)) for line in lines]  # type: ignore[arg-type]


@pytest.mark.parametrize("damage", DAMAGES)
def test_parts_say_together_what_all_says_at_once(damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "_PART", 2 * len(BATCH))
    data = DAMAGES[damage]
    parts = list(segments.salvage_parts(data))
    whole = salvage(data)
    assert len(parts) > 2
    assert said(list(chain.from_iterable(part.lines for part in parts))) == said(whole.lines)
    assert (parts[-1].missing, [str(part.fault) for part in parts if part.fault]) == (
        whole.missing, [str(whole.fault)] if whole.fault else [],
    )  # fmt: skip


def test_what_is_behind_the_end_of_reading_is_named_and_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "_PART", 2 * len(BATCH))
    monkeypatch.setattr(segments, "_LARGEST_REST", len(BATCH))
    *_, last = segments.salvage_parts(BATCH * 2 + b"\xff" * 10_000)
    assert sum(len(line.raw) for line in last.lines) <= 3 * len(BATCH)
