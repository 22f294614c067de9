"""What is due as images: the same bytes as Python's own `marshal` makes of what Kafka's rules say, for every batch."""

import importlib
import marshal
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from types import ModuleType
from typing import Any

import pytest
from kafka_conformance import answers, sharing
from kafka_conformance.scale import images
from kafka_format import records, sampler, structure

pytestmark = pytest.mark.usefixtures("way")

COUNTS = {"tiny": 300, "mixed": 600, "large": 40, "compressed": 300}


@pytest.fixture(scope="module")
def shared() -> Iterator[ModuleType]:
    sys.path.insert(0, str(sharing.FOLDER))
    yield importlib.import_module("shared_images")
    sys.path.remove(str(sharing.FOLDER))


def runs_of(data: bytes, *, codec: bool = True) -> list[Any]:
    """Tell a v2 batch as a library does that reads batch by batch."""
    batch = structure("record_batch").decode(data)
    state = (
        *(batch.producer_id, batch.producer_epoch, batch.base_sequence, batch.base_offset),
        *(batch.is_transactional, batch.is_control, answers.CODECS.index(batch.codec) if codec else 0),
    )
    rows = [(*one[:5], [(name.decode(), value) for name, value in one.headers]) for one in records.decode(data)]
    return [(state, rows)]


def written(block: sampler.Block, fields: Sequence[str]) -> list[bytes]:
    found = images.written(block, fields)
    return [found.data[first:last].tobytes() for first, last in pairwise(found.bounds)]


@pytest.mark.parametrize("profile", COUNTS)
def test_images_are_what_marshal_writes(profile: str) -> None:
    block = sampler.block(5, 0, COUNTS[profile], profile)
    for fields in (answers.FIELDS, [field for field in answers.FIELDS if field != "codec"]):
        found = written(block, fields)
        for place in range(len(block)):
            assert found[place] == marshal.dumps(runs_of(block.input(place), codec="codec" in fields), 2)


@pytest.mark.parametrize(
    "number",
    [0, -1, (1 << 31) - 1, 1 << 31, -(1 << 31), -(1 << 31) - 1, 1 << 45, (1 << 60) - 1, -(1 << 60), -(1 << 63)],
)
def test_integers_of_every_size(number: int) -> None:
    block = sampler.block(5, 0, 20, "mixed")
    block.columns.numbers["timestamp"][:] = number
    loaded = [marshal.loads(image) for image in written(block, answers.FIELDS)]  # noqa: S302 - ours
    rows = [row for ((_, rows),) in loaded for row in rows]
    assert rows
    assert {timestamp for _, timestamp, *_ in rows} == {number}


def test_block_holds_batches_and_images(shared: ModuleType) -> None:
    block = sampler.block(5, 7, 100, "mixed")
    due = shared.Images(b"".join(images.sections(block, answers.FIELDS)))
    assert len(due) == 100
    assert [data for _, data, _ in due.each(0)] == [block.input(place) for place in range(100)]
    for place, data, image in due.each(60):
        assert marshal.dumps(runs_of(data), shared.VERSION) == image
        assert due.inputs(place, place + 1) == [data]
    assert [place for place, *_ in due.each(90, frozenset({92, 95}))] == [90, 91, 93, 94, 96, 97, 98, 99]


@pytest.mark.usefixtures("shared")
def test_images_hold_what_adapters_give() -> None:
    """The field names stand on both sides, since neither can import the other."""
    adapters = {name: importlib.import_module(name) for name in ("batchwise", "kafka_python_family")}
    assert tuple(images.ROW) == adapters["batchwise"].FIELDS
    assert adapters["kafka_python_family"].State._fields == images.STATE


def test_python_that_writes_otherwise_is_noticed(shared: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shared.possible()
    monkeypatch.setattr(shared, "VERSION", 4)  # with references, and short forms of small values
    assert not shared.possible()
