"""What the tests of all codecs share."""

import pytest
from kafka_format import compression
from kafka_format.errors import FormatError

TEXT = b"the same words again and again, " * 4 + b"0123456789"


def decompress(codec: str, data: bytes, *flags: str, magic: int = 2) -> bytes:
    return compression.decompress(codec, data, magic=magic, flags=frozenset(flags))


def refusal(codec: str, data: bytes, *flags: str, magic: int = 2) -> FormatError:
    """The error for bytes that must be refused."""
    with pytest.raises(FormatError) as caught:
        decompress(codec, data, *flags, magic=magic)
    return caught.value


def fault(codec: str, data: bytes, *flags: str, magic: int = 2) -> tuple[str, int]:
    """Rule, without the `compression.CODEC.` before it, and offset of the refusal."""
    error = refusal(codec, data, *flags, magic=magic)
    assert (error.path_text, error.payload, str(error.stage)) == ("", False, "decompression")
    prefix = f"compression.{codec}."
    assert error.rule.startswith(prefix)
    return error.rule.removeprefix(prefix), error.offset
