"""Starts of nodes whose topics have remote storage: what 3.9.2 did, with it and without."""

from pathlib import Path

import pytest
from kafka_format.log.start import Node, Start, predict_node
from kafka_generator.start_vectors import files

LOCAL = {"tiered-0": 6, "tiered-1": 12}
"""Where the first segment is that is here."""

REMOTE = {"tiered-0": 0, "tiered-1": 4}
"""Where the logs begin, by log-start-offset-checkpoint."""


def start(folder: Path, *, has_remote_storage: bool | None) -> Start:
    files.lay_out(files.bases()["tiered"], [], folder)
    node = Node((folder / "data",), release=(3, 9), has_static_voters=True, has_remote_storage=has_remote_storage)
    return predict_node(node)


@pytest.mark.parametrize(("has_remote_storage", "begins"), [(None, REMOTE), (True, REMOTE), (False, LOCAL)])
def test_where_logs_begin(tmp_path: Path, has_remote_storage: bool | None, begins: dict[str, int]) -> None:
    found = start(tmp_path, has_remote_storage=has_remote_storage)
    assert {each.path.name: each.start_offset for each in found.partitions if each.path.name in begins} == begins
    assert found.loses_nothing is (has_remote_storage is not False)
    assert ("remote-storage-off" in found.assumed) is (has_remote_storage is None)


def test_indexes_in_the_cache_are_said_to_be_not_read(tmp_path: Path) -> None:
    for kind in ("index", "timeindex", "txnindex"):
        path = tmp_path / "data" / "remote-log-index-cache" / f"0_0123456789ABCDEFGHIJKA.{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    found = start(tmp_path, has_remote_storage=True)
    assert (found.serves, found.not_looked_at, found.loses_nothing) == (True, ["remote-index-cache"], False)
