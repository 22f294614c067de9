"""A log that cannot be loaded: the file at fault, and whether its data directory goes offline."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.start.outcome import Fault

IO_ERRORS: Final = frozenset(
    {
        "IOException",
        "KafkaStorageException",
        "MalformedInputException",
        "AccessDeniedException",
        "FileSystemException",
        "FileNotFoundException",
        "FileAlreadyExistsException",
    }
)


class Unloadable(Refused):
    """A log that cannot be loaded, and the file at fault.

    Attributes:
        others: what it may be instead, by chance.
    """

    def __init__(self, kind: str, path: Path, name: str, message: str = "", position: int | None = None) -> None:
        """Keep what is at fault."""
        super().__init__(name, message)
        self.kind = kind
        self.path = path
        self.position = position
        self.others = list[Unloadable]()

    @property
    def takes_directory(self) -> bool:
        """Whether the data directory goes offline; else the process ends."""
        return self.error.name in IO_ERRORS

    @property
    def fault(self) -> Fault:
        """The fault that it is."""
        others = tuple(each.fault for each in self.others)
        return Fault(self.kind, self.path, self.error, position=self.position, others=others)


def is_readable(path: Path) -> bool:
    """Tell whether a broker may read a file: false if nobody may, whoever asks here."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return bool(stat.S_IMODE(mode) & 0o444) and os.access(path, os.R_OK)


def is_writable(path: Path) -> bool:
    """Tell whether a broker may write a file, or make one in a folder: false if nobody may.

    Whose it is is not looked at: the user of the broker is not known.
    """
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & 0o222)
    except OSError:
        return True
