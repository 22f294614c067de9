"""Damage to files and folders as wholes: gone, renamed, exchanged, copied, in the way."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from random import Random
from typing import Final

from kafka_generator.recordings.starts.held_out.damage import METADATA, NotHere, View, any_file, kind
from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.edits import Edit

_MARKERS: Final = (".deleted", ".swap", ".cleaned", ".tmp", ".part", "~", ".bak")
_NUMBER: Final = re.compile(r"\d{20}")


@kind("files/removed")
def _removed(random: Random, view: View) -> list[Edit]:
    return [edits.remove(any_file(random, view))]


@kind("files/kind-removed")
def _kind_removed(random: Random, view: View) -> list[Edit]:
    """Remove all files of a kind of a folder."""
    path = PurePosixPath(any_file(random, view))
    return [
        edits.remove(each)
        for each in view.files
        if PurePosixPath(each).parent == path.parent and PurePosixPath(each).suffix == path.suffix
    ]


@kind("files/number")
def _number(random: Random, view: View) -> list[Edit]:
    """Give a file the name of another offset."""
    path = random.choice(view.paths(".log", ".index", ".timeindex", ".txnindex", ".snapshot", ".checkpoint"))
    found = _NUMBER.search(path)
    if found is None:
        raise NotHere
    number = max(0, int(found[0]) + random.choice([-1, 1, 2, 7, 100, 10_000]))
    to = path.replace(found[0], f"{number:020}", 1)
    if to in view.files or to == path:
        raise NotHere
    return [edits.rename(path, to)]


@kind("files/marker")
def _marker(random: Random, view: View) -> list[Edit]:
    path, marker = any_file(random, view), random.choice(_MARKERS)
    return [random.choice([edits.rename, edits.copy])(path, path + marker)]


@kind("files/unmarked")
def _unmarked(random: Random, view: View) -> list[Edit]:
    """Put files of an unfinished cleaning or split beside a log: copies of one or two segments."""
    path = random.choice([each for each in view.paths(".log") if METADATA not in each])
    stem = path.removesuffix(".log")
    marker = random.choice([".cleaned", ".swap"])
    return [
        edits.copy(each, each + marker)
        for each in view.files
        if each.startswith(f"{stem}.") and not each.endswith(".snapshot")
    ]


@kind("files/exchanged")
def _exchanged(random: Random, view: View) -> list[Edit]:
    first = any_file(random, view)
    others = [each for each in view.paths(PurePosixPath(first).suffix or PurePosixPath(first).name) if each != first]
    if not others:
        raise NotHere
    second = random.choice(others)
    return [edits.write(first, view.files[second]), edits.write(second, view.files[first])]


@kind("files/from-elsewhere")
def _from_elsewhere(random: Random, view: View) -> list[Edit]:
    """Write the content of any file into any other."""
    first, second = any_file(random, view), any_file(random, view)
    if first == second:
        raise NotHere
    return [edits.write(first, view.files[second])]


@kind("files/folder")
def _folder(random: Random, view: View) -> list[Edit]:
    return [edits.folder_at(any_file(random, view))]


@kind("files/unreadable")
def _unreadable(random: Random, view: View) -> list[Edit]:
    return [edits.unreadable(any_file(random, view))]


@kind("files/odd")
def _odd(random: Random, view: View) -> list[Edit]:
    """Put a file or folder with an odd name somewhere."""
    folder = random.choice([*view.folders, *view.directories, f"{view.directories[0]}/{METADATA}"])
    name = random.choice(
        ["lost+found", "backup", "notes.txt", ".DS_Store", "core.1234", "x.log", "old.index", "plain", "plain-x",
         "7.log", "00000000000000000003.log.1", "00000000000000000003.checkpoint", "abc.snapshot", "..a-0",
         "plain-0.tar", "-0", "00000000000000000005.timeindex", "00000000000000000005.txnindex",
         "remote-log-index-cache", "many--1",
         "a.b-00"]
    )  # fmt: skip
    path = f"{folder}/{name}"
    if path in view.files:
        raise NotHere
    return [random.choice([edits.folder_at(path), edits.write(path, b""), edits.write(path, b"rubbish")])]


@kind("folders/removed")
def _folder_removed(random: Random, view: View) -> list[Edit]:
    return [edits.remove(random.choice([*view.folders, f"{view.directories[0]}/{METADATA}"]))]


@kind("folders/renamed")
def _folder_renamed(random: Random, view: View) -> list[Edit]:
    path = PurePosixPath(random.choice(view.folders))
    mark = f"{random.getrandbits(128):032x}"
    name = random.choice(
        [f"{path.name[:-1]}7", "other-0", f"{path.name}.{mark}-delete", f"{path.name}.{mark}-stray",
         f"{path.name}.{mark}-future", f"{path.name}-delete", f"{path.name}.bak", path.name.upper()]
    )  # fmt: skip
    to = str(path.with_name(name))
    if to == str(path) or to in view.folders:
        raise NotHere
    return [edits.rename(str(path), to)]


@kind("folders/copied")
def _folder_copied(random: Random, view: View) -> list[Edit]:
    """Leave a copy of a folder: with a mark, under another number, in the other directory."""
    path = PurePosixPath(random.choice(view.folders))
    mark = f"{random.getrandbits(128):032x}"
    others = [each for each in view.directories if each != path.parent.name]
    to = random.choice(
        [
            path.with_name(f"{path.name}.{mark}-{random.choice(['delete', 'stray', 'future'])}"),
            path.with_name(f"{path.name[:-1]}8"),
        ]
        + [PurePosixPath(each) / path.name for each in others]
        + [PurePosixPath(each) / f"{path.name}.{mark}-future" for each in others]
    )
    if str(to) in view.folders:
        raise NotHere
    return [edits.copy(str(path), str(to))]


@kind("folders/moved")
def _folder_moved(random: Random, view: View) -> list[Edit]:
    path = PurePosixPath(random.choice(view.folders))
    others = [each for each in view.directories if each != path.parent.name]
    if not others:
        raise NotHere
    return [edits.rename(str(path), f"{random.choice(others)}/{path.name}")]


@kind("folders/exchanged")
def _folders_exchanged(random: Random, view: View) -> list[Edit]:
    first, second = random.sample(view.folders, 2)
    return [edits.rename(first, "aside"), edits.rename(second, first), edits.rename("aside", second)]


@kind("folders/file")
def _file_for_folder(random: Random, view: View) -> list[Edit]:
    path = random.choice([*view.folders, f"{view.directories[0]}/{METADATA}"])
    return [edits.remove(path), edits.write(path, b"")]


@kind("folders/unreadable")
def _folder_unreadable(random: Random, view: View) -> list[Edit]:
    return [edits.unreadable(random.choice([*view.folders, f"{view.directories[0]}/{METADATA}"]))]


@kind("folders/emptied")
def _emptied(random: Random, view: View) -> list[Edit]:
    return [edits.folder_at(random.choice([*view.folders, f"{view.directories[0]}/{METADATA}"]))]


@kind("directories/lost")
def _directory(random: Random, view: View) -> list[Edit]:
    """Lose a data directory: an empty disk, or one that is not mounted."""
    directory = random.choice(view.directories)
    return [random.choice([edits.remove, edits.folder_at])(directory)]
