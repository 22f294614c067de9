"""Files and pipes that may be packed: what they hold, unpacked as it is read."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import BinaryIO, Final, cast

from zstandard import ZstdDecompressor, ZstdError

_LONGEST_MARK: Final = 6
_LARGEST_WINDOW: Final = 128 << 20
BROKEN: Final = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, ZstdError, OSError)
"""What is raised where packed bytes break off or are wrong."""


def open_input(source: BinaryIO) -> BinaryIO:
    """Return what a file or a pipe holds, unpacked as it is read if it is packed."""
    buffered = source if isinstance(source, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", source))
    start = buffered.peek(_LONGEST_MARK)[:_LONGEST_MARK]
    for mark, unpack in _PACKED.items():
        if start.startswith(mark):
            return unpack(buffered)
    return buffered


def _zstd(source: BinaryIO) -> BinaryIO:
    stream = ZstdDecompressor(max_window_size=_LARGEST_WINDOW).stream_reader(source, read_across_frames=True)
    return io.BufferedReader(cast("io.RawIOBase", stream))


_PACKED: Final[dict[bytes, Callable[[BinaryIO], BinaryIO]]] = {
    b"\x1f\x8b": lambda source: cast("BinaryIO", gzip.GzipFile(fileobj=source)),
    b"\x28\xb5\x2f\xfd": _zstd,
    b"\xfd7zXZ\0": lambda source: cast("BinaryIO", lzma.LZMAFile(source)),  # noqa: SIM115 - its reader closes it
    b"BZh": lambda source: cast("BinaryIO", bz2.BZ2File(source)),
}
"""How packed files begin, and what unpacks them."""
