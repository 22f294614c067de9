"""The packed directories of real brokers; `python -m kafka_generator.log_directories` makes them anew."""

import zipfile
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "directories"
RELEASES = ("3.9.2", "4.4.0")
STATES = ("killed", "stopped")
NAMES = tuple(f"kafka-{release}-{state}" for release in RELEASES for state in STATES)


@cache
def files(name: str) -> dict[str, bytes]:
    """The files of a directory, by their path in it."""
    with zipfile.ZipFile(FOLDER / f"{name}.zip") as archive:
        return {entry: archive.read(entry) for entry in archive.namelist()}


def unpack(name: str, folder: Path) -> Path:
    """Write the files of a directory below a folder."""
    with zipfile.ZipFile(FOLDER / f"{name}.zip") as archive:
        archive.extractall(folder)
    return folder
