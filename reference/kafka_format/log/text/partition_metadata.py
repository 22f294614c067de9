"""partition.metadata: the id of the topic (storage PartitionMetadataFile; KIP-516, since 2.8).

version: 0
topic_id: a2Fma2EtZm9ybWF0LWNvbg

The last line has no end.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from kafka_format.log.text.lines import Line, is_id, is_zero_id, number, split, text_error

NAME: Final = "partition.metadata"
_LINES: Final = 2
_KEYS: Final = ("version", "topic_id")


class PartitionMetadata(NamedTuple):
    """The content of partition.metadata: its version, and the id of the topic in 22 letters."""

    version: int
    topic_id: str


def decode(data: bytes, flags: frozenset[str] = frozenset()) -> PartitionMetadata:
    """Read the file.

    Raises:
        FormatError: a broker cannot read it. With fewer than two lines it even fails without a word
            of the file (NullPointerException, KAFKA-20177).
    """
    lines = list(split(data))
    if len(lines) < _LINES:
        detail = f"has {len(lines)} of {_LINES} lines"
        hint = "Remove the file: the broker writes it anew from the metadata of the cluster."
        raise text_error("log.partition-metadata.lines", detail, len(data), hint=hint)
    version = number(_value(lines[0], "version", flags), 32, loose=True)
    if version is None or version < 0:
        raise text_error("log.partition-metadata.version", f"`{lines[0].text:.40}` has no version", 0, "version")
    topic_id = _value(lines[1], "topic_id", flags)
    if not is_id(topic_id) or is_zero_id(topic_id):
        raise text_error(
            "log.partition-metadata.topic-id", f"`{topic_id:.40}` is not an id", lines[1].offset, "topic_id"
        )
    return PartitionMetadata(version, topic_id)


def encode(metadata: PartitionMetadata) -> bytes:
    """Write the file."""
    return "\n".join(f"{key}: {value}" for key, value in zip(_KEYS, metadata, strict=True)).encode()


def _value(line: Line, key: str, flags: frozenset[str]) -> str:
    parts = re.split(r":\s+", line.text)
    if len(parts) != 2:
        raise text_error(
            "log.partition-metadata.lines", f"`{line.text:.40}` is not a key and a value", line.offset, key
        )
    if parts[0] != key and "partition-metadata-keys-unread" not in flags:
        raise text_error("log.partition-metadata.keys", f"the key is `{parts[0]:.40}`, not `{key}`", line.offset, key)
    return parts[1]
