"""Files mapped into memory, read-only.

What is not looked at is not read, and nothing is ever written.
"""

from __future__ import annotations

import errno
import mmap
import os
from pathlib import Path
from types import TracebackType
from typing import Final, Self

Data = bytes | mmap.mmap
"""The content of a file: bytes, or a file mapped into memory, which gives the same slices and
items."""


def check_size(data: Data) -> None:
    """Raise an error if a mapped file has become shorter; reading past its end kills a process.

    Brokers cut the indexes of a segment when the next one begins, and a follower its log when it
    follows another leader.

    Raises:
        OSError: it has.
    """
    if isinstance(data, mmap.mmap) and data.size() < len(data):
        raise OSError(errno.ESTALE, "it became shorter while it was read")


class MappedFile:
    """A file that is mapped when its content is asked for.

    A log may have more segments than a process may have files open.

    Attributes:
        path: where it is.
    """

    def __init__(self, path: Path) -> None:
        """Take the file.

        Raises:
            OSError: it cannot be read.
        """
        self.path: Final = path
        if not os.access(path, os.R_OK):
            number = errno.EACCES if path.exists() else errno.ENOENT
            raise OSError(number, os.strerror(number), str(path))
        self._data: Data | None = None

    @property
    def data(self) -> Data:
        """Its content; `b""` where there is nothing to map.

        Raises:
            OSError: it cannot be mapped.
        """
        if self._data is None:
            with self.path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        return self._data

    def close(self) -> None:
        """Unmap the file. If the content is needed again, it is mapped again."""
        if isinstance(self._data, mmap.mmap):
            self._data.close()
        self._data = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
