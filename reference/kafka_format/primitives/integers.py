"""The limits of Java's integers, and sums that wrap as Java's do."""

from __future__ import annotations

from typing import Final

INT8_MAX: Final = (1 << 7) - 1
INT16_MAX: Final = (1 << 15) - 1
INT32_MAX: Final = (1 << 31) - 1
INT32_MIN: Final = -(1 << 31)
INT32_SPAN: Final = 1 << 32
INT64_MAX: Final = (1 << 63) - 1
INT64_MIN: Final = -(1 << 63)
INT64_SPAN: Final = 1 << 64


def int32(number: int) -> int:
    """Wrap a sum or difference as a Java int does."""
    if INT32_MIN <= number <= INT32_MAX:
        return number
    return (number - INT32_MIN) % INT32_SPAN + INT32_MIN


def int64(number: int) -> int:
    """Wrap a sum or difference as a Java long does: what Kafka adds up has no more bits."""
    if INT64_MIN <= number <= INT64_MAX:
        return number
    return (number - INT64_MIN) % INT64_SPAN + INT64_MIN
