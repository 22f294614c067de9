"""The two checksums of the formats, by the names that layouts use.

`crc32`: IEEE, of v0 and v1 messages, from the magic byte to the end (and of the payload alone in
0.7). `crc32c`: Castagnoli, of v2 record batches, from the attributes to the end (KIP-98). Both are
unsigned.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Final

from crc32c import crc32c

crc32: Callable[[bytes | memoryview], int] = zlib.crc32

CHECKSUMS: Final[dict[str, Callable[[bytes | memoryview], int]]] = {"crc32": crc32, "crc32c": crc32c}
