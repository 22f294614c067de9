"""Slices find what the rules find, breach by breach: of vectors, of real directories, and of
damages by chance."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka_format.log.verification import Breach
from kafka_format.log.verification import partition as rules
from kafka_generator.log_vectors import files, oracle

from tests import shipped
from tests.kafka_format.log import real

log_columns = pytest.importorskip("kafka_format.log_columns", reason="numpy is not installed")

VECTORS = shipped.log_vectors(files.DIRECTORIES)
DAMAGES = 15
"""Of each directory; in a usual run five."""

LARGEST = 1 << 16


def partitions(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if path.is_dir())


def same(folder: Path, most: int) -> list[Breach]:
    expected = sorted(rules.verify_partition(folder), key=repr)
    assert sorted(log_columns.verify_partition(folder, most), key=repr) == expected
    return expected


@pytest.mark.sampled(3, of="vectors")
@pytest.mark.parametrize("vector", VECTORS)
@pytest.mark.parametrize("most", [1, 1 << 20])
def test_vectors(vector: str, most: int, tmp_path: Path) -> None:
    """In slices of a batch or two, and of whole segments."""
    content = {path: bytes.fromhex(data) for path, data in VECTORS[vector]["files"].items()}
    for folder in partitions(oracle.write(content, tmp_path)):
        same(folder, most)


@pytest.fixture(scope="module", params=real.NAMES)
def directory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return real.unpack(request.param, tmp_path_factory.mktemp("real") / "data")


@pytest.mark.parametrize("most", [1, 700, 1 << 20])
def test_directories_of_brokers(directory: Path, most: int) -> None:
    assert [breach for folder in partitions(directory) for breach in same(folder, most)] == []


def test_damages_by_chance(directory: Path, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """A few bytes of any file are changed, cut off or added: what is found is the same, and mostly
    something."""
    chance, found = random.Random(17), 0  # noqa: S311 - chance, not secrets
    damages = DAMAGES if pytestconfig.getoption("whole") else DAMAGES // 3
    for _ in range(damages):
        folder = tmp_path / chance.choice(["orders-0", "payments-0", "__cluster_metadata-0"])
        shutil.copytree(directory / folder.name, folder)
        damage(chance, chance.choice(sorted(path for path in folder.iterdir() if 0 < path.stat().st_size < LARGEST)))
        found += bool(same(folder, chance.choice([1, 500, 1 << 20])))
        shutil.rmtree(folder)
    assert found > damages // 2


def damage(chance: random.Random, path: Path) -> None:
    data = bytearray(path.read_bytes())
    at = chance.randrange(len(data))
    match chance.randrange(3):
        case 0:
            data[at] ^= 1 << chance.randrange(8)
        case 1:
            del data[at:]
        case _:
            data += chance.randbytes(chance.randrange(1, 60))
    path.write_bytes(data)
