"""Files and folders of another time, or of another cluster, in the places of what is there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from random import Random
from typing import Final

from kafka_generator.recordings.starts.held_out.damage import METADATA, NotHere, View, any_file, kind
from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.edits import Edit

_PROPERTIES: Final = "data/meta.properties"


def _is_same(view: View, other: Mapping[str, bytes]) -> bool:
    """Tell whether another base is this directory at another time."""
    return other.get(_PROPERTIES) == view.files.get(_PROPERTIES)


def _other(random: Random, view: View, *, is_same: bool) -> Mapping[str, bytes]:
    found = [each for each in view.others if _is_same(view, each) is is_same]
    if not found:
        raise NotHere
    return random.choice(found)


def _file(random: Random, view: View, other: Mapping[str, bytes]) -> list[Edit]:
    """Write a file as it is in another base, or remove it if it is not there."""
    path = any_file(random, view)
    if view.files[path] == other.get(path):
        raise NotHere
    return [edits.write(path, other[path])] if path in other else [edits.remove(path)]


def _folder(view: View, other: Mapping[str, bytes], path: str) -> list[Edit]:
    """Take a folder as it is in another base."""
    files = {each: data for each, data in other.items() if each.startswith(f"{path}/")}
    if not files:
        raise NotHere
    removed = [edits.remove(path)] if any(each.startswith(f"{path}/") for each in view.files) else []
    return removed + [edits.write(each, data) for each, data in sorted(files.items())]


@kind("stale/file")
def _stale_file(random: Random, view: View) -> list[Edit]:
    return _file(random, view, _other(random, view, is_same=True))


@kind("stale/folder")
def _stale_folder(random: Random, view: View) -> list[Edit]:
    path = random.choice([*view.folders, *[f"{view.directories[0]}/{METADATA}"] * 3])
    return _folder(view, _other(random, view, is_same=True), path)


@kind("stale/kind")
def _stale_kind(random: Random, view: View) -> list[Edit]:
    """Take all files of a name or ending as they were at another time."""
    other, one = _other(random, view, is_same=True), PurePosixPath(any_file(random, view))
    mark = one.suffix or one.name
    found = [path for path in view.files if path.endswith(mark) and view.files[path] != other.get(path)]
    if not found:
        raise NotHere
    return [edits.write(path, other[path]) if path in other else edits.remove(path) for path in found]


@kind("foreign/file")
def _foreign_file(random: Random, view: View) -> list[Edit]:
    return _file(random, view, _other(random, view, is_same=False))


@kind("foreign/folder")
def _foreign_folder(random: Random, view: View) -> list[Edit]:
    other = _other(random, view, is_same=False)
    path = random.choice([*view.folders, *[f"{view.directories[0]}/{METADATA}"] * 3])
    return _folder(view, other, path)


@kind("foreign/snapshot")
def _foreign_snapshot(random: Random, view: View) -> list[Edit]:
    """Put a snapshot of the metadata of another cluster or time beside those that are there."""
    found = [
        (path, data)
        for other in view.others
        for path, data in other.items()
        if path.endswith(".checkpoint") and METADATA in path and path not in view.files
    ]
    if not found:
        raise NotHere
    path, data = random.choice(found)
    return [edits.write(path, data)]
