"""The codecs of compressed payloads, with Kafka's quirks in the open.

What is compressed is the value of a v0 or v1 wrapper message, or the records of a v2 batch (its
header stays clear). Kafka uses common compression formats, each in its own way: gzip as the JDK
writes it, snappy in the xerial framing, LZ4 frames with a wrong header checksum in format v0, zstd
frames without a content size. Each codec module says what is special.

Decoding is strict. What Kafka's readers accept beyond the formats has names, the `FLAGS`; each
module lists the evidence for its own. "Kafka 3.9.1 to 4.4.0" there means that the classes of 3.9.1,
4.3.0 and 4.4.0 were run on such bytes (JDK 17).

Sizes in a stream are never believed: nothing is allocated from one before it is held against
`limit` and against the most that so many compressed bytes can grow to. A refused payload costs at
most `limit` and two blocks or a window of memory, an accepted one twice its size while its pieces
are joined. Time is linear in the bytes read and written.
"""

from __future__ import annotations

from typing import Final, Protocol

from kafka_format.compression import gzip, lz4, snappy, zstd

NAMES: Final = ("none", "gzip", "snappy", "lz4", "zstd")
"""Codec names; a name's index is its number in the attributes."""

FLAGS: Final = gzip.FLAGS | snappy.FLAGS | lz4.FLAGS | zstd.FLAGS
"""Names of all leniencies that `decompress` knows."""

LIMIT: Final = 64 << 20
"""Most bytes that a payload may decompress to unless the caller says otherwise."""


class _Codec(Protocol):
    """The functions of each codec module."""

    def compress(self, data: bytes, magic: int, /) -> bytes: ...

    def decompress(self, data: bytes, magic: int, limit: int, flags: frozenset[str], /) -> bytes: ...

    def check_start(self, data: bytes, magic: int, limit: int, flags: frozenset[str], /) -> None: ...


_CODECS: Final[dict[str, _Codec]] = {"gzip": gzip, "snappy": snappy, "lz4": lz4, "zstd": zstd}


def compress(codec: str, data: bytes | bytearray | memoryview, *, magic: int = 2) -> bytes:
    """Compress a payload as Kafka's producer does.

    Args:
        codec: one of `NAMES`.
        data: the payload; may be empty.
        magic: 0, 1 or 2, the format that the payload is for. Only the lz4 header differs
            (KAFKA-3160, KIP-57).

    Raises:
        ValueError: no such codec.
        ImportError: the codec's library is not installed; says which package to install.
    """
    return bytes(data) if codec == "none" else _codec(codec).compress(bytes(data), magic)


def decompress(
    codec: str,
    data: bytes | bytearray | memoryview,
    *,
    magic: int = 2,
    limit: int = LIMIT,
    flags: frozenset[str] = frozenset(),
) -> bytes:
    """Decompress a payload, strictly unless `flags` say otherwise.

    Args:
        codec: one of `NAMES`; `none` returns the data as they are, of any size.
        data: the compressed bytes, and nothing after them.
        magic: 0, 1 or 2, the format that the payload comes from.
        limit: most bytes that the result may have.
        flags: names of leniencies; those that are not of `FLAGS` are for others and have no effect
            here.

    Raises:
        FormatError: stage decompression, or resource for more than `limit` bytes. Its offset counts
            inside `data`: the first byte of the field that is wrong or cut short, the end where
            bytes are missing, or the start of the compressed block when its inside is wrong.
        ValueError: no such codec.
        ImportError: the codec's library is not installed; says which package to install.
    """
    return bytes(data) if codec == "none" else _codec(codec).decompress(bytes(data), magic, limit, flags)


def check_start(
    codec: str,
    data: bytes | bytearray | memoryview,
    *,
    magic: int = 2,
    limit: int = LIMIT,
    flags: frozenset[str] = frozenset(),
) -> None:
    """Check only the header that Kafka's reader looks at before any content is asked for.

    It is all that is looked at where a batch says that it has no records (clients
    DefaultRecordBatch, which opens the stream before it counts).

    Args:
        codec: one of `NAMES`.
        data: the compressed bytes.
        magic: 0, 1 or 2, the format that the payload comes from.
        limit: most bytes that a stream may have which Kafka decompresses at once.
        flags: names of leniencies.

    Raises:
        FormatError: there is no such header.
    """
    if codec != "none":
        _codec(codec).check_start(bytes(data), magic, limit, flags)


def _codec(name: str) -> _Codec:
    codec = _CODECS.get(name)
    if codec is None:
        raise ValueError(f"no codec is called {name!r}; the codecs are {', '.join(NAMES)}")
    return codec
