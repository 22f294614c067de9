"""The directories that tests of `kafka-format log` look at."""

import shutil
from pathlib import Path

import pytest

from tests.kafka_format.log import real
from tests.kafka_tools.commands.log_data import NEWEST


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a real broker, to be read."""
    return real.unpack(NEWEST, tmp_path_factory.mktemp("broker"))


@pytest.fixture
def copy(data: Path, tmp_path: Path) -> Path:
    """A copy of the small topics that may be broken."""
    folder = tmp_path / "data"
    left_out = shutil.ignore_patterns("__consumer_offsets-0", "*.deleted", "00000000000000000000.*index")
    shutil.copytree(data, folder, ignore=left_out)
    for name in ("orders-0", "payments-0"):
        shutil.copytree(data / name, folder / name, dirs_exist_ok=True)
    return folder
