"""The fields of a layout at fixed places: read and written there, without the rest.

Brokers and consumers look at the header of an entry and leave its records alone: a broker writes
the offsets of a compressed batch without decompressing it, and a consumer passes over an aborted
batch unread.
"""

from __future__ import annotations

import mmap
import struct
from collections import namedtuple
from functools import cache
from typing import Any

from kafka_format.codec import checks
from kafka_format.errors import FieldPath
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import fixed_fields, integers, order_mark, packer, places
from kafka_format.spec.layout.model import Checksum

Data = bytes | bytearray | mmap.mmap
"""Fields are read from these: all give the same slices and items."""


class Prefix:
    """The fixed-width fields at the start of a layout, as far as they follow one another.

    Attributes:
        layout: the layout.
        size: bytes that the fields take together.
        places: first byte of each field, counted from the start of the structure.
        packers: what reads and writes each field by itself.
    """

    def __init__(self, name: str, version: int | None = None) -> None:
        """Find the fields and their places; of a layout with versions, say which.

        Raises:
            LayoutError: there is no such layout, or it has no such version.
        """
        self.layout = find(name, version)
        self.places = places(self.layout)
        self.packers = {
            field.name: struct.Struct(order_mark(self.layout.endian) + kind.code)
            for field, kind in zip(fixed_fields(self.layout), integers(self.layout), strict=True)
        }
        self._all = packer(self.layout)
        self.size = self._all.size
        fields: Any = namedtuple  # noqa: PYI024 - the fields are known at run time only
        self._type = fields(name, self.places)

    def read(self, data: Data, start: int = 0) -> Any:
        """Return the fields of the structure at `start`; at least `size` bytes must follow."""
        return self._type._make(self._all.unpack_from(data, start))

    def value(self, data: Data, start: int, name: str) -> int:
        """Return one field of the structure that begins at `start`.

        Raises:
            struct.error: the bytes end before it, or in it.
        """
        number: int = self.packers[name].unpack_from(data, start + self.places[name])[0]
        return number

    def reader(self, *names: str) -> struct.Struct:
        """Return a struct of some fields, from the structure's start to the last of them."""
        codes, end = order_mark(self.layout.endian), 0
        for name in sorted(names, key=self.places.__getitem__):
            field = self.packers[name]
            codes += f"{self.places[name] - end}x{field.format[1:]}"
            end = self.places[name] + field.size
        return struct.Struct(codes)

    def write(self, data: bytearray, start: int = 0, **values: int) -> None:
        """Write some of the fields of the structure that begins at `start`."""
        for name, value in values.items():
            self.packers[name].pack_into(data, start + self.places[name], value)

    def checksum(self, data: Data, start: int, end: int) -> int:
        """Compute the checksum of the structure that lies in `data[start:end]`."""
        from kafka_format.primitives.checksums import CHECKSUMS  # noqa: PLC0415 - requests have none, and it loads slowly

        _, computed = self._checksum_field()
        first = start + self.places[computed.first]
        with memoryview(data) as view:
            return CHECKSUMS[computed.algorithm](view[first:end])

    def seal(self, data: bytearray, start: int, end: int) -> None:
        """Write the checksum that fits the structure in `data[start:end]`."""
        name, _ = self._checksum_field()
        self.write(data, start, **{name: self.checksum(data, start, end)})

    def check(self, data: Data, start: int, end: int, path: FieldPath = ()) -> None:
        """Compare the checksum of the structure in `data[start:end]`.

        Raises:
            FormatError: it does not fit; at the checksum's place, with `path` before its name.
        """
        name, _ = self._checksum_field()
        stored, fits = getattr(self.read(data, start), name), self.checksum(data, start, end)
        if stored != fits:
            offset = start + self.places[name]
            raise checks.checksum(self.layout.field(name), (*path, name), offset, stored, fits)

    def _checksum_field(self) -> tuple[str, Checksum]:
        return next(
            (field.name, field.computed) for field in self.layout.fields if isinstance(field.computed, Checksum)
        )


@cache
def prefix(name: str, version: int | None = None) -> Prefix:
    """Return the prefix of a layout, made once."""
    return Prefix(name, version)
