"""Random damage by kind: a function a kind, which draws edits for a directory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from random import Random
from typing import Final

from kafka_generator.start_vectors.edits import Edit

METADATA: Final = "__cluster_metadata-0"


class NotHere(Exception):  # noqa: N818 - the damage cannot be done here
    """A kind of damage that this directory has no place for."""


class View:
    """A directory as it is drawn from.

    Attributes:
        files: its files by their paths.
        directories: the data directories that are there.
        others: the files of other bases; those of the same writer are the same directory at
            another time.
    """

    def __init__(
        self, files: Mapping[str, bytes], directories: tuple[str, ...], others: Sequence[Mapping[str, bytes]] = ()
    ) -> None:
        """Take the files of a base by their paths."""
        self.files = files
        self.directories = directories
        self.others = others

    def paths(self, *endings: str, within: str = "") -> list[str]:
        """Return the paths with one of these endings, below a folder whose name begins so.

        Raises:
            NotHere: there are none.
        """
        found = [
            path for path in self.files if path.endswith(endings or ("",)) and (not within or f"/{within}" in path)
        ]
        if not found:
            raise NotHere
        return found

    @property
    def folders(self) -> list[str]:
        """The folders of partitions, without that of the metadata log."""
        found = {str(PurePosixPath(path).parent) for path in self.files if path.count("/") > 1}
        return sorted(each for each in found if not each.endswith(METADATA))


Damage = Callable[[Random, View], list[Edit]]
KINDS: Final[dict[str, Damage]] = {}
"""What is done to a directory, by kind."""


def kind(name: str) -> Callable[[Damage], Damage]:
    """Declare a kind of damage."""

    def declare(function: Damage) -> Damage:
        KINDS[name] = function
        return function

    return declare


def any_file(random: Random, view: View) -> str:
    """Return a file; the kinds of files are drawn before, since most are indexes and segments."""
    wanted = random.choice(
        [
            (".log",), (".log",), (".log",), (".index", ".timeindex"), (".txnindex",), (".snapshot",), (".checkpoint",),
            ("-checkpoint",), ("leader-epoch-checkpoint",), ("partition.metadata",), ("quorum-state",),
            ("meta.properties",), (".kafka_cleanshutdown",),
        ]
    )  # fmt: skip
    within = METADATA if wanted == (".log",) and random.random() < 1 / 3 else ""
    return random.choice(view.paths(*wanted, within=within))


def segment(random: Random, view: View) -> str:
    """Return a segment that has bytes, one in three times of the metadata log."""
    within = METADATA if random.random() < 1 / 3 else ""
    found = [path for path in view.paths(".log", within=within) if view.files[path]]
    if not found:
        raise NotHere
    return random.choice(found)
