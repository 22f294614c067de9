"""Packed directories of real brokers.

`python -m kafka_generator.recordings.log_directories` makes them anew.
"""

import gzip
import json
import os
import shutil
import tarfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "directories"
RELEASES = ("3.9.2", "4.4.0")
STATES = ("killed", "stopped")
NAMES = tuple(f"kafka-{release}-{state}" for release in RELEASES for state in STATES)


@cache
def files(name: str) -> dict[str, bytes]:
    """The files of a directory, by their path in it."""
    with zipfile.ZipFile(FOLDER / f"{name}.zip") as archive:
        return {entry: archive.read(entry) for entry in archive.namelist()}


CHANGED = 1_577_836_800
"""When the files were changed, in seconds since 1970; Kafka looks at it where a time index is
empty."""


def unpack(name: str, folder: Path) -> Path:
    """Write the files of a directory below a folder."""
    shutil.unpack_archive(FOLDER / f"{name}.zip", folder, "zip")
    for path in folder.rglob("*"):
        os.utime(path, (CHANGED, CHANGED))
    return folder


@cache
def answers(name: str) -> dict[str, Any]:
    """What Kafka's own classes answered about a directory:
    `generator/kafka_generator/recordings/log_directories`."""
    with gzip.open(FOLDER / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


SOUND = Path(__file__).parent / "sound"
SOUND_RELEASES = tuple(
    sorted(
        (path.name.removeprefix("kafka-").removesuffix(".tar.xz") for path in SOUND.glob("*.tar.xz")),
        key=lambda release: [int(number) for number in release.split(".")],
    )
)
SOUND_STATES = ("killed", "stopped", "recovered")


def unpack_sound(release: str, state: str, folder: Path) -> Path:
    """Write the directory of a release in a state, in which nothing is broken:
    `python -m kafka_generator.recordings.log_directories.sound`."""
    with tarfile.open(SOUND / f"kafka-{release}.tar.xz") as archive:
        for member in archive:
            if member.name.startswith(f"{state}/"):
                archive.extract(member, folder, filter="data")
    return folder / state
