"""A frame of the adapter protocol: a length and that many bytes, of which the first is the kind."""

from enum import IntEnum

import kafka_format

MAX_FRAME = 256 << 20
"""Largest frame that either side believes. A block of 32 answers of the largest vector is far below
it; what text on standard output looks like when read as a length (0x2020 and up) is far above."""

LENGTH_BYTES = 4


class FrameKind(IntEnum):
    """The first byte of a frame: a letter."""

    HELLO = ord("H")
    DECODE = ord("D")
    ENCODE = ord("E")
    ASSIGN = ord("A")
    CONVERT = ord("C")
    DELIVER = ord("L")
    MESSAGE = ord("M")
    JSON = ord("F")


def frame(body: bytes) -> bytes:
    """Put the length before a body."""
    return kafka_format.structure("frame").encode({"body": body})


def letter(kind: int) -> str:
    """Return a kind as error messages show it: its letter in quotes, or its number."""
    return repr(chr(kind)) if 32 < kind < 127 else f"0x{kind & 0xFF:02x}"
