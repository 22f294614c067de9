"""What comes of messages that a codec with a fresh fault reads, and writes again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from kafka_conformance.child.session import Reaction
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.vectors import MessageVector
from kafka_conformance.kinds.message.wrong_answers import Probe, leave_out_unknown
from kafka_conformance.protocol.messages import MessageInput, MessageKind, Reply, Status
from kafka_format import protocol, structure
from kafka_format.codec.checks import surplus_of
from kafka_format.codec.compiler import version
from kafka_format.errors import EncodeError, FormatError
from kafka_format.protocol.json_form import EXACT
from kafka_format.spec.layout import Layout, find, specification
from kafka_format.spec.layout.versioned.resolver import resolve

from tests.kafka_conformance.kinds.message.faults import BrokenError
from tests.kafka_conformance.kinds.message.fresh_codecs import Fresh
from tests.kafka_conformance.kinds.message.fresh_layouts import Change
from tests.kafka_conformance.kinds.message.own_codec import own_codec

BROKEN = (BrokenError, EncodeError, OverflowError, ValueError, TypeError, AttributeError, LookupError)
_API_VERSIONS = 18
_UNSUPPORTED_VERSION = b"\0\x23"


def code(probes: Sequence[Probe], fault: Fresh) -> Iterator[Result]:
    """Yield what comes of messages."""
    for each in probes:
        vector = each.vector
        assert isinstance(vector, MessageVector)
        try:
            reply = Reply(Status.ANSWER, _answer(vector.message.input, fault))
        except BROKEN:
            reply = Reply(Status.REFUSED, b"broken")
        yield judge(vector.message, "planted", fault.form, Reaction(0, reply, 0.0))


def asked(fault: Fresh, inputs: Sequence[MessageInput]) -> list[bytes | None]:
    """Return what a codec with a fault answers; None where it refuses."""
    given: list[bytes | None] = []
    for each in inputs:
        try:
            given.append(_answer(each, fault))
        except BROKEN:
            given.append(None)
    return given


def _answer(put: MessageInput, fault: Fresh) -> bytes:
    if put.message_kind == MessageKind.RECORD:
        name, number, front, data = _of_record(put)
        return _coded(name, number, front + data, len(front), fault)
    kind: Literal["request", "response"] = "request" if put.message_kind == MessageKind.REQUEST else "response"
    name, data = f"{protocol.api_name(put.api).replace('_', '-')} {kind}", put.message
    body, number = _header_size(kind, put.api, put.version, data), put.version
    body = fault.header(data, body) if fault.header and _is_in(fault, name) else body
    if put.api == _API_VERSIONS and kind == "response" and data[body:][:2] == _UNSUPPORTED_VERSION:
        number = fault.fallback if fault.fallback is not None else 0
    return _coded(name, number, data, body, fault)


def _of_record(put: MessageInput) -> tuple[str, int, bytes, bytes]:
    """Return the layout of a key or value, its version, what stands in front of it, and it."""
    record = structure("schema_record").decode(put.message)
    topic, content = record.topic.decode(), record.key if record.value is None else record.value
    kind = "record_key" if record.value is None else "record_value"
    layout = next(
        each
        for each in specification().versioned.values()
        if (each.topic, each.number or 0, each.kind) == (topic, put.api, kind) and not each.variant_of
    )
    front = structure(layout.behind).read(content, 0, len(content))[1]
    return layout.name, put.version, content[:front], content[front:]


def _is_in(fault: Fresh, name: str) -> bool:
    return not fault.message or fault.message in {name, name.rpartition(" ")[2]}


def _coded(name: str, number: int, data: bytes, body: int, fault: Fresh) -> bytes:
    is_here = _is_in(fault, name)
    codec = own_codec(fault.methods if is_here else {}, fault.field)
    layout = _layout(name, number, fault if is_here and fault.layout else None)
    values, end = codec.structure(layout, data, body)
    if end != len(data) and (fault.is_exact or surplus_of(layout, data[end:]) is None):
        raise BrokenError
    if fault.form == "bytes":
        return data[:body] + codec.write(layout, values)
    shown: Any = json.loads(json.dumps(EXACT.write(layout, values)))
    shown = shown if fault.shows_unknown else json.loads(json.dumps(shown), object_hook=leave_out_unknown)
    if fault.shown and is_here:
        shown = fault.shown(layout, shown)
    return json.dumps({"header": {}, "body": shown}).encode()


def lacked_as_zero(layout: Layout, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the outermost fields that only other versions have, as 0 or empty."""
    number = layout.version or 0
    whole = specification().versioned[layout.name.removesuffix(f"_v{number}")]
    for field in whole.body.fields:
        if number not in field.versions and field.type in _ZEROS and not field.is_array:
            shown = {**shown, field.kafka: _ZEROS[field.type]}
    return shown


_ZEROS = {"int8": 0, "int16": 0, "int32": 0, "int64": "0", "string": "", "bool": False}


def _header_size(kind: Literal["request", "response"], api: int, number: int, data: bytes) -> int:
    """Return where a body begins; the end of the data if the header is none."""
    header = version(f"{kind}_header", protocol.header_version(api, number, kind))
    try:
        return header.read(data)[1]
    except FormatError:
        return len(data)


@cache
def _wrong(name: str, version: int, change: Change) -> Layout:
    return resolve(change(specification().versioned[name]), version, specification().forms)


def _layout(name: str, version: int, fault: Fresh | None) -> Layout:
    own = name.replace("-", "_").replace(" ", "_")
    return find(own, version) if fault is None or fault.layout is None else _wrong(own, version, fault.layout)
