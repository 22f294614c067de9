"""Bytes, read from front to back."""

import struct

from entries import Malformed


class Reader:
    """Takes one field after another, and never more than there is."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    @property
    def left(self) -> int:
        """How many bytes are left."""
        return len(self.data) - self.place

    def take(self, size: int) -> bytes:
        """Return the next bytes."""
        if not 0 <= size <= self.left:
            raise Malformed(
                f"{size} bytes are wanted at byte {self.place}, and {self.left} are left"
            )
        self.place += size
        return self.data[self.place - size : self.place]

    def unpack(self, form: struct.Struct) -> tuple[int, ...]:
        """Return the next integers."""
        return form.unpack(self.take(form.size))
