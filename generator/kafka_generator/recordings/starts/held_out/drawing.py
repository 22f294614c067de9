"""Variants drawn by a seed: a base, a setting of the node, and one to three kinds of damage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from kafka_generator.recordings.starts.held_out import (
    bytes_of_files,
    derived,
    elsewhere,
    places,
    records,
    rights,
    texts,
)
from kafka_generator.recordings.starts.held_out.bases import DIRECTORIES
from kafka_generator.recordings.starts.held_out.damage import KINDS, NotHere, View
from kafka_generator.start_vectors import edits, files
from kafka_generator.start_vectors.cases import Case

_MODULES: Final = (bytes_of_files, derived, elsewhere, places, records, rights, texts)
"""What declares the kinds of damage."""

_BOTH: Final = ("3.9.2", "4.4.0")
_RELEASES: Final = {
    **dict.fromkeys(("dynamic", "new-stopped", "new-crashed"), ("4.4.0",)),
    files.ZOOKEEPER: ("3.9.2",),
}
"""The releases that are started on a base, where these are not both."""

_TIERED: Final = {"remote.log.storage.system.enable": "true"}
_WEIGHTS: Final = {
    "wide-stopped": 5,
    "wide-crashed": 4,
    "new-stopped": 5,
    "new-crashed": 4,
    "static": 3,
    "dynamic": 3,
    "controller": 2,
    "broker": 2,
    "tiered": 4,
    "zookeeper": 4,
}
_COUNTS: Final = (1, 1, 1, 2, 2, 3)
_TRIES: Final = 200
_SILENT: Final = {"unreadable", "unwritable", "folder", "link", "extend"}
"""Edits that are seen neither in the names of files nor in their first bytes."""

_WITH_CLEANER: Final = {"log.cleaner.enable": "true", "log.cleaner.dedupe.buffer.size": "3000000"}
"""As nodes have it by default; without it fewer bytes change behind the start."""

Bases = Mapping[str, dict[str, bytes]]


def draw(seed: int, number: int, bases: Bases) -> Case:
    """Return the variant of that number: the same for ever, while kinds and bases are the same."""
    random = Random(f"{seed}/{number}")  # noqa: S311 - variants are drawn again by their seeds
    names = [name for name in _WEIGHTS if name in bases]
    for _ in range(_TRIES):
        base = random.choices(names, [_WEIGHTS[name] for name in names])[0]
        kinds = random.choices(sorted(KINDS), k=random.choice(_COUNTS))
        directories = tuple(name for name in DIRECTORIES if any(path.startswith(f"{name}/") for path in bases[base]))
        view = View(_own(bases[base]), directories, [bases[name] for name in names if name != base])
        try:
            changes = [*_before(random, base, view), *(edit for kind in kinds for edit in KINDS[kind](random, view))]
            _try(bases[base], changes)
        except (NotHere, OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError):
            continue
        settings = random.choice([{}, _WITH_CLEANER])
        if base == "tiered":
            settings = random.choice([settings, settings | _TIERED, settings | _TIERED])
        return _case(f"held-out/{seed}/{number}", base, kinds, changes, _given(random, directories), settings)
    raise RuntimeError(f"nothing could be drawn for {seed}/{number}")


def _own(content: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a node, without those of its ZooKeeper."""
    return {path: data for path, data in content.items() if not path.startswith(f"{files.ZOOKEEPER}/")}


def _given(random: Random, directories: tuple[str, ...]) -> tuple[str, ...]:
    """Return the directories that the node is given: now and then one less, or in another order."""
    if len(directories) == 1 or random.random() < 9 / 10:
        return directories
    return random.choice([directories[:1], directories[1:], directories[::-1]])


def _case(
    name: str,
    base: str,
    kinds: list[str],
    changes: list[edits.Edit],
    directories: tuple[str, ...],
    settings: dict[str, str],
) -> Case:
    role = base if base in {"controller", "broker", files.ZOOKEEPER} else "combined"
    releases = _RELEASES.get(base, _BOTH)
    return Case(name, " + ".join(kinds), base, tuple(changes), role, directories, settings, releases)


def _before(random: Random, base: str, view: View) -> list[edits.Edit]:
    """Have some of the stopped directories look as a crash leaves them."""
    if base.endswith("-crashed") or base == "controller" or random.random() < 1 / 2:
        return []
    markers = [path for path in view.files if path.endswith("/.kafka_cleanshutdown")]
    removed = [edits.remove(path) for path in markers]
    if random.random() < 1 / 2:
        removed += [edits.write(f"{name}/recovery-point-offset-checkpoint", b"0\n0\n") for name in view.directories]
    return removed


def _try(content: dict[str, bytes], changes: list[edits.Edit]) -> None:
    """Make the edits once, to see that they can be made, and that they change something."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        files.lay_out(content, changes, folder)
        if all((folder / path).is_file() and (folder / path).read_bytes() == data for path, data in content.items()):
            count = sum(1 for path in folder.rglob("*") if path.is_file())
            if count == len(content) and not any(_SILENT & edit.keys() for edit in changes):
                raise NotHere
