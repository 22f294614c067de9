"""Readers of what Kafka's serializers write that are wrong."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID

from kafka_generator.content_vectors.reading import misread
from kafka_generator.mutants.mutant import CONTENT, family
from kafka_generator.mutants.patch import Patch

mutant = family(CONTENT, "serializers")

_LONG, _UUID = 8, 16


@mutant("serializers/number-turned")
def number_turned(patch: Patch) -> None:
    """Reads numbers with the lowest byte first."""
    for kind in ("short", "int", "long", "float", "double"):
        _of_kind(patch, kind, lambda data: data[::-1])


@mutant("serializers/number-padded")
def number_padded(patch: Patch) -> None:
    """Takes zeros for what is missing in front of a number."""
    _of_kind(patch, "long", lambda data: data.rjust(_LONG, b"\0"))


@mutant("serializers/number-cut")
def number_cut(patch: Patch) -> None:
    """Does not look what follows a number."""
    _of_kind(patch, "long", lambda data: data[:_LONG])


@mutant("serializers/any-boolean")
def any_boolean(patch: Patch) -> None:
    """Takes any byte but 0 for true."""
    _of_kind(patch, "boolean", lambda data: b"\1" if len(data) == 1 and data != b"\0" else data)


@mutant("serializers/empty-is-null")
def empty_is_null(patch: Patch) -> None:
    """Takes an empty value for null."""
    for kind in ("void", "long", "string"):
        misread(patch, kind, lambda read, data, headers: read(data, headers) if data else {"value": None})


@mutant("serializers/uuid-of-16-bytes")
def uuid_of_bytes(patch: Patch) -> None:
    """Reads a UUID of 16 bytes, too."""
    _of_kind(patch, "uuid", lambda data: str(UUID(bytes=data)).encode() if len(data) == _UUID else data)


@mutant("serializers/uuid-without-dashes")
def uuid_without_dashes(patch: Patch) -> None:
    """Reads a UUID without dashes, too."""
    _of_kind(patch, "uuid", lambda data: re.sub(rb"^(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$", rb"\1-\2-\3-\4-\5", data))


@mutant("serializers/nulls-forgotten")
def nulls_forgotten(patch: Patch) -> None:
    """Leaves the nulls out of a list."""

    def without(answer: dict[str, Any]) -> dict[str, Any]:
        return {"value": [item for item in answer["value"] if item is not None]}

    misread(patch, "list-*", lambda read, data, headers: without(read(data, headers)))


@mutant("serializers/list-padded")
def list_padded(patch: Patch) -> None:
    """Takes zeros for what is missing of the last value of a list, as Kafka 3.9 does."""
    misread(patch, "list-*", _first_that_is_read)


def _first_that_is_read(read: Any, data: bytes, headers: Any) -> dict[str, Any]:
    for zeros in range(_LONG):
        try:
            answer: dict[str, Any] = read(data + bytes(zeros), headers)
        except ValueError:
            if zeros == _LONG - 1:
                raise
        else:
            return answer
    raise AssertionError


@mutant("serializers/last-empty-item-refused")
def last_empty_item_refused(patch: Patch) -> None:
    """Refuses an empty value at the end of a list, as Kafka 3.9 does."""
    _of_kind(patch, "list-string", lambda data: re.sub(rb"^(?s:.{6,})\0{4}$", b"", data))


@mutant("serializers/window-with-number")
def window_with_number(patch: Patch) -> None:
    """Reads the key of a window as that of a store, which has a sequence number behind the time."""
    _of_kind(patch, "window", lambda data: data[:-4])


@mutant("serializers/session-turned")
def session_turned(patch: Patch) -> None:
    """Reads the start of a session in front of its end."""
    misread(patch, "session", lambda read, data, headers: read(data[:-16] + data[-8:] + data[-16:-8], headers))


@mutant("serializers/no-negative-times")
def any_times(patch: Patch) -> None:
    """Takes the time of a window for a number without a sign."""
    _of_kind(patch, "window", lambda data: data[:-_LONG] + re.sub(rb"^\xff", b"\x7f", data[-_LONG:]))


def _of_kind(patch: Patch, kind: str, change: Any) -> None:
    misread(patch, kind, lambda read, data, headers: read(change(data), headers))
