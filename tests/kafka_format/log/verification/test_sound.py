"""Sound directories of releases from 0.8.2 to 4.4 break no rule, however they came to be."""

from pathlib import Path

import pytest
from kafka_format.log.verification import verify_directory
from kafka_format.log.verification.directory import partition_folders

from tests.kafka_format.log import real


@pytest.mark.parametrize("state", real.SOUND_STATES)
@pytest.mark.parametrize("release", real.SOUND_RELEASES)
def test_nothing_is_told(release: str, state: str, tmp_path: Path) -> None:
    directory = real.unpack_sound(release, state, tmp_path)
    assert list(verify_directory(directory)) == []
    log_columns = pytest.importorskip("kafka_format.log_columns", reason="numpy is not installed")
    for folder in partition_folders(directory):
        assert list(log_columns.verify_partition(folder)) == []
