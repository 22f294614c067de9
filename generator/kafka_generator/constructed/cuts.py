"""Cuts: every entry at every byte: alone, after a whole one, and inside with lengths put right.

An entry that is cut at the end is no error: the broker cuts where the fetch size ends. What ends
too early within its own length is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kafka_format.codec import interpreter
from kafka_format.codec.prefix import prefix
from kafka_format.primitives.varints import write_varint
from kafka_format.records import v07
from kafka_format.records.entries import OVERHEAD, SMALLEST_SIZE
from kafka_format.spec.layout import find

from kafka_generator.constructed.model import Construction
from kafka_generator.constructed.subjects import RECORDS, Subject, batch, message, seal, subjects
from kafka_generator.payloads import PayloadStore

_INSIDE: Final = (
    "field.truncated", "length.within", "v2.header.count.within", "v2.record.length.within", "v2.record-count.within",
)  # fmt: skip
_SIZE_OF_07: Final = v07.OVERHEAD
HEADER: Final = prefix("record_batch").size
"""Bytes of a batch before its records."""


def constructions(store: PayloadStore) -> Iterator[Construction]:
    """Yield the cuts of every subject."""
    for subject in cut(store):
        for kept in range(1, len(subject.data)):
            yield _alone(subject, kept)
            yield _behind(subject, kept)
    yield from _inside()


def cut(store: PayloadStore) -> Iterator[Subject]:
    """Yield the subjects that are cut: one of each shape."""
    yield from (subject for subject in subjects(store) if not subject.name.endswith(("-null", "-one")))


def _alone(subject: Subject, kept: int) -> Construction:
    title = f"{subject.title}, alone and cut after {kept} of {len(subject.data)} bytes".capitalize()
    identifier, data = f"cut/{subject.name}/alone-{kept}", subject.data[:kept]
    if subject.input == "run":
        return Construction(identifier, title, data, ["entry.cut"])
    if kept < _SIZE_OF_07:
        return Construction(identifier, title, data, ["v07.entry.cut"], input="v07")
    rules, twin = ["v07.first-entry.whole"], f"check/{subject.name}/twin"
    return Construction(identifier, title, data, rules, "invalid", twin=twin, input="v07")


def _behind(subject: Subject, kept: int) -> Construction:
    title = f"{subject.title}, after a whole one and cut after {kept} of {len(subject.data)} bytes".capitalize()
    rule = "entry.cut" if subject.input == "run" else "v07.entry.cut"
    data = subject.data + subject.data[:kept]
    return Construction(f"cut/{subject.name}/behind-{kept}", title, data, [rule], input=subject.input)


def _inside() -> Iterator[Construction]:
    """Cut what the length of an entry or of a record says that it has, and say so in the length."""
    least_message = OVERHEAD + SMALLEST_SIZE
    for name, whole, least in (
        ("v2", batch(), HEADER),
        ("v0", message(0), least_message),
        ("v1", message(1), least_message),
    ):
        for kept in range(least, len(whole)):
            title = f"The entry has {kept} of {len(whole)} bytes, and its length and checksum are right"
            data = seal(whole[:kept])
            yield Construction(f"cut/{name}/inside-{kept}", title, data, _INSIDE, "invalid", twin=f"check/{name}/twin")
    first, second = (interpreter.encode(find("record"), record) for record in RECORDS)
    record = first[1:]
    for kept in range(len(record)):
        title = f"The first record has {kept} of {len(record)} bytes, and all lengths around are right"
        data = seal(batch()[:HEADER] + write_varint(kept) + record[:kept] + second)
        yield Construction(f"cut/v2-record/inside-{kept}", title, data, _INSIDE, "invalid", twin="check/v2/twin")
