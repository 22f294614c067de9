"""Headers that are written, or told, otherwise than they are, in front of a body that is right.

Every message of a kind has one, so what is wrong with it is one bug, and not one a message. What a
field has otherwise is looked at as values of bodies are. A header with other fields, or with
another length, is held against those that libraries write.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from kafka_format.codec.interpreter import Reader, writer
from kafka_format.errors import EncodeError, FormatError
from kafka_format.primitives.varints import COMPACT_LENGTH, write_varint
from kafka_format.spec.layout import Layout

from kafka_conformance.kinds.message.judge import HEADER
from kafka_conformance.kinds.message.value_causes import ShownValues, header_fields
from kafka_conformance.kinds.message.value_changes import Value, header_values, read_header
from kafka_conformance.kinds.message.wrong_answers import Manner, Probe, header_of, is_request_or_response, layout_of
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Verdict

_MOST: Final = 0.8
"""The share of the wrong answers that have nothing but the header wrong, if it is told."""

_PASSED: Final = 200
"""So many headers that came right are held against what was done to the others."""

_CLIENT: Final = 8
"""Where the client id begins in the header of a request: behind API, version and number."""

_NUMBER: Final = 4
"""Bytes of the correlation id."""


class _Told(NamedTuple):
    """A message with the right body, and another header.

    Attributes:
        probe: the message.
        got: the header that was written; empty in the form `json`.
        values: its fields with what came; empty if what was written has not these fields.
    """

    probe: Probe
    got: bytes
    values: tuple[Value, ...]


def written_headers(asked: Iterable[Probe], target: Manner) -> Iterator[ShownValues]:
    """Yield what is wrong with nothing but headers, of requests, then of responses.

    Args:
        asked: all that was put to the target, and what came of it.
        target: how it answers.
    """
    by_header: dict[tuple[str, int | None], list[Probe]] = defaultdict(list)
    for probe in asked if target.form != "verdict" else ():
        if is_request_or_response(probe.vector) and probe.vector.verdict is not Verdict.INVALID:
            by_header[probe.vector.format, header_of(probe).version].append(probe)
    by_kind: dict[str, list[_Told]] = defaultdict(list)
    for (kind, _), probes in sorted(by_header.items()):
        wrong = [probe for probe in probes if probe.result.outcome is Outcome.WRONG_ANSWER]
        told = [found for probe in wrong if (found := _told(probe, target)) is not None]
        by_kind[kind] += told if len(told) >= _MOST * len(wrong) else []
    for kind, told in by_kind.items():
        versions = {header_of(found.probe).version for found in told}
        right = [probe for version in versions for probe in by_header[kind, version] if not probe.fails]
        yield from _of_fields(kind, told, right)
        yield from _of_layouts(kind, told)


def _told(asked: Probe, target: Manner) -> _Told | None:
    """Return what came of a header; None if more is wrong than that, or nothing tells."""
    try:
        return _of_json(asked) if target.form == "json" else _of_bytes(asked)
    except (FormatError, EncodeError, ValueError, KeyError, TypeError):
        return None


def _of_json(asked: Probe) -> _Told | None:
    if not asked.result.path.startswith(f"{HEADER}."):
        return None  # the body is compared first
    return _Told(asked, b"", tuple(header_values(asked, json.loads(asked.result.content)[HEADER])))


def _of_bytes(asked: Probe) -> _Told | None:
    content, layout = asked.result.content, layout_of(asked)
    for body in (asked.data, _encoded(layout, asked.data, asked.flags)):
        head = content[: len(content) - len(body)]
        if content.endswith(body) and head != asked.vector.data[: asked.body]:
            return _Told(asked, head, _fields_of(asked, head))
    return None


def _fields_of(asked: Probe, head: bytes) -> tuple[Value, ...]:
    try:
        values, end = read_header(asked, head)
    except FormatError:
        return ()
    return tuple(header_values(asked, values)) if end == len(head) else ()


def _of_fields(kind: str, told: Sequence[_Told], passed: Sequence[Probe]) -> Iterator[ShownValues]:
    wrong = {found.probe.vector.id: (found.probe, found.values) for found in told if found.values}
    valid = [probe for probe in passed if probe.vector.verdict is Verdict.VALID]
    some = valid[:: max(1, len(valid) // _PASSED)] if wrong else ()
    rights = [(probe, tuple(header_values(probe, read_header(probe, probe.vector.data)[0]))) for probe in some]
    yield from header_fields(kind, wrong, rights)


def _of_layouts(kind: str, told: Sequence[_Told]) -> Iterator[ShownValues]:
    """Yield headers that have other fields, or lengths of another form."""
    by_way: dict[tuple[str, str], set[str]] = defaultdict(set)
    for found in told:
        if not found.values:
            ways = (way for *way, written in _ways(kind, _right(found.probe)) if written == found.got)
            name, does = next(ways, ("otherwise", "writes the header of {} otherwise"))
            by_way[name, does].add(found.probe.vector.id)
    for (name, does), names in by_way.items():
        yield ShownValues(f"message/{kind}-header-written-{name}", does.format(f"{kind}s"), frozenset(names))


def _right(asked: Probe) -> bytes:
    """Return the header as an encoder writes it."""
    return _encoded(header_of(asked), asked.vector.data[: asked.body], asked.flags)


def _encoded(layout: Layout, data: bytes, flags: frozenset[str]) -> bytes:
    """Return what an encoder writes for the values of some bytes."""
    values, _ = Reader(data, flags=flags, make=lambda _, given: given).read(layout, 0, len(data))
    return writer.encode(layout, values)


def _ways(kind: str, right: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yield ways to write a header: a name, what is done, and the bytes."""
    front, behind = (right[:_NUMBER], right[_NUMBER:]) if kind == "response" else (right[:_CLIENT], right[_CLIENT:])
    size = int.from_bytes(behind[:2], "big", signed=True) if kind == "request" else 0
    name = behind[: 2 + max(size, 0)] if kind == "request" else b""
    tags, client = behind[len(name) :], name[2:]
    yield "without-tags", "writes no tagged fields in the header of flexible {}", front + name
    yield "with-tags", "writes tagged fields in the header of {}, in versions that are not flexible", right + b"\0"
    if kind == "response":
        yield "empty", "writes no header in front of {}", b""
        return
    said = "writes {} in the header of {{}}"
    compact = write_varint(size, COMPACT_LENGTH) + client
    yield "compact-client", said.format("`client_id` as a compact string"), front + compact + tags
    wide = size.to_bytes(4, "big", signed=True) + client
    yield "wide-client", said.format("the length of `client_id` with four bytes"), front + wide + tags
    yield "no-client", said.format("no `client_id`"), front + tags
    yield "no-client-and-tags", said.format("no `client_id` and no tagged fields"), front
