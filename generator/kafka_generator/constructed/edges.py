"""Edges: each field that writers choose at each edge without an example from the search."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, Final

from kafka_format.codec import interpreter
from kafka_format.records import control
from kafka_format.spec import data
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import BytesAfter, Checksum, Field, Form, Rest

from kafka_generator.cells import kind_text
from kafka_generator.constructed.model import Construction
from kafka_generator.constructed.subjects import BATCH, batch
from kafka_generator.constructed.values import fill, set_at
from kafka_generator.coverage.by_field import words_of
from kafka_generator.coverage.walk import FieldPlace, all_fields
from kafka_generator.payloads import PayloadStore

_LARGE: Final = "length-of-4-bytes"
"""What is left to the recipes: content of 1 MiB."""

_MANY: Final = 300
"""Records of a batch whose count takes more than one byte."""

UNREAD: Final = "control-records-unread"
"""The flag that lets a client leave control records alone."""


def constructions(_store: PayloadStore) -> Iterator[Construction]:
    """Yield one construction an edge."""
    for place, field, _ in all_fields():
        if place.format == "framing" or isinstance(field.computed, Checksum | BytesAfter):
            continue
        for word in words_of(field, place):
            if word != _LARGE and _id(place, word, "found") not in _examples():
                yield from _edge(place, field, word)
    yield from _larger()


def _id(place: FieldPlace, word: str, family: str) -> str:
    return f"{family}/{place.format}/{place.path.replace('.', '/')}/{word}"


def _edge(place: FieldPlace, field: Field, word: str) -> Iterator[Construction]:
    identifier, title = _id(place, word, "edge"), f"{place.path} of {place.format}: {kind_text(word)}"
    rule = "length.null-is-not-empty" if isinstance(field.type, Form | Rest) else "field.integer"
    if place.format == "control":
        yield _control(identifier, title, place, word)
    elif place.format == "v2":
        yield Construction(identifier, title, _batch(place, word), [rule])
    elif place.format == "v07":
        payload = {"empty": b"", "one-byte": b"a", "long": b"a" * 64}[word]
        wire = interpreter.encode(find("v07_entry"), {"message": {"magic": 1, "payload": payload}})
        yield Construction(identifier, title, wire, ["v07.payload"], input="v07")
    else:
        yield Construction(identifier, title, _message(place, word), [rule])


def _batch(place: FieldPlace, word: str) -> bytes:
    values: dict[str, Any] = deepcopy(BATCH)
    values["records"] = values["records"][:1]
    values["base_offset"] = 1 << 40  # so that no negative delta makes a negative offset
    set_at(find("record_batch"), values, place.path.split("."), word)
    return interpreter.encode(find("record_batch"), values)


def _message(place: FieldPlace, word: str) -> bytes:
    values: dict[str, Any] = {
        "offset": 5,
        "message": {"magic": int(place.format[1:]), "key": b"key", "value": b"value"},
    }
    path = place.path.split(".")
    owner = values["message"] if len(path) > 1 else values
    set_at(find(f"message_{place.format}" if len(path) > 1 else "message_set_entry"), owner, path[-1:], word)
    return interpreter.encode(find("message_set_entry"), values)


def _control(identifier: str, title: str, place: FieldPlace, word: str) -> Construction:
    name, *path = place.path.split(".")
    layout = find(name)
    values = fill(layout)
    if name == "control_record_key":
        values = {"version": 0, "type": 0}
    set_at(layout, values, path, word)
    wire = interpreter.encode(layout, values)
    if name == "control_record_key":
        return _of_key(identifier, title, wire, negative=values["version"] < 0)
    number = next(number for number, kind in control_types().items() if control.VALUES[kind] == name)
    data_ = control_batch(number.to_bytes(4, "big"), wire)
    if name == "end_txn_marker" and values["version"] < 0:
        rules = ["control.marker.version"]
        return Construction(identifier, title, data_, rules, "lenient", UNREAD, "control/marker/commit")
    return Construction(identifier, title, data_, ["control.value.schema"])


def _of_key(identifier: str, title: str, key: bytes, *, negative: bool) -> Construction:
    marker = interpreter.encode(find("end_txn_marker"), {"coordinator_epoch": 1})
    data_ = control_batch(key, marker)
    if negative:
        return Construction(identifier, title, data_, ["control.key.version"], "invalid", twin="control/marker/commit")
    return Construction(identifier, title, data_, ["control.type.unknown"])


def control_batch(key: bytes, value: bytes) -> bytes:
    """Write a control batch of one record, of a transaction."""
    attributes = {"is_transactional": 1, "is_control": 1}
    return batch(attributes=attributes, base_sequence=-1, records=[{"key": key, "value": value, "headers": []}])


def control_types() -> dict[int, str]:
    """Return the types of control records by their number."""
    types = find("control_record_key").field("type").names
    return dict(types.values) if types else {}


def _larger() -> Iterator[Construction]:
    """Entries whose size or count takes more than one byte of its four."""
    value = b"a" * 300
    entry = {"offset": 5, "message": {"magic": 0, "value": value}}
    wire = interpreter.encode(find("message_set_entry"), entry)
    yield Construction("edge/v0/message_size/256-or-more", "message_size of v0: 256 or more", wire, ["entry.run"])
    wire = interpreter.encode(find("v07_entry"), {"message": {"magic": 1, "payload": value}})
    yield Construction("edge/v07/size/256-or-more", "size of v07: 256 or more", wire, ["v07.run"], input="v07")
    items = [{"offset_delta": place, "value": b"a", "headers": []} for place in range(_MANY)]
    wire = batch(records=items, last_offset_delta=_MANY - 1)
    yield Construction("edge/v2/record_count/256-or-more", "record_count of v2: 256 or more", wire, ["v2.offset"])


@cache
def _examples() -> frozenset[str]:
    """Return the ids of the examples that the search has found."""
    file = Path(data.path("vectors")) / "found.jsonl"
    return frozenset(json.loads(line)["id"] for line in file.read_text(encoding="utf-8").splitlines())
