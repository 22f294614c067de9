"""What comes of messages that a codec with a fresh fault reads, and writes again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Literal

from kafka_conformance.child.session import Reaction
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.vectors import MessageVector
from kafka_conformance.kinds.message.wrong_answers import Probe, leave_out_unknown
from kafka_conformance.protocol.messages import MessageInput, MessageKind, Reply, Status
from kafka_format import protocol
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
    kind: Literal["request", "response"] = "request" if put.message_kind == MessageKind.REQUEST else "response"
    name, data = f"{protocol.api_name(put.api).replace('_', '-')} {kind}", put.message
    is_here = not fault.message or fault.message in {name, kind}
    codec = own_codec(fault.methods if is_here else {}, fault.field)
    layout = _layout(name, put.version, fault if is_here and fault.layout else None)
    body = _header_size(kind, put.api, put.version, data)
    body = fault.header(data, body) if fault.header and is_here else body
    values, end = codec.structure(layout, data, body)
    if end != len(data):
        raise BrokenError
    if fault.form == "bytes":
        return data[:body] + codec.write(layout, values)
    shown: Any = json.loads(json.dumps(EXACT.write(layout, values)), object_hook=leave_out_unknown)
    return json.dumps({"header": {}, "body": shown}).encode()


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
    return find(own, version) if fault is None else _wrong(own, version, fault.layout)
