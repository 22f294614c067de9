"""From a case to its bytes.

Everything is written by the interpreter's writer, which writes what it is given, right or wrong,
and fills what is left out. What the table leaves to the semantics of a format (the offset of a
wrapper, say) it must state itself: no decoder has a say in what the bytes are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_format import compression
from kafka_format.codec import edits, interpreter
from kafka_format.errors import EncodeError
from kafka_format.records import control
from kafka_format.records.model import CODEC_MASK
from kafka_format.spec.layout import Layout, find
from kafka_format.spec.layout.yamlfile import Section, suggest

from kafka_generator.cases import Case
from kafka_generator.inputs import INPUTS
from kafka_generator.payloads import PayloadStore


class Builder:
    """Builds cases; knows the bytes of earlier ones, which mutations start from."""

    def __init__(self, store: PayloadStore) -> None:
        """Take the store of compressed payloads."""
        self._store = store
        self._built: dict[str, bytes] = {}
        self._plains: dict[bytes, tuple[str, bytes]] = {}
        self._makers: dict[str, Callable[[Section], bytes]] = {
            "batch": self._batch,
            "message": self._message,
            "wrapper": self._wrapper,
            "bytes": _raw,
        }
        self._makers_v07: dict[str, Callable[[Section], bytes]] = {
            "message": self._message_v07,
            "wrapper": self._wrapper_v07,
            "bytes": _raw,
        }

    def build(self, case: Case) -> bytes:
        """Return the bytes of a case.

        Raises:
            LayoutError: the table asks for what cannot be made; the message has file and line.
        """
        try:
            data = self._mutate(case) if case.mutate is not None else self._run(case)
        except EncodeError as error:
            raise case.section.error(str(error)) from None
        except (KeyError, OverflowError, TypeError) as error:
            raise case.section.error(f"cannot be built: {error}") from None
        keep = case.section.number("keep")
        data = data if keep is None else data[:keep]
        self._built[case.id] = data
        return data

    def _compress(self, codec: str, section: Section, plain: bytes) -> bytes:
        """Return a stored payload, and remember what it was made from."""
        payload = self._store.get(codec, section.text("stream") or "plain", plain)
        self._plains[payload] = codec, plain
        return payload

    def _run(self, case: Case) -> bytes:
        makers = self._makers_v07 if case.input is INPUTS["v07"] else self._makers
        return b"".join(self._entry(part, makers) for part in case.run)

    def _entry(self, section: Section, makers: dict[str, Callable[[Section], bytes]]) -> bytes:
        section.only(*makers)
        if len(section.values) != 1:
            raise section.error("an entry has one key", advice=f"one of {', '.join(self._makers)}")
        ((kind, body),) = section.values.items()
        if not isinstance(body, Section):
            body = Section(section.file, section.line, {"hex": body}, {})
        return makers[kind](body)

    def _batch(self, section: Section) -> bytes:
        values = {
            name: _plain(value, section)
            for name, value in section.values.items()
            if name not in ("stream", "records", "payload")
        }
        listed = section.values.get("records", [])
        attributes = values.get("attributes", {})
        codec = (
            attributes.get("codec", "none")
            if isinstance(attributes, dict)
            else compression.NAMES[attributes & CODEC_MASK]
        )
        records = (
            [_record(listed_record) for listed_record in listed]
            if isinstance(listed, list)
            else content(listed, section)
        )
        if "payload" in section.values:
            records = self._compress(codec, section, content(section.text("payload"), section) or b"")
        elif codec != "none" and isinstance(records, list):
            plain = b"".join(interpreter.encode(find("record"), record) for record in records)
            values.setdefault("record_count", len(records))
            values.setdefault("last_offset_delta", records[-1].get("offset_delta", 0) if records else 0)
            records = self._compress(codec, section, plain)
        return interpreter.encode(find("record_batch"), {**values, "records": records})

    def _message(self, section: Section) -> bytes:
        values = {name: _plain(value, section) for name, value in section.values.items()}
        entry = {name: values.pop(name) for name in ("offset", "message_size") if name in values}
        return interpreter.encode(find("message_set_entry"), {**entry, "message": values})

    def _wrapper(self, section: Section) -> bytes:
        """Build a wrapper from a message's keys, `inner` messages, `stream` and `inner_keep`."""
        magic = section.number("magic")
        inner = b"".join(self._message(self._inner(inner, magic)) for inner in section.sections("inner"))
        keep = section.number("inner_keep")
        body = {name: value for name, value in section.values.items() if name not in ("inner", "inner_keep", "stream")}
        values = {name: _plain(value, section) for name, value in body.items()}
        codec = values["attributes"]["codec"]
        values["value"] = self._compress(codec, section, inner[:keep])
        offset = values.pop("offset", 0)
        return interpreter.encode(find("message_set_entry"), {"offset": offset, "message": values})

    def _inner(self, section: Section, magic: int | None) -> Section:
        return Section(section.file, section.line, {"magic": magic, **section.values}, section.lines)

    def _message_v07(self, section: Section) -> bytes:
        """Build a message of 0.7 from `size` and a message's keys; its magic is 1 unless given."""
        values = {name: _plain(value, section) for name, value in section.values.items()}
        entry = {"size": values.pop("size")} if "size" in values else {}
        return interpreter.encode(find("v07_entry"), {**entry, "message": {"magic": 1, "payload": b"", **values}})

    def _wrapper_v07(self, section: Section) -> bytes:
        """Build a wrapper of 0.7 from `codec`, `inner`, `inner_keep`, `stream`, `attributes`."""
        section.only("codec", "inner", "inner_keep", "stream", "attributes")
        inner = b"".join(self._entry(inner, self._makers_v07) for inner in section.sections("inner"))
        codec = section.text("codec", required=True)
        plain = inner[: section.number("inner_keep")]
        payload = self._compress(codec, section, plain)
        attributes = section.number("attributes")
        message = {"magic": 1, "attributes": {"codec": codec} if attributes is None else attributes, "payload": payload}
        return interpreter.encode(find("v07_entry"), {"message": message})

    def _mutate(self, case: Case) -> bytes:
        section = case.mutate
        if section is None or case.twin not in self._built:
            raise case.section.error(
                f"the twin `{case.twin}` is not built before this case",
                key="twin",
                advice=suggest(case.twin, self._built),
            )
        section.only("at", "number", "hex", "after", "flip", "cut", "entry", "repair", "stream")
        data = self._built[case.twin]
        if "cut" in section.values:
            return data[: section.number("cut")]
        runs = list(case.input.split(data))
        entry = runs[section.number("entry") or 0]
        layout = find(case.input.layout(entry))
        twin = data[entry.start : entry.end]
        changed = edits.apply(layout, twin, self._mutation(section, layout, twin))
        return data[: entry.start] + changed + data[entry.end :]

    def _origin(self, payload: bytes, section: Section) -> tuple[str, Section, bytes]:
        codec, plain = self._plains[payload]
        return codec, section, plain

    def _mutation(self, section: Section, layout: Layout, data: bytes) -> edits.Edit:
        if "stream" in section.values:
            span = edits.find_span(layout, data, "records")
            return edits.Edit("records", self._compress(*self._origin(span.raw, section)))
        repair = section.values.get("repair", True) is True
        insert = "after" in section.values
        path = section.text("after") or section.text("flip") or section.text("at", required=True)
        span = edits.find_span(layout, data, path)
        if "flip" in section.values:
            return edits.Edit(path, bytes([span.raw[0] ^ 1]) + span.raw[1:], repair=False)
        if "number" in section.values:
            return edits.Edit(path, edits.number_bytes(span, section.values["number"]), repair=repair)
        return edits.Edit(path, content(section.text("hex"), section) or b"", insert, repair)


def _raw(section: Section) -> bytes:
    return content(section.values["hex"], section) or b""


def content(value: Any, section: Section) -> bytes | None:
    """Return a table's bytes: text as UTF-8, `hex:00ff`, `{repeat: x, times: 300}`, or null."""
    if value is None:
        return None
    if isinstance(value, Section):
        value.only("repeat", "times")
        return value.text("repeat", required=True).encode() * (value.number("times") or 0)
    if not isinstance(value, str):
        raise section.error(f"bytes are written as text or hex:..., not as {value!r}")
    if not value.startswith("hex:"):
        return value.encode()
    try:
        return bytes.fromhex(value[4:])
    except ValueError:
        raise section.error(f"`{value}` is not hex") from None


def _plain(value: Any, section: Section) -> Any:
    """Return numbers and bits as they are, and texts as bytes."""
    if isinstance(value, Section) and "repeat" not in value.values:
        return dict(value.values)
    if isinstance(value, int):
        return value
    return content(value, section)


def _fields(value: Any, section: Section) -> Any:
    """Return what a table says of the fields of a structure, all the way down."""
    if isinstance(value, Section) and "repeat" not in value.values:
        return {name: _fields(member, section) for name, member in value.values.items()}
    if isinstance(value, list):
        return [_fields(item, section) for item in value]
    return value if isinstance(value, int) else content(value, section)


def _record(section: Section) -> dict[str, Any]:
    """Build a record; its headers are pairs in the table: `headers: [[key, value]]`.

    `control: {commit: {coordinator_epoch: 3}}` gives it the key and the value of a control record.
    """
    own = {name: value for name, value in section.values.items() if name not in ("headers", "control")}
    values = {name: _plain(value, section) for name, value in own.items()}
    for name, fields in section.section("control").values.items():
        key, value = control.write(name, _fields(fields, section))
        values = {"key": key, "value": value, **values}
    pairs = section.values.get("headers", [])
    values["headers"] = [{"key": content(key, section), "value": content(value, section)} for key, value in pairs]
    return values
