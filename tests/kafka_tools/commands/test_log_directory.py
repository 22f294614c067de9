"""`kafka-format log leftovers`, `quorum` and `origin`."""

import os
import shutil
from pathlib import Path

import pytest

from tests.command_line import Main
from tests.kafka_format.log import real
from tests.kafka_tools.commands.log_data import lines

STRAY = f"orders-1.{'0a' * 16}-stray"


def test_leftovers_and_whether_they_may_go(main: Main, copy: Path) -> None:
    stray = copy / STRAY
    stray.mkdir()
    shutil.copy(copy / "orders-0" / "partition.metadata", stray)
    (copy / "events-0" / "00000000000000000000.log.swap").touch()
    status, said = lines(main, "leftovers", copy)
    assert status == 1
    at = said.index(f"{STRAY}: 43 bytes")
    assert "the topic orders has it" in said[at + 2]
    assert said[at + 3] == "  may it go? only if the partition is whole on its other replicas: the topic is still there"
    assert "  may it go? no: it holds the records now, start the broker and it is done" in said


def test_a_stray_of_a_topic_that_is_gone_may_go(main: Main, copy: Path) -> None:
    stray = copy / STRAY
    stray.mkdir()
    (stray / "partition.metadata").write_text("version: 0\ntopic_id: a2Fma2EtZm9ybWF0LWNvbg", encoding="utf-8")
    _, said = lines(main, "leftovers", copy)
    assert "  topic id a2Fma2EtZm9ybWF0LWNvbg: no topic in the metadata log has it" in said
    assert "  may it go? yes, while the broker is stopped: its topic is gone" in said


def test_an_ordinary_partition_is_no_quorum(main: Main, data: Path) -> None:
    status, _, err = main("log", "quorum", str(data / "orders-0"))
    assert (status, "has no metadata log" in err) == (2, True)


def test_a_quorum_that_is_complete_and_one_that_is_not(main: Main, data: Path, copy: Path) -> None:
    status, said = lines(main, "quorum", data / "__cluster_metadata-0")
    assert (status, said[-1]) == (0, "complete: __cluster_metadata can be read from its first record to its last")
    (copy / "__cluster_metadata-0" / f"{0:020}.log").rename(copy / "__cluster_metadata-0" / f"{5:020}.log")
    status, said = lines(main, "quorum", copy / "__cluster_metadata-0")
    assert (status, said[-1]) == (1, "not complete")
    assert "  MISSING: offsets 0 to 4 are in no snapshot and not in the log" in said


@pytest.mark.parametrize(
    ("name", "release", "state"),
    [
        ("kafka-4.4.0-stopped", "written by 4.4 or later", "stopped cleanly"),
        ("kafka-3.9.2-stopped", "written by 3.9", "stopped cleanly"),
        (
            "kafka-3.9.2-killed",
            "written by 3.9",
            "  .lock is missing, which a broker never removes: these files are a copy",
        ),
    ],
)
def test_the_release_that_wrote_a_directory(main: Main, tmp_path: Path, name: str, release: str, state: str) -> None:
    status, said = lines(main, "origin", real.unpack(name, tmp_path / "data"))
    assert (status, said[0], said[-1]) == (0, release, state)


def test_a_pipe_in_place_of_a_file_is_not_waited_for(main: Main, copy: Path) -> None:
    for file in (copy / "meta.properties", copy / "__cluster_metadata-0" / "quorum-state"):
        file.unlink()
        os.mkfifo(file)
    status, said = lines(main, "origin", copy)
    assert status == 0
    assert said[0].startswith("written by ")
