"""One message in every format, and what a record costs in batches of each size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from kafka_format import records
from kafka_format.explain.lines import Explanation, explain, explain_v07
from kafka_format.records import Record

from kafka_site.model import Site
from kafka_site.pictures.byte_map import byte_map, legend, shares
from kafka_site.pictures.plot import plot

TIME: Final = 1_600_000_000_000
"""Of every record here, in milliseconds since 1970."""

COUNTS: Final = (1, 2, 3, 4, 5, 7, 10, 20, 50, 100, 200, 500, 1000)
"""Records in a batch that are measured."""


class Sample(NamedTuple):
    """The message in one format."""

    format: str
    explanation: Explanation

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(len(line.raw) for line in self.explanation.lines)

    @property
    def content(self) -> int:
        """Bytes of key and value themselves."""
        parts = (line for line in self.explanation.lines if line.path.rpartition(".")[2] in {"key", "value", "payload"})
        return sum(len(line.raw) for line in parts)

    @property
    def picture(self) -> str:
        """Its bytes as squares."""
        return byte_map(self.explanation.lines, f"{self.size} bytes of {self.format}")


def values(_site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    shown = samples()
    plain = {name: _curve(magic, "none") for magic, name in _NAMES.items()}
    keyless = Sample("v1, no key", explain(records.encode([_record(key=None)], magic=1)))
    columns = [*shown[:-1], keyless, shown[-1]]
    wins = {codec: _first_win(codec) for codec in ("none", *_CODECS)}
    return {
        "samples": shown,
        "keyless": keyless,
        "columns": columns,
        "shares": _shares(columns),
        "wins_v0": _first_win("none", against=0),
        "sizes": {sample.format: sample.size for sample in shown},
        "header": sum(len(line.raw) for line in shown[-1].explanation.lines if not line.path.startswith("records")),
        "legend": legend([line for sample in shown for line in sample.explanation.lines]),
        "wins": wins,
        "at": {count: {name: dict(curve)[count] for name, curve in plain.items()} for count in (1, 10, 1000)},
        "plain": plot(
            plain,
            across="records in a batch",
            up="bytes a record",
            label="Bytes a record in v0, v1 and v2, by records in a batch",
            marks=[(wins["none"], f"{wins['none']} records: v2 is smaller than v1")],
        ),
        "packed": {
            codec: {name: _bytes(magic, codec, 1000) / 1000 for magic, name in _LATEST.items()} for codec in _CODECS
        },
        "compressed": plot(
            {f"{name}, {codec}": _curve(magic, codec) for codec in _CODECS for magic, name in _LATEST.items()},
            across="records in a batch",
            up="bytes a record",
            label="Bytes a record in v1 and v2, compressed by gzip and lz4, by records in a batch",
            marks=[(wins[codec], f"{wins[codec]} records: v2 wins with {codec}") for codec in _CODECS],
        ),
    }


_NAMES: Final = {0: "v0", 1: "v1", 2: "v2"}
_LATEST: Final = {1: "v1", 2: "v2"}
_CODECS: Final = ("gzip", "lz4")


def samples() -> list[Sample]:
    """Return the message in every format, the oldest first."""
    message = _record()
    return [
        Sample("0.7", explain_v07(records.encode_v07([message._replace(key=None, timestamp=-1, timestamp_type=-1)]))),
        *(Sample(name, explain(records.encode(_run(1, magic), magic=magic))) for magic, name in _NAMES.items()),
    ]


def _record(offset: int = 0, key: bytes | None = b"key") -> Record:
    return Record(offset=offset, timestamp=TIME + offset, key=key, value=b"hello")


def _run(count: int, magic: int) -> Sequence[Record]:
    """Return some records; those of v0 have no timestamps."""
    run = [_record(offset) for offset in range(count)]
    return [record._replace(timestamp=-1, timestamp_type=-1) for record in run] if magic == 0 else run


def _bytes(magic: int, codec: str, count: int) -> int:
    return len(records.encode(_run(count, magic), magic=magic, codec=codec))


def _curve(magic: int, codec: str) -> list[tuple[float, float]]:
    return [(count, _bytes(magic, codec, count) / count) for count in COUNTS]


def _first_win(codec: str, against: int = 1) -> int:
    """Return from how many records on a batch of v2 is smaller than as many older messages."""
    return next(count for count in range(1, 100) if _bytes(2, codec, count) < _bytes(against, codec, count))


def _shares(columns: Sequence[Sample]) -> Mapping[str, list[int]]:
    """Return how many bytes each purpose takes in each format."""
    columns_shares = [shares(sample.explanation.lines) for sample in columns]
    return {text: [of_one[text] for of_one in columns_shares] for text in columns_shares[0]}
