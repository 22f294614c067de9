"""Records and entries, a line each, as confirming scripts print them and docs/findings.md has."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from kafka_format import records, structure
from kafka_format.records.entries import split
from kafka_format.records.formats import MAGICS
from kafka_format.records.model import CODEC_MASK

from kafka_conformance.protocol.hello import CODECS
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Vector

_NEVER: Final = range(0)
_TIMESTAMP: Final = re.compile(r"(?<=timestamp=)-?\d+")


def line(record: Mapping[str, Any]) -> str:
    """Return a record of an answer as the line that the scripts print."""
    parts = [f"offset={record['offset']}", f"timestamp={record['timestamp']}", f"type={record['timestamp_type']}"]
    parts += [f"{name}={_octets(record[name])}" for name in ("key", "value")]
    if record["headers"]:
        parts.append("headers=" + ",".join(f"{_octets(key)}:{_octets(value)}" for key, value in record["headers"]))
    return " ".join(parts)


def records_of(vector: Vector) -> Iterator[str]:
    """Yield the records of a vector, in the form of the scripts that send them."""
    return map(line, vector.answer or ())


def kafka_lines(vector: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of what Kafka's builder writes for a vector, which is a JSON object."""
    wanted = json_answers.from_json(vector["answer"])
    codec = CODECS[wanted[0].codec]
    return lines(records.encode(wanted, magic=MAGICS[vector["format"]], codec=codec))


def lines(data: bytes, *, now: range = _NEVER) -> Iterator[str]:
    """Yield the entries that a producer sent: a line a batch or wrapper, and one for each record.

    A timestamp within `now`, the milliseconds in which they were written, is written as the word:
    no run has it again.

    Raises:
        FormatError: the bytes cannot be read.
    """
    for start, end, magic in split(data):
        entry = data[start:end]
        written = (
            *_head(entry, magic),
            *map(line, json_answers.to_json(records.decode(entry))),
        )
        for text in written:
            yield _TIMESTAMP.sub(lambda match: "now" if int(match[0]) in now else match[0], text)


def _head(entry: bytes, magic: int) -> Iterator[str]:
    if magic == MAGICS["v2"]:
        batch = structure("record_batch").decode(entry)
        yield f"batch max_timestamp={batch.max_timestamp} last_offset_delta={batch.last_offset_delta}"
        return
    _, _, message = structure("message_set_entry").decode(entry)
    if message.attributes & CODEC_MASK:
        yield "wrapper" if message.magic == 0 else f"wrapper timestamp={message.timestamp}"


def _octets(text: str | None) -> str:
    if text is None:
        return "null"
    return text or "empty"
