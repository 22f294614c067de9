"""What brokers are made to write or change: topics with settings, and what is sent to them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from kafka_generator.recordings.wild.orders import FEW, HEADERS, NULLS, TIME, Sent

_COMPACTED: Final = {
    "cleanup.policy": "compact",
    "segment.bytes": "400",
    "min.cleanable.dirty.ratio": "0.01",
    "delete.retention.ms": "86400000",
}
"""The first batches are one segment, and the last another, which is not compacted yet."""


@dataclass(frozen=True)
class SceneBatch:
    """One batch to send, with settings of the topic that are changed before."""

    records: tuple[Sent, ...]
    codec: str = "none"
    idempotent: bool = False
    transactional: bool = False
    aborts: bool = False
    alters: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """One topic.

    Attributes:
        name: the last part of the vector's id.
        title: what the broker made of it.
        rules: those that its bytes are about.
        settings: of the topic.
        batches: what is sent.
        fetches: versions of the fetch request that make the broker convert what it has, see
            `CONVERTED`.
        stores: whether the log is a vector, too.
    """

    name: str
    title: str
    rules: tuple[str, ...]
    settings: dict[str, str]
    batches: tuple[SceneBatch, ...]
    fetches: tuple[int, ...] = ()
    stores: bool = True

    def steps(self) -> Iterator[dict[str, Any]]:
        """Yield the steps of `sessions/python/broker_session.py`."""
        yield {"do": "create", "topic": self.name, "settings": self.settings}
        for batch in self.batches:
            if batch.alters:
                yield {"do": "alter", "topic": self.name, "settings": batch.alters}
            document = asdict(batch)
            del document["alters"]
            yield {"do": "deliver", "topic": self.name} | document


CONVERTED: Final = {1: "v0", 3: "v1"}
"""The newest format that a fetch request of a version may be answered with."""

_KEPT: Final = tuple(Sent(key, f"{key} {n}", timestamp=TIME + n) for n, key in enumerate("abcab"))
_LATER: Final = (Sent("a", "a 5", timestamp=TIME + 5), Sent("d", "d 6", timestamp=TIME + 6))
_TOMBSTONES: Final = (Sent("c", None, timestamp=TIME + 7), Sent("e", "e 8", timestamp=TIME + 8))
_LAST: Final = (Sent("z", "9" * 300, timestamp=TIME + 9),)
"""Too much for the segment of the others."""
_REPLACED: Final = (Sent("a", "a 0"),)


def _compaction(codec: str, **more: Any) -> tuple[SceneBatch, ...]:
    """Send batches of which compaction keeps all, some, and none but tombstones."""
    sent = tuple(SceneBatch(records, codec, **more) for records in (_KEPT, _LATER, _TOMBSTONES))
    return (*sent, SceneBatch(_LAST, **more))


def _everywhere(codecs: tuple[str, ...], wrapper: tuple[str, ...]) -> Iterator[Scene]:
    """Yield what brokers of all formats do."""
    for codec in codecs:
        rules = wrapper if codec != "none" else ("entry.run",)
        yield Scene(f"compacted-{codec}", f"Partly compacted, {codec}", rules, _COMPACTED, _compaction(codec))


def scenes_of_v2() -> Iterator[Scene]:
    """Yield the scenes of a broker that stores v2, and converts it for old consumers."""
    time = {"message.timestamp.type": "LogAppendTime"}
    for codec in ("none", "gzip", "zstd"):
        yield Scene(
            f"append-time-{codec}",
            f"Log append time, {codec}",
            ("v2.timestamp.append",),
            time,
            (SceneBatch(FEW, codec),),
        )
    yield from _everywhere(("none", "gzip", "snappy", "lz4", "zstd"), ("v2.offset", "v2.last-offset-delta.kept"))
    yield Scene(
        "compacted-idempotent",
        "A batch of an idempotent producer that compaction emptied and kept",
        ("v2.sequence",),
        _COMPACTED,
        (SceneBatch(_REPLACED, idempotent=True), SceneBatch(_LATER), SceneBatch(_TOMBSTONES), SceneBatch(_LAST)),
    )
    yield Scene(
        "compacted-transactional",
        "Transactions, one of them aborted, compacted",
        ("control.marker.version",),
        _COMPACTED,
        tuple(
            SceneBatch(records, transactional=True, aborts=records is _LATER)
            for records in (_KEPT, _LATER, _TOMBSTONES, _LAST)
        ),
    )
    yield Scene(
        "aborted",
        "An aborted transaction between two that committed",
        ("control.marker.version",),
        {},
        tuple(SceneBatch(records, transactional=True, aborts=records is _LATER) for records in (_KEPT, _LATER, _LAST)),
        (3,),
    )
    for codec in ("gzip", "snappy", "lz4", "zstd"):
        settings = {"compression.type": codec}
        title = f"Compressed by the broker, {codec}"
        yield Scene(f"compressed-{codec}", title, (f"compression.{_RULE[codec]}",), settings, (SceneBatch(FEW),))
    yield Scene(
        "uncompressed",
        "Decompressed by the broker",
        ("v2.crc.covers-attributes-to-end",),
        {"compression.type": "uncompressed"},
        (SceneBatch(FEW, "gzip"),),
    )
    for codec in ("none", "gzip", "snappy", "lz4"):
        batches = (SceneBatch(FEW, codec), SceneBatch(NULLS, codec))
        yield Scene(f"down-{codec}", f"Converted down, {codec}", ("entry.run",), {}, batches, (1, 3), stores=False)
    yield Scene(
        "down-headers",
        "Converted down, its headers lost",
        ("entry.run",),
        {},
        (SceneBatch(HEADERS),),
        (1, 3),
        stores=False,
    )
    yield Scene(
        "down-append-time",
        "Log append time, converted down",
        ("entry.run",),
        time,
        (SceneBatch(FEW, "gzip"),),
        (1, 3),
        stores=False,
    )


def scenes_of_v1() -> Iterator[Scene]:
    """Yield the scenes of a broker of 0.10, which stores v1 or v0, as the topic says."""
    time, old = {"message.timestamp.type": "LogAppendTime"}, {"message.format.version": "0.9.0"}
    for codec in ("none", "gzip", "snappy", "lz4"):
        batches = (SceneBatch(FEW, codec), SceneBatch(NULLS, codec))
        rules = ("v1.timestamp-type",) if codec == "none" else ("v1.wrapper.timestamp.append",)
        yield Scene(f"append-time-{codec}", f"Log append time, {codec}", rules, time, batches)
        rules = ("legacy.wrapper",) if codec != "none" else ("v0.timestamp.none",)
        yield Scene(f"v0-{codec}", f"Converted down to v0 for the log, {codec}", rules, old, batches)
        yield Scene(f"down-{codec}", f"Converted down, {codec}", rules, {}, batches, (1,), stores=False)
    yield from _everywhere(("none", "gzip", "snappy", "lz4"), ("v1.wrapper.offsets.gaps",))
    for codec in ("none", "gzip"):
        rules = ("legacy.wrapper",) if codec != "none" else ("entry.run",)
        settings = _COMPACTED | old
        yield Scene(f"v0-compacted-{codec}", f"Partly compacted, v0, {codec}", rules, settings, _compaction(codec))
    yield Scene(
        "compressed-gzip",
        "Compressed by the broker, gzip",
        ("legacy.wrapper",),
        {"compression.type": "gzip"},
        (SceneBatch(FEW),),
    )
    yield Scene(
        "uncompressed",
        "Decompressed by the broker",
        ("entry.run",),
        {"compression.type": "uncompressed"},
        (SceneBatch(FEW, "gzip"),),
    )


def scenes_of_upgrade() -> Iterator[Scene]:
    """Yield the scenes of a broker of 2.8, whose topics can be upgraded from v0 to v1 and v2."""
    formats = tuple({"message.format.version": version} for version in ("0.9.0", "0.10.2", "2.8"))
    for codec in ("none", "gzip", "lz4"):
        batches = tuple(SceneBatch(FEW, codec, alters=alters) for alters in formats)
        title = f"A topic on both sides of two upgrades of the message format, {codec}"
        yield Scene(f"upgraded-{codec}", title, ("entry.magic.each",), formats[0], batches, (1, 3))
        batches = tuple(
            SceneBatch(records, codec, alters=_COMPACTED | alters)
            for records, alters in zip((_KEPT, _LATER, _TOMBSTONES), formats, strict=True)
        )
        batches += (SceneBatch(_LAST),)
        title = f"A compacted topic on both sides of two upgrades of the message format, {codec}"
        yield Scene(f"upgraded-compacted-{codec}", title, ("entry.magic.each",), _COMPACTED | formats[0], batches)


_RULE: Final = {"gzip": "gzip.magic", "snappy": "snappy.block", "lz4": "lz4.magic", "zstd": "zstd.magic"}
SCENES: Final = {"3.9.2": scenes_of_v2, "2.8.2": scenes_of_upgrade, "0.10.2.2": scenes_of_v1}
