"""Bytes behind what was read, and bytes as texts."""

from __future__ import annotations

from kafka_format.content.answers import wrong
from kafka_format.primitives.counts import byte_count


def check_tail(tail: bytes, end: int, flags: frozenset[str]) -> None:
    """Refuse bytes behind the last field; takes where they end."""
    if tail and "store-tail-unread" not in flags:
        raise wrong(f"{byte_count(len(tail))} more", "content.streams.tail", end - len(tail))


def hex_of(value: bytes | None) -> str | None:
    """Return bytes in hex; null stays null."""
    return None if value is None else value.hex()
