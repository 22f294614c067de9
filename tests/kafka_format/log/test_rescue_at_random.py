"""Whatever happens to the files of a log, its rescue has each batch that is still sound, or says
that it is left out; and nothing is wrong with what it wrote."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.batches import batches
from kafka_format.log.rescue import find_sound, write_rescued
from kafka_format.log.verification import verify_partition

from tests.kafka_format.log import real

PARTITIONS = ("plain-0", "txn-0", "compact-lz4-0", "txn-compact-0", "stamped-0")
RUNS = 12

Chunks = list[list[bytes]]
"""The batches of each segment, and what stands between them."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real.unpack_sound("3.9.2", "stopped", tmp_path_factory.mktemp("sound"))


def flip(draw: random.Random, chunks: list[bytes], _: Chunks) -> None:
    at = draw.randrange(len(chunks))
    changed = bytearray(chunks[at])
    changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    chunks[at] = bytes(changed)


def wrong_size(draw: random.Random, chunks: list[bytes], _: Chunks) -> None:
    at = draw.randrange(len(chunks))
    size = draw.choice([b"\0\0\0\0", b"\0\0\1\0", b"\0\x10\0\0", b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff"])
    chunks[at] = chunks[at][:8] + size + chunks[at][12:]


def cut(draw: random.Random, chunks: list[bytes], _: Chunks) -> None:
    at = draw.randrange(len(chunks))
    chunks[at] = chunks[at][: draw.randrange(1, len(chunks[at]) + 1)]


def end(draw: random.Random, chunks: list[bytes], _: Chunks) -> None:
    del chunks[draw.randrange(1, len(chunks) + 1) :]


def insert(draw: random.Random, chunks: list[bytes], _: Chunks) -> None:
    content = draw.choice([bytes(512), draw.randbytes(7), draw.randbytes(300), b"\xff" * 64])
    chunks.insert(draw.randrange(len(chunks) + 1), content)


def swap(draw: random.Random, chunks: list[bytes], _: Chunks) -> None:
    one, other = draw.randrange(len(chunks)), draw.randrange(len(chunks))
    chunks[one], chunks[other] = chunks[other], chunks[one]


def repeat(draw: random.Random, chunks: list[bytes], log: Chunks) -> None:
    draw.choice(log).insert(0, draw.choice(chunks))


def move(draw: random.Random, chunks: list[bytes], log: Chunks) -> None:
    chunk = chunks.pop(draw.randrange(len(chunks)))
    place = draw.choice(log)
    place.insert(draw.randrange(len(place) + 1), chunk)


def exchange(draw: random.Random, chunks: list[bytes], log: Chunks) -> None:
    other = draw.choice(log)
    chunks[:], other[:] = list(other), list(chunks)


DAMAGES: tuple[Callable[[random.Random, list[bytes], Chunks], None], ...] = (
    flip, wrong_size, cut, end, insert, swap, repeat, move, exchange,
)  # fmt: skip


def spoil(draw: random.Random, folder: Path) -> list[bytes]:
    """Damage a folder; return the batches that are still there."""
    paths = sorted(folder.glob("*.log"))
    log = [[batch.data for batch in batches(path.read_bytes())] for path in paths]
    whole = {batch for chunks in log for batch in chunks}
    for _ in range(draw.randint(1, 5)):
        chunks = draw.choice([each for each in log if each])
        draw.choice(DAMAGES)(draw, chunks, log)
    for path, chunks in zip(paths, log, strict=True):
        path.write_bytes(b"".join(chunks))
    return [chunk for chunks in log for chunk in chunks if chunk in whole]


@pytest.mark.parametrize("partition", PARTITIONS)
def test_no_sound_batch_is_lost_unsaid(sound: Path, tmp_path: Path, partition: str) -> None:
    for run in range(RUNS):
        folder, out = tmp_path / f"{run}" / partition, tmp_path / f"{run}-rescued" / partition
        shutil.copytree(sound / partition, folder)
        left = spoil(random.Random(f"{partition} {run}"), folder)  # noqa: S311 - damage, no secret
        with PartitionLog(folder, any_width=True) as log:
            rescued = find_sound(log)
            write_rescued(log, rescued, out)
            said = [each.segment.data[part.start : part.end] for each in rescued for part in each.left_out]
        written = [path.read_bytes() for path in out.glob("*.log")]
        assert all(any(batch in content for content in (*written, *said)) for batch in left), run
        assert list(verify_partition(out)) == [], run
