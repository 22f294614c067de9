"""What every producer is asked to write: a few records, and the settings to write them with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

CODECS: Final = ("none", "gzip", "snappy", "lz4", "zstd")

TIME: Final = 1_600_000_000_000
"""Create time of the first record, in milliseconds: any fixed time, so that runs can be
compared."""


@dataclass(frozen=True)
class Sent:
    """One record for a producer. Bytes are text, so that JSON can carry them; None is null."""

    key: str | None
    value: str | None
    headers: tuple[tuple[str, str | None], ...] = ()
    timestamp: int = TIME


@dataclass(frozen=True)
class Order:
    """One topic to write.

    Attributes:
        name: what is special, the last part of the vector's id.
        title: the same in words.
        records: what to send, all of it in one batch.
        codec: the compression to ask for.
        level: the compression level; None for the producer's default.
        idempotent: whether to ask for idempotence.
        transactional: whether to send the records in a transaction, and to commit it.
        needs: what a producer must be able to do, of `headers`, `idempotent`, `transactional`,
            `level`; `large` is for the newest release of each, because the answers are large, too.
    """

    name: str
    title: str
    records: tuple[Sent, ...]
    codec: str = "none"
    level: int | None = None
    idempotent: bool = False
    transactional: bool = False
    needs: frozenset[str] = frozenset()

    @property
    def topic(self) -> str:
        """The topic to write to: the name, without what topics may not have."""
        return self.name.replace("/", "-")

    def document(self) -> dict[str, Any]:
        """Return the order as JSON for the producer's program."""
        wanted = asdict(self)
        del wanted["needs"]
        return wanted | {"topic": self.topic}


_ONE: Final = (Sent("key", "hello"),)
_MANY: Final = tuple(Sent(f"key-{n % 3}", f"value {n} of twenty", timestamp=TIME + n) for n in range(20))
NULLS: Final = (Sent(None, "no key"), Sent("no value", None), Sent("", "empty key"), Sent("empty value", ""))
HEADERS: Final = (
    Sent("k", "v", (("trace", "a1"), ("trace", "a2"), ("empty", ""))),
    Sent("k", "v", (("ключ", "value"),)),
    Sent("k", "v"),
)
_NULL_HEADER: Final = (Sent("k", "v", (("null", None),)),)
FEW: Final = tuple(Sent(f"key-{n % 2}", f"value {n} of five", timestamp=TIME + n) for n in range(5))
_LARGE: Final = tuple(Sent(f"{n}", "the quick brown fox " * 200, timestamp=TIME + n) for n in range(9))
"""36,000 bytes: more than one chunk of snappy's xerial framing."""
_LONG: Final = tuple(Sent(f"{n}", "the quick brown fox " * 80, timestamp=TIME + n) for n in range(3))
"""4,800 bytes: more than one chunk of what compressed 1 KiB at a time (KAFKA-5236)."""

LEVELS: Final = {"gzip": (1, 9), "lz4": (1, 9), "zstd": (1, 12)}
"""Compression levels that every producer with levels knows, lowest and highest."""


def orders() -> Iterator[Order]:
    """Yield every order."""
    for codec in CODECS:
        yield Order(f"{codec}/one", "one record", _ONE, codec)
        yield Order(f"{codec}/many", "20 records", _MANY, codec)
        if codec in {"snappy", "lz4"}:
            yield Order(f"{codec}/large", "9 records, 36 kB", _LARGE, codec, needs=frozenset({"large"}))
        for level in LEVELS.get(codec, ()):
            title = f"20 records at compression level {level}"
            yield Order(f"{codec}/level-{level}", title, _MANY, codec, level, needs=frozenset({"level"}))
    yield Order("none/nulls", "null and empty keys and values", NULLS)
    yield Order("none/headers", "headers, one of them twice", HEADERS, needs=frozenset({"headers"}))
    yield Order("none/null-header", "a header without a value", _NULL_HEADER, needs=frozenset({"headers"}))
    yield Order("none/idempotent", "an idempotent producer", _MANY, idempotent=True, needs=frozenset({"idempotent"}))
    yield Order(
        "zstd/idempotent", "an idempotent producer", _MANY, "zstd", idempotent=True, needs=frozenset({"idempotent"})
    )
    yield Order(
        "none/transactional",
        "a transaction and its commit marker",
        _MANY,
        idempotent=True,
        transactional=True,
        needs=frozenset({"transactional"}),
    )


def old_orders(form: str) -> Iterator[Order]:
    """Yield orders for old brokers and producers, named by the format that the broker stores."""
    for codec in CODECS[:-1]:
        yield Order(f"{form}/{codec}/one", f"one message, {form}", _ONE, codec)
        yield Order(f"{form}/{codec}/few", f"5 messages, {form}", FEW, codec)
    yield Order(f"{form}/none/nulls", f"null and empty keys and values, {form}", NULLS)
    yield Order(f"{form}/gzip/nulls", f"null and empty keys and values, {form}", NULLS, "gzip")
    for codec in ("snappy", "lz4"):
        yield Order(f"{form}/{codec}/long", f"3 messages, 4.8 kB, {form}", _LONG, codec, needs=frozenset({"large"}))


SENT: Final = frozenset(f"{form}/{codec}/few" for form in ("v0", "v1") for codec in CODECS)
"""The orders whose requests are stored beside the segment, where the broker stored other bytes than
it was sent."""
