"""A fold of the batches that are needed gives the same producers as one of all batches."""

import random
from pathlib import Path

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.batches import Batch
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.verification.producer_batches import needed
from kafka_format.log.verification.snapshots import FollowedProducers

from tests.kafka_format.log import real
from tests.kafka_format.logs import ABORT, COMMIT, batch, marker, messages, transactional


def states(batches: list[Batch], snapshots: set[int]) -> list[object]:
    """What is known at each snapshot and at the end."""
    producers, seen = FollowedProducers(), list[object]()
    for each in batches:
        producers.add(each)
        if each.next_offset in snapshots:
            seen.append((each.next_offset, dict(producers.entries), dict(producers.timestamps)))
    known = (producers.markers, producers.timestamps, producers.aborted_data)
    return [*seen, producers.entries, producers.aborted, producers.open, *known]


def drawn(draw: random.Random) -> bytes:
    data = []
    for offset in range(60):
        producer = draw.randrange(3)
        data.append(
            draw.choice([
                batch(offset), transactional(offset, producer), marker(offset, producer, draw.choice([ABORT, COMMIT])),
                batch(offset, producer_id=producer, producer_epoch=0, base_sequence=offset), messages(1, offset),
                transactional(offset, producer, ()),
            ])
        )  # fmt: skip
    return b"".join(data)


@pytest.mark.parametrize("seed", range(16))
def test_nothing_is_missed(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)  # noqa: S311 - batches, no secret
    (tmp_path / "orders-0").mkdir()
    (tmp_path / "orders-0" / segment_name(0, FileKind.SEGMENT)).write_bytes(drawn(draw))
    snapshots = set(draw.sample(range(61), 3))
    with PartitionLog(tmp_path / "orders-0") as log:
        (segment,) = log.segments
        every = list(segment.whole_batches())
        unsure = {each.position for each in draw.sample(every, draw.randrange(3))}
        sure = [each for each in every if each.position not in unsure]
        kept = list(needed(segment, snapshots, unsure))
        assert states(kept, snapshots) == states(sure, snapshots)


def test_few_are_needed(tmp_path: Path) -> None:
    directory = real.unpack_sound("3.9.2", "stopped", tmp_path)
    with PartitionLog(directory / "plain-gzip-0") as log:
        assert all(len(list(needed(segment, ()))) <= 1 for segment in log.segments)
