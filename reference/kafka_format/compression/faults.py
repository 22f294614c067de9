"""The errors that all codecs raise."""

from __future__ import annotations

from kafka_format.errors import FormatError, Stage


def fault(offset: int, rule: str, detail: str, hint: str = "") -> FormatError:
    """Compressed bytes that break a rule; the caller adds where they lie in its own input."""
    return FormatError(detail, rule=rule, stage=Stage.DECOMPRESSION, offset=offset, hint=hint)


def over_limit(offset: int, limit: int) -> FormatError:
    """A payload that grows past the limit; `offset` is the member, chunk, block or frame that does it."""
    return FormatError(
        f"decompresses to more than the limit of {limit} bytes",
        rule="compression.limit",
        stage=Stage.RESOURCE,
        offset=offset,
        hint="Raise the limit if payloads may be that large.",
    )
