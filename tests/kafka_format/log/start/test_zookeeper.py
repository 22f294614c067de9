"""Starts of brokers with ZooKeeper: what 3.9.2 did with directories that were changed so."""

from pathlib import Path

import pytest
from kafka_format.log.start import Node, Role, Start, Verdict, predict_with_zookeeper

SOUND = "version=0\nbroker.id=1\ncluster.id=ZW9LVOcZRUuRt6T-Vf8_iA\n"


def start(folder: Path, **properties: str) -> Start:
    """Foretell the start of broker 1; a directory without a text has no meta.properties."""
    for name, text in properties.items():
        (folder / name).mkdir()
        if text:
            (folder / name / "meta.properties").write_text(text)
    return predict_with_zookeeper(Node(tuple(folder / name for name in properties), Role.BROKER, (3, 9), 1))


@pytest.mark.parametrize("text", ["", "version=0\ncluster.id=ZW9LVOcZRUuRt6T-Vf8_iA\n", SOUND])
def test_the_id_of_the_broker_may_be_missing(tmp_path: Path, text: str) -> None:
    found = start(tmp_path, data=text)
    assert (found.verdict, found.offline) == (Verdict.STARTS, [])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (SOUND.replace("version=0", "version=2"), "Unknown meta.properties version number 2"),
        (SOUND.replace("broker.id=1", "broker.id=7"), "Stored node id 7 doesn't match previous node id 1"),
    ],
)
def test_a_lone_directory_that_keeps_a_broker_from_starting(tmp_path: Path, text: str, error: str) -> None:
    found = start(tmp_path, data=text)
    assert found.verdict is Verdict.DOES_NOT_START
    assert found.fault is not None
    assert error in str(found.fault.error)


def test_a_directory_among_others_that_cannot_be_read_is_offline(tmp_path: Path) -> None:
    """Whichever it is: with ZooKeeper no directory has metadata."""
    found = start(tmp_path, data=SOUND.replace("version=0", "version=2"), more=SOUND)
    assert (found.verdict, [each.directory.name for each in found.offline]) == (Verdict.STARTS, ["data"])


def test_directories_of_two_clusters(tmp_path: Path) -> None:
    found = start(tmp_path, data=SOUND, more=SOUND.replace("ZW9LVOcZRUuRt6T-Vf8_iA", "a2Fma2EtZm9ybWF0LWNvbg"))
    assert found.fault is not None
    assert found.fault.kind == "properties-cluster"
