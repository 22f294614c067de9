"""Metrics of clients, line by line: OpenTelemetry's messages, decompressed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kafka_format.compression.partial import decompress_start
from kafka_format.content import telemetry
from kafka_format.content.protobuf import MessageReader, Place
from kafka_format.errors import FormatError, path_text
from kafka_format.explain.lines import DEFAULT_LIMIT, Explanation, Line, bytes_text
from kafka_format.primitives.counts import byte_count

_NAMES: Final = {"aggregation_temporality": {0: "unspecified", 1: "delta", 2: "cumulative"}}
_COMPRESSED: Final = "compressed"
"""What the line of compressed bytes is called."""


def explain_telemetry(
    codec: str, data: bytes, *, flags: frozenset[str] = frozenset(), limit: int = DEFAULT_LIMIT, is_cut: bool = False
) -> Explanation:
    """Explain metrics (KIP-714).

    Args:
        codec: how they are compressed, one of `compression.NAMES`.
        data: the bytes.
        flags: names of the leniencies that are allowed.
        limit: bytes that they may decompress to.
        is_cut: True if their end is missing, so that this is no fault.
    """
    if codec == "none":
        return _explain(data, is_payload=False, is_cut=is_cut)
    said = f"{byte_count(len(data))} of {codec}"
    try:
        plain = decompress_start(codec, data, limit) if is_cut else telemetry.plain(codec, data, flags, limit)
    except FormatError as error:
        fault = error.within(_COMPRESSED)
        return Explanation([Line(None, _COMPRESSED, 0, data, said, fault=fault)], fault)
    inner = _explain(plain, is_payload=True, is_cut=is_cut)
    return Explanation([Line(None, _COMPRESSED, 0, data, said), *inner.lines], inner.fault)


def _explain(data: bytes, *, is_payload: bool, is_cut: bool) -> Explanation:
    fault, reader = None, MessageReader(data, telemetry.MESSAGES, telemetry.RULE)
    try:
        reader.read(telemetry.MESSAGE)
    except FormatError as error:
        fault = error.within(payload=is_payload)
    lines = [*_lines(data, reader.places, fault, is_payload=is_payload)]
    if not is_cut or fault is None:
        return Explanation(lines, fault)
    rest = [lines[-1]._replace(fault=None)] if lines[-1].raw else []
    return Explanation([*lines[:-1], *rest], None)


def _lines(data: bytes, places: list[Place], fault: FormatError | None, *, is_payload: bool) -> Iterator[Line]:
    if not data:
        yield Line(None, "", 0, data, "no metrics", is_payload)
    for place in places:
        raw = data[place.start : place.end]
        yield Line(None, path_text(place.path), place.start, raw, _text(place), is_payload)
    if fault is not None:
        end = places[-1].end if places else 0
        rest = data[end:]
        yield Line(None, fault.path_text, end, rest, "not read" if rest else "missing", is_payload, fault)


def _text(place: Place) -> str:
    value, note = place.value, place.note
    if isinstance(value, str | bytes):
        value = bytes_text(value.encode() if isinstance(value, str) else value)
    names = _NAMES.get(str(place.path[-1]), {}) if place.path else {}
    note = note or (names.get(place.value, "no name") if names else "")
    return note if value is None else f"{value} ({note})" if note else str(value)
