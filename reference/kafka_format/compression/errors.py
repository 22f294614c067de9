"""The errors that all codecs raise, with offsets that count in the compressed bytes."""

from __future__ import annotations

from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.counts import byte_count


def payload_error(offset: int, rule: str, detail: str, hint: str = "") -> FormatError:
    """Return the error for compressed bytes that break a rule; the caller adds where they are."""
    return FormatError(detail, rule=rule, stage=Stage.DECOMPRESSION, offset=offset, hint=hint)


def over_limit(offset: int, limit: int) -> FormatError:
    """Return the error for a payload that is too large, at its member, chunk, block or frame."""
    return FormatError(
        f"decompresses to more than the limit of {byte_count(limit)}",
        rule="compression.limit",
        stage=Stage.RESOURCE,
        offset=offset,
        hint="Raise the limit if payloads may be that large.",
    )
