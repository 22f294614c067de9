"""Files mapped into memory, read-only.

What is not looked at is not read, and nothing is ever written.
"""

from __future__ import annotations

import errno
import mmap
import os
from collections.abc import Iterator
from functools import lru_cache
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Final, Self

Data = bytes | mmap.mmap
"""The content of a file: bytes, or a file mapped into memory, which gives the same slices and
items."""

_CHUNK: Final = 1 << 18
"""Bytes that fit into a processor's cache, where they are read and compared at once."""
_ZEROS: Final = bytes(_CHUNK)


def check_size(data: Data) -> None:
    """Raise an error if a mapped file has become shorter; reading past its end kills a process.

    Brokers cut the indexes of a segment when the next one begins, and a follower its log when it
    follows another leader.

    Raises:
        OSError: it has.
    """
    if isinstance(data, mmap.mmap) and data.size() < len(data):
        raise OSError(errno.ESTALE, "it became shorter while it was read")


def content_end(path: Path) -> int:
    """Return the byte after the last one of a file that is not zero.

    What was never written is not read: indexes of 10 MiB mostly have a few entries. The answer is
    kept as long as the file is the same.

    Raises:
        OSError: it cannot be read.
    """
    stat = path.stat()
    return _content_end(path, (stat.st_ino, stat.st_mtime_ns, stat.st_size))


@lru_cache(maxsize=4096)
def _content_end(path: Path, _: tuple[int, ...]) -> int:
    with path.open("rb", buffering=0) as file:
        for start, end in reversed(list(_written(file.fileno(), os.fstat(file.fileno()).st_size))):
            if last := _end_within(file, start, end):
                return last
    return 0


def _written(number: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of an open file that were written to, as far as the system tells."""
    end = 0
    while hasattr(os, "SEEK_DATA") and end < size:
        try:
            start = os.lseek(number, end, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:  # nothing but a hole is left
                return
            break
        end = os.lseek(number, start, os.SEEK_HOLE)
        yield start, min(end, size)
    if end < size:
        yield end, size


def _end_within(file: FileIO, start: int, end: int) -> int:
    """Return the byte after the last one in a range that is not zero; 0 if all are."""
    while end > start:
        at = max(start, end - _CHUNK)
        file.seek(at)
        data = file.read(end - at)
        if data != _ZEROS[: len(data)]:
            return at + len(data.rstrip(b"\0"))
        end = at
    return 0


def mapped_copy(path: Path) -> mmap.mmap:
    """Map a file that is not empty so that what is written stays in memory.

    Raises:
        OSError: it cannot be mapped.
    """
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)


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
