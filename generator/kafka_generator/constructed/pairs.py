"""Pairs: vectors in which each pair of features occurs, by the rows of `factors`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from kafka_format.codec import interpreter
from kafka_format.spec import data
from kafka_format.spec.layout import find

from kafka_generator.constructed import factors
from kafka_generator.constructed.factors import Row
from kafka_generator.constructed.model import Construction
from kafka_generator.constructed.subjects import batch, batch_of, message, wrapper
from kafka_generator.payloads import PayloadStore

_CONTENT: Final[dict[str, bytes | None]] = {"bytes": b"some", "null": None, "empty": b""}
_HEADERS: Final[dict[str, list[dict[str, bytes | None]]]] = {
    "none": [],
    "some": [{"key": b"a", "value": b"1"}, {"key": b"a", "value": b""}],
    "null-value": [{"key": b"n", "value": None}],
}
_DELTAS: Final = {"consecutive": (0, 1, 1), "gap-inside": (0, 4, 4), "first-gone": (2, 3, 3), "last-gone": (0, 1, 5)}
"""Offset deltas of the two records, and the last offset delta of their batch."""

_KINDS: Final[dict[str, dict[str, int]]] = {
    "plain": {},
    "idempotent": {"producer_id": 7, "producer_epoch": 1, "base_sequence": 4},
    "transactional": {"producer_id": 7, "producer_epoch": 1, "base_sequence": 4, "is_transactional": 1},
    "control": {"producer_id": 7, "producer_epoch": 1, "is_transactional": 1, "is_control": 1},
}
_CUT: Final = 19


def file() -> Path:
    """Return the file of the stored rows."""
    return Path(data.path("vectors")) / "cases" / "pairs.jsonl"


def extend() -> None:
    """Add the rows that new features need; those that are there stay as they are."""
    file().write_text(factors.text(factors.extend(factors.load(file()))), encoding="utf-8")


def constructions(store: PayloadStore) -> Iterator[Construction]:
    """Yield a construction for each stored row."""
    for row in factors.load(file()):
        version, codec = row["stream"].split("/")
        title = f"{version} with codec {codec}: {', '.join(_words(row))}"
        rule = {"v2": "v2.offset", "v07": "v07.wrapper" if codec != "none" else "v07.payload"}.get(version, "entry.run")
        kind = "v07" if version == "v07" else "run"
        yield Construction(name_of(row), title, _run(row, version, codec, store), [rule], input=kind)


def name_of(row: Row) -> str:
    """Return the id of the vector of a row."""
    return f"pair/{row['stream']}/{'_'.join(word.replace(' ', '-') for word in _words(row))}"


def _words(row: Row) -> list[str]:
    return [f"{name} {value}" for name, value in row.items() if name != "stream"]


def _run(row: Row, version: str, codec: str, store: PayloadStore) -> bytes:
    entry = {"v2": _batch, "v07": _set_07}.get(version, _messages)
    run = entry(row, version, codec, 10, store)
    if row["entries"] == "two":
        run += entry(row, version, codec, 30, store)
    elif row["entries"] == "after-plain":
        run = entry(row, version, "none", 1, store) + run
    return run + run[:_CUT] if row["end"] == "cut" else run


def _batch(row: Row, _: str, codec: str, offset: int, store: PayloadStore) -> bytes:
    first, second, last = _DELTAS[row["offsets"]]
    kind = dict(_KINDS[row["kind"]])
    attributes: dict[str, int] = {name: kind.pop(name) for name in ("is_transactional", "is_control") if name in kind}
    if row["time"] == "append":
        attributes["timestamp_type"] = 1
    times = {"base_timestamp": -1, "max_timestamp": -1} if row["time"] == "none" else {}
    is_control = row["kind"] == "control"
    key, value = (b"\0\0\0\1", b"\0\0\0\0\0\3") if is_control else (_CONTENT[row["key"]], _CONTENT[row["value"]])
    record = {"key": key, "value": value, "headers": _HEADERS[row["headers"]]}
    delta = 0 if row["time"] == "none" else 3
    changes: dict[str, Any] = {
        "producer_id": -1,
        "producer_epoch": -1,
        "base_sequence": -1,
        **kind,
        **times,
        "base_offset": offset,
        "attributes": attributes,
        "last_offset_delta": last,
        "records": [{**record, "offset_delta": first}, {**record, "offset_delta": second, "timestamp_delta": delta}],
    }
    return batch(**changes) if codec == "none" else batch_of(codec, store, **changes)


def _messages(row: Row, version: str, codec: str, offset: int, store: PayloadStore) -> bytes:
    """Two messages, or a wrapper of them; offsets inside a wrapper of v1 are relative."""
    magic = int(version[1:])
    first, second, _ = _DELTAS[row["offsets"]]
    content = {"key": _CONTENT[row["key"]], "value": _CONTENT[row["value"]]}
    own: dict[str, Any] = {}
    if magic:
        own["timestamp"] = -1 if row["time"] == "none" else 1000
    mark = {"timestamp_type": 1} if row["time"] == "append" else {}
    if codec == "none":
        return b"".join(message(magic, offset + delta, attributes=mark, **content, **own) for delta in (first, second))
    base = 0 if magic else offset
    inner = b"".join(message(magic, base + delta, **content, **own) for delta in (first, second))
    return wrapper(magic, store, codec, inner, offset=offset + second, attributes=mark, **own)


def _set_07(row: Row, _: str, codec: str, __: int, store: PayloadStore) -> bytes:
    payload = _CONTENT[row["value"]] or b""
    entry = interpreter.encode(find("v07_entry"), {"message": {"magic": 1, "payload": payload}})
    if codec == "none":
        return entry * 2
    packed = {"magic": 1, "attributes": {"codec": codec}, "payload": store.get(codec, "plain", entry * 2)}
    return interpreter.encode(find("v07_entry"), {"message": packed})
