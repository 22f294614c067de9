"""Randomly damaged directories: whatever is in the files, the answer is a breach or a
FormatError."""

import os
import random
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog, find_offset, find_time, recover
from kafka_format.log.indexes import OffsetIndex
from kafka_format.log.mapped_file import MappedFile
from kafka_format.log.segment import Segment
from kafka_format.log.topic_names import schema_records
from kafka_format.log.verification import verify_directory

from tests.kafka_format.log import real

DAMAGES = 6


def damage(path: Path, draw: random.Random) -> None:
    data = bytearray(path.read_bytes())
    at = draw.randrange(len(data) + 1)
    match draw.randrange(4):
        case 0 if at < len(data):
            data[at] ^= 1 << draw.randrange(8)
        case 1:
            del data[at:]
        case 2:
            data += bytes(draw.randrange(64))
        case _:
            data[at : at + 8] = draw.randbytes(8)
    path.write_bytes(data)


@pytest.mark.parametrize("seed", range(12))
def test_no_damage_is_a_crash(seed: int, tmp_path: Path) -> None:
    root, draw = real.unpack("kafka-3.9.2-stopped", tmp_path / "data"), random.Random(seed)  # noqa: S311 - the same damage each time
    files = sorted(path for path in root.rglob("*") if path.is_file())
    for _ in range(DAMAGES):
        damage(draw.choice(files), draw)
    assert all(breach.detail for breach in verify_directory(root))
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        with PartitionLog(folder) as log:
            with suppress(FormatError):
                recover(log)
            for step in (0, 5, 50, 119):
                with suppress(FormatError):
                    find_offset(log, step)
                with suppress(FormatError):
                    find_time(log, 1_700_000_000_000 + 505 * step)
    shutil.rmtree(root)


@pytest.mark.parametrize("other", ["__consumer_offsets-0", "payments-0", "orders-0"])
@pytest.mark.parametrize("own", ["__cluster_metadata-0", "__transaction_state-0", "__share_group_state-0"])
def test_records_of_another_topic_are_passed_over(own: str, other: str, tmp_path: Path) -> None:
    root = real.unpack("kafka-4.4.0-stopped", tmp_path / "data")
    shutil.rmtree(root / own, ignore_errors=True)
    shutil.copytree(root / other, root / own)
    list(verify_directory(root))
    assert list(schema_records(root / own, own.rpartition("-")[0])) == []


def test_a_segment_that_becomes_shorter_is_an_error(tmp_path: Path) -> None:
    """A follower cuts its log when it follows another leader; to read past the end would be the
    end of the process."""
    path = real.unpack("kafka-3.9.2-stopped", tmp_path / "data") / "orders-0" / "00000000000000000039.log"
    path.write_bytes(path.read_bytes() * 100)
    with Segment(path) as segment:
        batches = segment.batches()
        next(batches)
        os.truncate(path, 200)
        with pytest.raises(OSError, match="became shorter"):
            list(batches)


def test_an_index_that_is_trimmed_is_an_error(tmp_path: Path) -> None:
    """A broker trims the indexes of a segment when the next one begins."""
    path = tmp_path / "00000000000000000000.index"
    path.write_bytes(bytes(1 << 20))
    with MappedFile(path) as file:
        data = file.data
        os.truncate(path, 0)
        with pytest.raises(OSError, match="became shorter"):
            OffsetIndex(data, 0)
