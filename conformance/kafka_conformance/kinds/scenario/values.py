"""Placeholders of a scenario: `$name` in requests, and again in answers where its value stands.

`${name}` stands for a name within a text; in answers at its beginning alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from kafka_format import records
from kafka_format.records import Record
from kafka_format.records.model import NO_PRODUCER

BATCH: Final = "batch"
"""The key of an object that stands for records."""

REPEAT: Final = "repeat"
"""The key of an object that stands for a text so many times, `after` another one."""

_PLACEHOLDER: Final = re.compile(r"\$([a-z]+(?:\.id)?)(?:\+([0-9]+))?")
_INSIDE: Final = re.compile(r"\$\{([a-z]+)\}")
_NOBODY: Final = (NO_PRODUCER, -1, -1)
_NO_ID: Final = "00" * 16

_UNMISTAKABLE: Final = 16
"""Characters of a kept text that means the same wherever it stands: the leader is a member."""

_NODES: Final = frozenset({"nodeId", "leaderId", "replicaNodes", "isrNodes", "brokerId", "controllerId"})
"""Fields that hold the id of a broker."""


class _Kept(NamedTuple):
    """A value of an answer: the field that had it, and the value."""

    field: str
    value: Any


class Values:
    """What stands for the placeholders of a scenario, with one broker."""

    def __init__(self) -> None:
        """Begin with none."""
        self._named: dict[str, str] = {}
        self._kept: dict[str, _Kept] = {}

    def name(self, placeholder: str, value: str) -> None:
        """Let a placeholder stand for a text that nothing else has: a name, or an id."""
        self._named[placeholder] = value

    def keep(self, placeholder: str, path: str, answer: Mapping[str, Any]) -> None:
        """Let a placeholder stand for a value of an answer, under a path: `members.0.memberId`.

        What is not there is null.
        """
        self._kept[placeholder] = _Kept(path.rpartition(".")[2], at(path, answer))

    def fill(self, value: Any) -> Any:
        """Return a part of a body with values in place of placeholders.

        Raises:
            KeyError: a placeholder stands for nothing.
        """
        if isinstance(value, dict):
            if BATCH in value:
                return _written(self.fill(value[BATCH])).hex()
            if REPEAT in value:
                text, times = value[REPEAT]
                return self.fill(value.get("after", "")) + str(text) * int(times)
            return {key: self.fill(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if not isinstance(value, str):
            return value
        found = _PLACEHOLDER.fullmatch(value)
        return self._value(*found.groups()) if found else _INSIDE.sub(lambda inside: self._named[inside[1]], value)

    def put_back(self, value: Any, field: str = "") -> Any:
        """Return a part of an answer with placeholders in place of values."""
        if isinstance(value, dict):
            return {key: self.put_back(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self.put_back(item, field) for item in value]
        for name, known in self._named.items():
            if value == known and value != _NO_ID:
                return f"${name}"
            if isinstance(value, str) and value.startswith(known) and known != _NO_ID:
                return f"${{{name}}}{value.removeprefix(known)}"
        for name, kept in self._kept.items():
            if value == kept.value and value not in (None, "") and _is_of(field, kept):
                return f"${name}"
        return value

    def _value(self, name: str, more: str | None) -> Any:
        value = self._named[name] if name in self._named else self._kept[name].value
        return value if more is None or value is None else int(value) + int(more)


def _is_of(field: str, kept: _Kept) -> bool:
    """Tell whether a value that is equal to a kept one stands for it in a field."""
    if field == kept.field or {field, kept.field} <= _NODES:
        return True
    return isinstance(kept.value, str) and len(kept.value) >= _UNMISTAKABLE


def at(path: str, value: Any) -> Any:
    """Return what is under a path such as `members.0.memberId`; null if nothing is there."""
    for part in path.split("."):
        if isinstance(value, list):
            value = value[int(part)] if int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def _written(batch: Mapping[str, Any]) -> bytes:
    """Return records as a producer writes them, all in one batch.

    `values` are their texts, `timestamps` their times, one after another if nothing is said;
    `producer` is the producer's id, epoch and the first sequence.
    """
    identity, epoch, sequence = map(int, batch.get("producer", _NOBODY))
    times = batch.get("timestamps", range(len(batch["values"])))
    sent = [
        Record(
            offset=index,
            timestamp=time,
            key=None,
            value=value.encode(),
            producer_id=identity,
            producer_epoch=epoch,
            sequence=-1 if identity == NO_PRODUCER else sequence + index,
            transactional="transactional" in batch,
        )
        for index, (value, time) in enumerate(zip(batch["values"], times, strict=True))
    ]
    return records.encode(sent, magic=2)
