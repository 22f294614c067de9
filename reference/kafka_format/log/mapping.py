"""Files mapped into memory, read-only: what is not looked at is not read, and nothing is ever written."""

from __future__ import annotations

import mmap
from pathlib import Path
from types import TracebackType
from typing import Final, Self

Data = bytes | mmap.mmap
"""The content of a file: bytes, or a file mapped into memory, which gives the same slices and items."""


class MappedFile:
    """A file, mapped when it is made.

    Attributes:
        path: where it is.
        data: its content; `b""` where there is nothing to map.
    """

    def __init__(self, path: Path) -> None:
        """Map the file.

        Raises:
            OSError: it cannot be read.
        """
        self.path: Final = path
        with path.open("rb") as file:
            size = path.stat().st_size
            self.data: Final[Data] = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""

    def close(self) -> None:
        """Give the memory back; the content cannot be used any more."""
        if isinstance(self.data, mmap.mmap):
            self.data.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
