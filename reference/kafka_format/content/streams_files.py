"""Files that Kafka Streams keeps in a state directory, and positions, which headers have, too."""

from __future__ import annotations

import json
import re
from typing import Final
from uuid import UUID

from kafka_format.codec.structures import structure
from kafka_format.content.answers import Answer, wrong
from kafka_format.content.tails import check_tail

_UNKNOWN_OFFSET: Final = -4
"""A store whose offset is not known."""

_CHECKPOINT: Final = "content.streams.checkpoint"
_HEAD: Final = 2
"""Lines in front of the offsets."""

_PARTS: Final = 3
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,19}")
_HIGHEST: Final = (1 << 63) - 1


def position(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read a position: the offset of each partition, by topic and partition."""
    wire = structure("position").decode(data, flags=flags)
    check_tail(wire.tail if wire.tail.strip(b"\0") else b"", len(data), flags)
    return {
        "value": {
            each.topic.decode("utf-8", "replace"): {str(of.partition): str(of.offset) for of in each.partitions}
            for each in wire.topics
        }
    }


def checkpoint(data: bytes, *_: object) -> Answer:
    """Read the file `.checkpoint`: the offset up to which each changelog is in the stores.

    Offsets that are not valid are left out, as Kafka does.
    """
    try:
        lines = re.split(r"\r\n|\n|\r", data.decode())
    except UnicodeDecodeError as error:
        raise wrong("it is not UTF-8", _CHECKPOINT, error.start) from None
    lines = lines[:-1] if lines[-1] == "" else lines
    if len(lines) < _HEAD or _number(lines[0]) != 0:
        raise wrong(f"its version is {lines[0][:20]!r}" if lines else "it is empty", _CHECKPOINT)
    expected, found = _number(lines[1]), {}
    for line in lines[_HEAD:]:
        parts = re.split(r"[ \t\n\x0b\f\r]+", line)
        if len(parts) != _PARTS:
            raise wrong(f"a line is {line[:60]!r}", _CHECKPOINT)
        offset = _number(parts[2])
        if offset >= 0 or offset == _UNKNOWN_OFFSET:
            found[f"{parts[0]}-{_number(parts[1])}"] = str(offset)
        else:
            expected -= 1
    if len(found) != expected:
        raise wrong(f"it has {len(found)} offsets, and says {expected}", _CHECKPOINT)
    return {"value": found}


def _number(text: str) -> int:
    if not _INTEGER.fullmatch(text) or not -_HIGHEST <= (number := int(text)) <= _HIGHEST:
        raise wrong(f"{text[:40]!r} is no number", _CHECKPOINT)
    return number


def process(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read the file `kafka-streams-process-metadata`: the id of the process."""
    try:
        document, end = json.JSONDecoder().raw_decode(text := data.decode())
        number = UUID(document["processId"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise wrong(f"it has no id of a process: {error!s:.60}", "content.streams.process") from None
    check_tail(text[end:].strip().encode(), len(data), flags)
    return {"value": {"process_id": str(number)}}
