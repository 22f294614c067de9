"""The reference foretells of every variant what Kafka did on it: 3.9.2 and 4.4.0 were started."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.verification import contents
from kafka_generator.start_vectors import agreement, files

_BASES = files.bases()
_VARIANTS = {vector["id"]: vector for vector in files.read(files.FOLDER / files.VARIANTS)}
_OF_CONTENTS = {"record", "offsets", "transactions", "share", "remote", "tiered", "sound"}


@pytest.mark.sampled(8, of="vectors")
@pytest.mark.parametrize("name", list(_VARIANTS))
def test_a_start_is_foretold(name: str) -> None:
    assert list(agreement.differences(_VARIANTS[name], _BASES)) == []


def test_sound_directories_lose_nothing(tmp_path: Path) -> None:
    """Each base is started by the release that wrote it, and by the newest one."""
    for number, (name, role) in enumerate(
        (("static", "combined"), ("dynamic", "combined"), ("controller", "controller"))
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        files.lay_out(_BASES[name], [], folder)
        vector = {"base": name, "role": role, "log_dirs": ["data"]}
        start = agreement.predict_node(agreement.node(vector, folder, "4.4.0"))
        assert start.loses_nothing, name


@pytest.mark.sampled(8, of="vectors")
@pytest.mark.parametrize("name", [name for name in _VARIANTS if name.split("/")[1] in _OF_CONTENTS])
def test_contents_that_kafka_cannot_load_are_broken_rules(name: str, tmp_path: Path) -> None:
    """By what 4.4.0 did: it ended, or a coordinator did not serve; what it passes over is none."""
    vector = _VARIANTS[name]
    files.lay_out(_BASES[vector["base"]], vector["edits"], tmp_path)
    found = set[str]()
    for folder in (tmp_path / "data").glob("__*"):
        with PartitionLog(folder) as log:
            found |= {breach.rule for breach in contents.verify(log)}
    assert found == set(vector["breaks"])


def test_the_stored_variants_are_those_of_the_cases() -> None:
    made = files.contents(files.FOLDER.parent)
    stored = [json.loads(line)["id"] for line in made[files.FOLDER / files.VARIANTS].splitlines()]
    assert stored == list(_VARIANTS)


@pytest.mark.parametrize("edit", [{"replace": "data/meta.properties", "old": "nothing", "new": ""}])
def test_an_edit_that_changes_nothing_is_refused(edit: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not have"):
        files.lay_out(_BASES["static"], [edit], tmp_path)
