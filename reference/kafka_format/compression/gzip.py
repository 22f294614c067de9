"""gzip (codec 1, since 0.7): RFC 1952 members, one or more, read as one stream.

Written as the JDK's GZIPOutputStream writes it: no name, no time, XFL 0 at every level, OS 255 (JDK
16 and newer; 0 before). Compressed bytes differ between zlib builds, so only the decompressed ones
can be compared.

Kafka's reader is the JDK's GZIPInputStream, which is loose in two places (Kafka 0.8.2.2 to 4.4.0 on
JDK 17):

- `gzip-trailing-bytes`: after a member's trailer, 18 bytes or fewer are ignored, and so is anything
  that does not start with a whole and sound gzip header. What starts with one is a further member
  and has to be right.
- `gzip-reserved-flags`: the reserved bits 5 to 7 of the FLG byte are ignored, where RFC 1952
  (2.3.1.2) asks for an error.

The deflate data is read raw and the header and trailer by hand: then each fault has its own rule
and its place.
"""

from __future__ import annotations

import zlib
from typing import Final

from kafka_format.compression.errors import over_limit, payload_error
from kafka_format.errors import FormatError
from kafka_format.primitives.counts import byte_count
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import default_bytes, packer, places

TRAILING_BYTES: Final = "gzip-trailing-bytes"
RESERVED_FLAGS: Final = "gzip-reserved-flags"
FLAGS: Final = frozenset({TRAILING_BYTES, RESERVED_FLAGS})

_LAYOUT: Final = find("gzip_header")
_HEADER: Final = default_bytes(_LAYOUT)
_METHOD_AT, _FLAGS_AT = places(_LAYOUT)["method"], places(_LAYOUT)["flags"]
_MAGIC: Final = _HEADER[:_METHOD_AT]
_FHCRC, _FEXTRA, _FNAME, _FCOMMENT, _RESERVED = (
    _LAYOUT.field("flags").part(name).in_place
    for name in ("has_header_checksum", "has_extra_field", "has_name", "has_comment", "reserved")
)
_TRAILER: Final = packer(find("gzip_trailer"))
_LENGTH_AT: Final = places(find("gzip_trailer"))["content_size"]
_IGNORED: Final = 18  # the JDK looks for a further member only where more bytes than these are left
_FIRST_WINDOW: Final = 8 << 10  # zlib copies what it has not used of its input: small pieces keep many members linear
_WINDOW: Final = 64 << 10
_PIECE: Final = 1 << 20


def compress(data: bytes, _magic: int) -> bytes:
    """Compress with zlib's default level, as Kafka does by default."""
    return _HEADER + zlib.compress(data, wbits=31)[len(_HEADER) :]


def decompress(data: bytes, _magic: int, limit: int, flags: frozenset[str]) -> bytes:
    """Read all members; see the module for the flags."""
    pieces: list[bytes] = []
    start = size = 0
    while True:
        deflated = _header_end(data, start, flags)
        content, end = _inflate(data, deflated, limit, size)
        end = _check_trailer(data, end, content)
        pieces += content
        if _is_last(data, end, flags):
            return b"".join(pieces)
        start, size = end, sum(map(len, content), size)


def check_start(data: bytes, _magic: int, _limit: int, flags: frozenset[str]) -> None:
    """Read the header of the first member."""
    _header_end(data, 0, flags)


def _header_end(data: bytes, start: int, flags: frozenset[str]) -> int:
    if not data.startswith(_MAGIC, start):
        hint = "This is a zlib stream." if data[start : start + 1] == b"\x78" else ""
        raise payload_error(start, "compression.gzip.magic", "a gzip member starts with 1f 8b", hint)
    if len(data) < start + len(_HEADER):
        raise payload_error(start, "compression.gzip.complete", f"a gzip header has {len(_HEADER)} bytes or more")
    bits = data[start + _FLAGS_AT]
    _check_method(data[start + _METHOD_AT], start + _METHOD_AT)
    if bits & _RESERVED and RESERVED_FLAGS not in flags:
        raise payload_error(
            start + _FLAGS_AT, "compression.gzip.reserved-flags", f"reserved bits are set in FLG {bits:#04x}"
        )
    return _optional_end(data, start, bits) if bits else start + len(_HEADER)


def _check_method(method: int, position: int) -> None:
    if method != zlib.DEFLATED:
        raise payload_error(
            position, "compression.gzip.method", f"compression method {method}, only 8 (deflate) is known"
        )


def _optional_end(data: bytes, start: int, bits: int) -> int:
    end = start + len(_HEADER)
    if bits & _FEXTRA:
        end = _within(data, end, 2 + int.from_bytes(data[end : end + 2], "little"))
    for bit in (_FNAME, _FCOMMENT):
        if bits & bit:
            end = _within(data, end, data.find(0, end) + 1 - end)
    if bits & _FHCRC:
        _check_header(data, start, end)
        end = _within(data, end, 2)
    return end


def _check_header(data: bytes, start: int, end: int) -> None:
    """Compare the checksum of the header in `data[start:end]`, which stands after it."""
    stored, computed = data[end : end + 2], zlib.crc32(data[start:end]) & 0xFFFF
    if int.from_bytes(stored, "little") != computed and len(stored) == 2:
        raise payload_error(end, "compression.gzip.header-checksum", f"stored {stored.hex()} does not fit the header")


def _within(data: bytes, start: int, size: int) -> int:
    if not 0 < size <= len(data) - start:
        raise payload_error(start, "compression.gzip.complete", "the input ends inside this field of the gzip header")
    return start + size


def _inflate(data: bytes, start: int, limit: int, size: int) -> tuple[list[bytes], int]:
    inflater, pieces, position, window = zlib.decompressobj(wbits=-15), [], start, _FIRST_WINDOW
    while not inflater.eof:
        chunk = inflater.unconsumed_tail
        if not chunk:
            chunk = data[position : position + window]
            position, window = position + len(chunk), min(2 * window, _WINDOW)
        if not chunk:
            raise payload_error(position, "compression.gzip.complete", "the input ends inside the deflate data")
        pieces.append(_inflate_piece(inflater, chunk, start, limit - size))
        size += len(pieces[-1])
        if size > limit:
            raise over_limit(start, limit)
    return pieces, position - len(inflater.unused_data)


def _inflate_piece(inflater: zlib._Decompress, chunk: bytes, start: int, room: int) -> bytes:
    try:
        return inflater.decompress(chunk, min(room + 1, _PIECE))
    except zlib.error as error:
        raise payload_error(start, "compression.gzip.data", f"the deflate data is damaged ({error})") from None


def _check_trailer(data: bytes, start: int, content: list[bytes]) -> int:
    if len(data) < start + _TRAILER.size:
        raise payload_error(start, "compression.gzip.complete", f"a gzip trailer has {_TRAILER.size} bytes")
    checksum, length = _TRAILER.unpack_from(data, start)
    _check_checksum(checksum, content, start)
    _check_length(length, sum(map(len, content)), start + _LENGTH_AT)
    return start + _TRAILER.size


def _check_checksum(stored: int, content: list[bytes], position: int) -> None:
    computed = 0
    for piece in content:
        computed = zlib.crc32(piece, computed)
    if stored != computed:
        detail = f"stored CRC-32 {stored:08x}, the content has {computed:08x}"
        raise payload_error(position, "compression.gzip.checksum", detail)


def _check_length(stored: int, actual: int, position: int) -> None:
    if stored != actual & 0xFFFFFFFF:
        raise payload_error(
            position, "compression.gzip.length", f"stored length {stored}, the content has {byte_count(actual)}"
        )


def _is_last(data: bytes, end: int, flags: frozenset[str]) -> bool:
    left = len(data) - end
    if TRAILING_BYTES in flags:
        return left <= _IGNORED or not _is_header(data, end, flags)
    if left and not data.startswith(_MAGIC, end):
        raise payload_error(
            end, "compression.gzip.trailing-bytes", f"bytes after the last member, and no further member: {left}"
        )
    return not left


def _is_header(data: bytes, start: int, flags: frozenset[str]) -> bool:
    try:
        _header_end(data, start, flags)
    except FormatError:
        return False
    return True
