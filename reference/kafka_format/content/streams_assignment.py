"""What the leader of a Kafka Streams group tells its members: the user data of an assignment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.content.answers import Answer, wrong
from kafka_format.content.tails import check_tail
from kafka_format.spec.layout import specification

LAYOUT: Final = "assignment_info_data"
_RULE: Final = "content.streams.assignment"
_VERSION: Final = 4
"""Bytes of the version."""

_NEVER: Final = (1 << 63) - 1
_IN_THREE_BYTES: Final = 0xFFFF
"""Above it, UTF-8 takes four bytes for a character, and Java's modified UTF-8 six."""


def version_of(data: bytes) -> int:
    """Return the version that the data tells.

    Raises:
        FormatError: there is no such version.
    """
    number = int.from_bytes(data[:_VERSION], "big", signed=True)
    if len(data) < _VERSION or number not in specification().versioned[LAYOUT].versions:
        raise wrong(f"is {number}" if len(data) >= _VERSION else "is cut off", _RULE, 0, "version")
    return number


def assignment(data: bytes, _: object, flags: frozenset[str]) -> Answer:
    """Read an assignment: tasks, and partitions by task and by host, as Kafka writes their names.

    What a version does not have is as in Kafka: -1, no hosts, error 0, and the last millisecond.
    """
    wire, end = structure(LAYOUT, version_of(data)).read(data, flags=flags)
    check_tail(data[end:], len(data), flags)
    of = wire._asdict()
    topics = {each.number: each.name for each in of.get("topics", ())}
    tasks = ((_task(each), [f"{of.topic}-{of.partition}" for of in each.partitions]) for each in wire.standby_tasks)
    return {
        "value": {
            "version": wire.version,
            "commonly_supported_version": of.get("commonly_supported_version", -1),
            "active_tasks": [_task(each) for each in wire.active_tasks],
            "standby_tasks": _sets(tasks),
            "hosts": _sets(chain(_named(of.get("named_hosts", ())), _numbered(of.get("hosts", ()), topics))),
            "standby_hosts": _sets(_numbered(of.get("standby_hosts", ()), topics)),
            "error_code": of.get("error_code", 0),
            "next_rebalance_ms": str(of.get("next_rebalance_ms", _NEVER)),
        }
    }


_Partitions = Iterable[tuple[str, list[str]]]
"""Names of partitions by host or task."""


def _sets(named: _Partitions) -> dict[str, list[str]]:
    """Return sets as sorted lists; of a name, the last counts."""
    found = {name: sorted(set(partitions)) for name, partitions in named}
    if any(ord(letter) > _IN_THREE_BYTES for letter in "".join(chain(found, *found.values()))):
        raise wrong("a name has UTF-8 of four bytes", _RULE)
    return found


def _named(hosts: Iterable[Any]) -> _Partitions:
    for each in hosts:
        yield f"{each.host}:{each.port}", [f"{of.topic}-{of.partition}" for of in each.partitions]


def _numbered(hosts: Iterable[Any], topics: Mapping[int, str]) -> _Partitions:
    for each in hosts:
        for of in each.partitions:
            if of.topic_number not in topics:
                raise wrong(f"there is no topic {of.topic_number}", _RULE)
        yield f"{each.host}:{each.port}", [f"{topics[of.topic_number]}-{of.partition}" for of in each.partitions]


def _task(task: Any) -> str:  # noqa: ANN401 - a record
    units, number = getattr(task, "named_topology", ()), f"{task.topic_group_id}_{task.partition}"
    name = b"".join(unit.to_bytes(2, "big") for unit in units).decode("utf-16-be", "replace")
    return f"{name}__{number}" if name else number
