"""Numbers with their words, for the texts of errors: `1 byte`, `2 bytes`."""

from __future__ import annotations


def byte_count(count: int) -> str:
    """Return a number of bytes with its word."""
    return f"{count} byte{'' if count == 1 else 's'}"


def item_count(count: int) -> str:
    """Return a number of items with its word."""
    return f"{count} item{'' if count == 1 else 's'}"


def left_text(count: int) -> str:
    """Return how many bytes are left: `1 byte is left`, `2 bytes are left`."""
    return f"{byte_count(count)} {'is' if count == 1 else 'are'} left"
