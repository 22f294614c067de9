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

    def end(self) -> None:
        """Refuse bytes that nobody has asked for."""
        if self.left:
            raise Malformed(f"{self.left} bytes follow the last field")

    def count(self) -> int:
        """Return the next varint, of what cannot be less than none."""
        count = self.varint()
        if count < 0:
            raise Malformed(f"a count of {count}")
        return count

    def varint(self, bits: int = 32) -> int:
        """Return the next number of seven bits a byte, signed by zigzag."""
        number = shift = 0
        more = True
        while more:
            if shift >= bits:
                raise Malformed(f"a varint of {bits} bits goes on at byte {self.place}")
            (byte,) = self.take(1)
            number |= (byte & 0x7F) << shift
            shift += 7
            more = byte >= 0x80
        if number >> bits or (byte == 0 and shift > 7):
            raise Malformed(f"no writer makes the varint before byte {self.place}")
        return number >> 1 ^ -(number & 1)

    def nullable(self, size: int) -> bytes | None:
        """Return the next bytes, or None for the size -1."""
        return None if size == -1 else self.take(size)
