"""Variants drawn by a seed: a base, a setting of the node, and one to three kinds of damage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from kafka_generator.recordings.starts.held_out import bytes_of_files, places, records, texts
from kafka_generator.recordings.starts.held_out.bases import DIRECTORIES
from kafka_generator.recordings.starts.held_out.damage import KINDS, NotHere, View
from kafka_generator.start_vectors import edits, files
from kafka_generator.start_vectors.cases import Case

_MODULES: Final = (bytes_of_files, places, records, texts)
"""What declares the kinds of damage."""

_BOTH: Final = ("3.9.2", "4.4.0")
_WEIGHTS: Final = {
    "wide-stopped": 5,
    "wide-crashed": 4,
    "new-stopped": 5,
    "new-crashed": 4,
    "static": 3,
    "dynamic": 3,
    "controller": 2,
    "broker": 2,
}
_COUNTS: Final = (1, 1, 1, 2, 2, 3)
_TRIES: Final = 200

Bases = Mapping[str, dict[str, bytes]]


def draw(seed: int, number: int, bases: Bases) -> Case:
    """Return the variant of that number: the same for ever, while kinds and bases are the same."""
    random = Random(f"{seed}/{number}")  # noqa: S311 - variants are drawn again by their seeds
    names = [name for name in _WEIGHTS if name in bases]
    for _ in range(_TRIES):
        base = random.choices(names, [_WEIGHTS[name] for name in names])[0]
        kinds = random.choices(sorted(KINDS), k=random.choice(_COUNTS))
        directories = tuple(name for name in DIRECTORIES if any(path.startswith(f"{name}/") for path in bases[base]))
        view = View(bases[base], directories)
        try:
            changes = [*_before(random, base, view), *(edit for kind in kinds for edit in KINDS[kind](random, view))]
            _try(bases[base], changes)
        except (NotHere, OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError):
            continue
        return _case(f"held-out/{seed}/{number}", base, kinds, changes, directories)
    raise RuntimeError(f"nothing could be drawn for {seed}/{number}")


def _case(name: str, base: str, kinds: list[str], changes: list[edits.Edit], directories: tuple[str, ...]) -> Case:
    role = base if base in {"controller", "broker"} else "combined"
    releases = ("4.4.0",) if base in {"dynamic", "new-stopped", "new-crashed"} else _BOTH
    return Case(name, " + ".join(kinds), base, tuple(changes), role, directories, releases=releases)


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
            if count == len(content) and not any("unreadable" in edit or "folder" in edit for edit in changes):
                raise NotHere
