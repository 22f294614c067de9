"""Which rules a reduced finding is about, as a proposal to whoever reviews it.

Of bytes that must be refused the reference names the rule that they break, so that one is sure. Of valid bytes no
decoder can tell which rule the target did not keep. Proposed are then the rule that the fault names; or those of the
parts without which the target is right; or that of the field that it has wrong; or, in the end, that of any run.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from kafka_format import sampler

from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.reduction.asking import vector_of
from kafka_conformance.scale.reduction.reduced import Reduced
from kafka_conformance.scale.reduction.telling import fields
from kafka_conformance.vectors.golden import Vector

Rules = Mapping[str, str]

_V2_PARTS: Final = {
    "entries": "entry.run",
    "base_offset": "v2.offset",
    "partition_leader_epoch": "v2.leader-epoch.outside-crc",
    "attributes.codec": "v2.codec.known",
    "attributes.timestamp_type": "v2.timestamp.append",
    "attributes.is_transactional": "v2.transactional",
    "attributes.is_control": "v2.control",
    "attributes.has_delete_horizon": "v2.delete-horizon",
    "attributes.bit_N": "v2.attributes.unused-ignored",
    "last_offset_delta": "v2.last-offset-delta.kept",
    "base_timestamp": "v2.timestamp.create",
    "max_timestamp": "v2.timestamp.append",
    "producer_id": "v2.producer",
    "producer_epoch": "v2.producer",
    "base_sequence": "v2.sequence",
    "records.attributes.bit_N": "v2.record.attributes.ignored",
    "records.timestamp_delta": "v2.timestamp.create",
    "records.offset_delta": "v2.offset",
    "records.key": "v2.key.nullable",
    "records.value": "v2.value.nullable",
    "records.header_count": "v2.header.order",
    "records.headers.key": "v2.header.key.utf8",
    "records.headers.value": "v2.header.value.nullable",
}
_V2_WRONG: Final = {
    "offset": "v2.offset",
    "timestamp": "v2.timestamp.create",
    "timestamp_type": "v2.timestamp.append",
    "key": "v2.key.nullable",
    "value": "v2.value.nullable",
    "headers": "v2.header.order",
    "producer_id": "v2.producer",
    "producer_epoch": "v2.producer",
    "sequence": "v2.sequence",
    "transactional": "v2.transactional",
    "control": "v2.control",
}
_MESSAGE_PARTS: Final = {
    "entries": "entry.run",
    "offset": "entry.run",
    "message.attributes.codec": "legacy.codec.known",
    "message.attributes.timestamp_type": "v1.timestamp-type",
    "message.attributes.bit_N": "legacy.attributes.unused-ignored",
    "message.timestamp": "v1.timestamp",
    "message.key": "legacy.key.nullable",
    "message.value": "legacy.value.nullable",
}
_WRAPPER_PARTS: Final = {
    **{f"message.value.{part}": rule for part, rule in _MESSAGE_PARTS.items()},
    **_MESSAGE_PARTS,
    "message.value.messages": "legacy.wrapper",
    "message.key": "legacy.wrapper.key.ignored",
}
_V1_WRAPPER_PARTS: Final = {
    **_WRAPPER_PARTS,
    "offset": "v1.wrapper.offsets.relative",
    "message.attributes.timestamp_type": "v1.wrapper.timestamp-type",
    "message.timestamp": "v1.wrapper.timestamp.append",
    "message.value.offset": "v1.wrapper.offsets.relative",
    "message.value.message.attributes.timestamp_type": "v1.wrapper.timestamp-type",
    "message.value.message.timestamp": "v1.wrapper.timestamp.inner",
}
_V0_WRAPPER_PARTS: Final = {
    **_WRAPPER_PARTS,
    "offset": "v0.wrapper.offsets.absolute",
    "message.value.offset": "v0.wrapper.offsets.absolute",
}
_OLD_PARTS: Final = {
    "entries": "v07.offset.next",
    "message.attributes.codec": "v07.codec.known",
    "message.attributes.bit_N": "v07.attributes.unused-ignored",
    "message.payload": "v07.payload",
    "message.payload.messages": "v07.wrapper.offset",
    "message.payload.message.attributes.codec": "v07.wrapper.nested",
    "message.payload.message.attributes.bit_N": "v07.attributes.unused-ignored",
    "message.payload.message.payload": "v07.payload",
}
_MESSAGE_WRONG: Final = {"offset": "entry.run", "key": "legacy.key.nullable", "value": "legacy.value.nullable"}
_V0_WRONG: Final = {**_MESSAGE_WRONG, "timestamp": "v0.timestamp.none", "timestamp_type": "v0.timestamp.none"}
_V1_WRONG: Final = {**_MESSAGE_WRONG, "timestamp": "v1.timestamp", "timestamp_type": "v1.timestamp-type"}
_V1_WRAPPER_WRONG: Final = {
    **_MESSAGE_WRONG,
    "offset": "v1.wrapper.offsets.relative",
    "timestamp": "v1.wrapper.timestamp.inner",
    "timestamp_type": "v1.wrapper.timestamp-type",
}


class Table(NamedTuple):
    """What rules are about, in one format: parts of the bytes (`bit_N` is any bit), and fields that come out wrong."""

    parts: Rules
    wrong: Rules


TABLES: Final[Mapping[tuple[str, bool], Table]] = {
    ("v2", False): Table(_V2_PARTS, _V2_WRONG),
    ("v2", True): Table(_V2_PARTS, _V2_WRONG),
    ("v1", False): Table(_MESSAGE_PARTS, _V1_WRONG),
    ("v1", True): Table(_V1_WRAPPER_PARTS, _V1_WRAPPER_WRONG),
    ("v0", False): Table(_MESSAGE_PARTS, _V0_WRONG),
    ("v0", True): Table(_V0_WRAPPER_PARTS, {**_V0_WRONG, "offset": "v0.wrapper.offsets.absolute"}),
    ("v07", False): Table(_OLD_PARTS, {"offset": "v07.offset.next", "value": "v07.payload"}),
    ("v07", True): Table(_OLD_PARTS, {"offset": "v07.wrapper.offset", "value": "v07.payload"}),
}
"""By format, and whether something in the bytes is compressed."""

NULL_IS_EMPTY: Final = "length.null-is-not-empty"
_RUN: Final = {"v07": "v07.run"}
_WRAPPERS: Final = {"legacy.codec.known": "legacy.wrapper", "v07.codec.known": "v07.wrapper"}
"""A wrapper whose codec is known, and whose messages are read wrong."""

_BIT: Final = re.compile(r"bit_\d+$")
_FIELD: Final = re.compile(r"records\[\d+\]\.(\w+)")
_FAULTS: Final = {fault.name: fault for fault in sampler.FAULTS}


def judged(one: Reduced) -> Vector:
    """Return the reduced bytes with what the reference says of them; of lenient ones the flag is that of the fault."""
    flag = _FAULTS[one.fault].flag if one.fault else ""
    return vector_of(one.data, one.format, tuple(one.codec.split()), flag)


def proposed(one: Reduced) -> list[str]:
    """Return the ids of the rules, the most telling first; there is always one."""
    fault = judged(one).fault
    if fault is not None:
        return [fault.rule]
    return list(dict.fromkeys(_found(one))) or [plain_rule(one)]


def plain_rule(one: Reduced) -> str:
    """Return the rule that any bytes of its format and codec are about."""
    if one.codec in ("", "none"):
        return _RUN.get(one.format, "entry.run")
    return {"v2": "v2.codec.known", "v07": "v07.wrapper"}.get(one.format, "legacy.wrapper")


def _found(one: Reduced) -> Iterator[str]:
    table = TABLES[one.format, one.codec not in ("", "none")]
    if one.fault:
        yield _FAULTS[one.fault].rule
        return
    if {one.expected, one.got} == {"null", "empty"}:
        yield NULL_IS_EMPTY
    rules = [table.parts.get(_BIT.sub("bit_N", part)) for part in fields(one.cause)]
    for rule in filter(None, rules):
        yield _WRAPPERS.get(rule, rule) if one.outcome == Outcome.WRONG_ANSWER else rule
    wrong = _FIELD.match(one.path)
    if wrong and not any(rules) and wrong[1] in table.wrong:
        yield table.wrong[wrong[1]]
