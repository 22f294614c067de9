"""What a data directory tells of its node, on directories that Kafka wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from kafka_format.log.start import Role, roles
from kafka_generator.start_vectors import files

_BASES = files.bases()


@pytest.mark.parametrize(
    ("base", "node", "role", "release"),
    [
        ("static", 1, Role.COMBINED, (3, 9)),
        ("dynamic", 1, Role.COMBINED, (4, 4)),
        ("controller", 1, Role.CONTROLLER, (3, 9)),
        ("broker", 2, Role.BROKER, (3, 9)),
    ],
)
def test_role_and_release_are_those_that_ran(
    base: str, node: int, role: Role, release: tuple[int, int], tmp_path: Path
) -> None:
    files.lay_out(_BASES[base], [], tmp_path)
    data = (tmp_path / "data",)
    assert roles.is_kraft(data)
    assert (roles.role(data, node), roles.running(data)) == (role, release)


def test_a_directory_without_a_metadata_log_is_of_zookeepers_time(tmp_path: Path) -> None:
    (tmp_path / "meta.properties").write_text("version=0\nbroker.id=1\n")
    assert not roles.is_kraft([tmp_path])
