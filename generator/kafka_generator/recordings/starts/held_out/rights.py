"""Rights to files and folders, links, and locks."""

from __future__ import annotations

from pathlib import PurePosixPath
from random import Random
from typing import Final

from kafka_generator.recordings.starts.held_out.damage import METADATA, View, any_file, kind
from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.edits import Edit

_LOCK: Final = ".lock"


@kind("rights/file-unwritable")
def _file_unwritable(random: Random, view: View) -> list[Edit]:
    return [edits.unwritable(any_file(random, view))]


@kind("rights/folder-unwritable")
def _folder_unwritable(random: Random, view: View) -> list[Edit]:
    return [edits.unwritable(random.choice([*view.folders, f"{view.directories[0]}/{METADATA}", *view.directories]))]


@kind("rights/directory-unreadable")
def _directory_unreadable(random: Random, view: View) -> list[Edit]:
    return [edits.unreadable(random.choice(view.directories))]


@kind("rights/all-of-kind")
def _all_of_kind(random: Random, view: View) -> list[Edit]:
    """Take rights to all files of a folder, as a restore by another user leaves them."""
    folder = PurePosixPath(any_file(random, view)).parent
    verb = random.choice([edits.unwritable, edits.unreadable])
    return [verb(path) for path in view.files if PurePosixPath(path).parent == folder]


@kind("rights/lock")
def _lock(random: Random, view: View) -> list[Edit]:
    path = f"{random.choice(view.directories)}/{_LOCK}"
    made = edits.write(path, random.choice([b"", b"rubbish"]))
    return random.choice(
        [[made], [edits.folder_at(path)], [made, edits.unwritable(path)], [made, edits.unreadable(path)]]
    )


@kind("rights/link")
def _link(random: Random, view: View) -> list[Edit]:
    """Have a link in the place of a file or folder: to what was there, or to nothing."""
    path = random.choice([any_file(random, view), *view.folders, f"{view.directories[0]}/{METADATA}"])
    if random.random() < 1 / 4:
        return [edits.remove(path), edits.link(path, "nowhere")]
    return [edits.rename(path, "moved-away"), edits.link(path, "moved-away")]
