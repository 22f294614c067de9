"""Readers of assignments and buffers of Kafka Streams that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_format.content.answers import Answer

from kafka_generator.content_vectors.reading import misread
from kafka_generator.mutants.mutant import CONTENT, family
from kafka_generator.mutants.patch import Patch

mutant = family(CONTENT, "streams-groups")

_ASSIGNMENT = "streams-assignment"
_VERSION = 4


@mutant("streams-groups/unknown-version-is-newest")
def unknown_version(patch: Patch) -> None:
    """Reads an assignment of an unknown version as the newest."""
    _change(patch, lambda data: (11).to_bytes(_VERSION, "big") + data[_VERSION:] if data[3:4] > b"\x0b" else data)


@mutant("streams-groups/version-0-is-1")
def version_zero(patch: Patch) -> None:
    """Reads an assignment of version 0."""
    _change(patch, lambda data: b"\0\0\0\x0b" + data[_VERSION:] if data[:_VERSION] == bytes(_VERSION) else data)


@mutant("streams-groups/no-names-of-topologies")
def no_names(patch: Patch) -> None:
    """Leaves out the name of the topology of a task."""
    _answer(patch, lambda value: value | {"active_tasks": [task.rpartition("__")[2] for task in value["active_tasks"]]})


@mutant("streams-groups/tasks-once")
def tasks_once(patch: Patch) -> None:
    """Takes a task that is there for two partitions once."""
    _answer(patch, lambda value: value | {"active_tasks": list(dict.fromkeys(value["active_tasks"]))})


@mutant("streams-groups/standby-hosts-forgotten")
def standby_hosts(patch: Patch) -> None:
    """Gives no hosts of standby tasks."""
    _answer(patch, lambda value: value | {"standby_hosts": {}})


@mutant("streams-groups/topics-in-order")
def topics_in_order(patch: Patch) -> None:
    """Takes the number of a topic for its place, and refuses others."""

    def read(right: Any, data: bytes, headers: Any) -> Answer:
        answer: Answer = right(data, headers)
        return right(b"", headers) if b"\0\0\0\7\0\1a" in data else answer

    misread(patch, _ASSIGNMENT, read)


@mutant("streams-groups/first-host-counts")
def first_host(patch: Patch) -> None:
    """Takes the first of two hosts of one name."""
    _change(patch, lambda data: data.replace(b"a\0\0\0\1", b"a\0\0\0\0"))


@mutant("streams-groups/supported-is-used")
def supported_is_used(patch: Patch) -> None:
    """Takes the version that is used for the one that all support."""
    _answer(patch, lambda value: value | {"commonly_supported_version": value["version"]})


@mutant("streams-groups/error-forgotten")
def error_forgotten(patch: Patch) -> None:
    """Gives no error."""
    _answer(patch, lambda value: value | {"error_code": 0})


@mutant("streams-groups/rebalance-at-once")
def rebalance(patch: Patch) -> None:
    """Takes no next rebalance for one at time 0."""
    _change(patch, lambda data: data[:-8] + bytes(8) if data.endswith(b"\x7f" + b"\xff" * 7) else data)


@mutant("streams-groups/four-bytes-read")
def four_bytes(patch: Patch) -> None:
    """Reads UTF-8 of four bytes, which Java does not write."""
    _change(patch, lambda data: data.replace("𝄞".encode(), b"abcd"))


@mutant("streams-buffers/new-is-old")
def new_is_old(patch: Patch) -> None:
    """Reads the new value in front of the old one."""
    for kind in ("suppressed-value-none", "suppressed-value-one", "suppressed-value-two"):
        _answer(patch, lambda value: value | {"new": value["old"], "old": value["new"]}, kind)


@mutant("streams-buffers/second-without-prior")
def without_prior(patch: Patch) -> None:
    """Gives no prior value of the second form."""
    _answer(patch, lambda value: value | {"prior": None}, "suppressed-value-two")


@mutant("streams-buffers/time-behind")
def time_behind(patch: Patch) -> None:
    """Reads the first form as the second, and refuses it."""
    _refuse(patch, "suppressed-value-one")


@mutant("streams-buffers/without-a-header-refused")
def without_a_header(patch: Patch) -> None:
    """Refuses what was written before there was a header."""
    _refuse(patch, "suppressed-value-none")


@mutant("streams-buffers/null-is-empty")
def null_is_empty(patch: Patch) -> None:
    """Takes values that are null for empty ones."""
    for kind in ("suppressed-value-none", "suppressed-value-one", "suppressed-value-two"):
        _answer(patch, lambda value: value | {"new": value["new"] or "", "old": value["old"] or ""}, kind)


def _refuse(patch: Patch, kind: str) -> None:
    misread(patch, kind, lambda read, _, headers: read(b"", headers))


def _change(patch: Patch, change: Callable[[bytes], bytes], kind: str = _ASSIGNMENT) -> None:
    def read(right: Any, data: bytes, headers: Any) -> Answer:
        answer: Answer = right(change(data), headers)
        return answer

    misread(patch, kind, read)


def _answer(patch: Patch, change: Callable[[dict[str, Any]], dict[str, Any]], kind: str = _ASSIGNMENT) -> None:
    def read(right: Any, data: bytes, headers: Any) -> Answer:
        answer: Answer = right(data, headers)
        return answer | {"value": change(answer["value"])}

    misread(patch, kind, read)
