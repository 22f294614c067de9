"""A capture in figures: by client and API its requests, errors, bytes and times."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from kafka_format import protocol

from kafka_tools.show.capture_rows import JudgedMessage

_MOST_TIMES: Final = 1_000_000
"""Times of a client and an API that are kept."""

_MOST_KEYS: Final = 10_000
_OTHERS: Final = "(further clients)"
_HEAD: Final = (
    "client",
    "api",
    "requests",
    "answers",
    "errors",
    "bytes out",
    "bytes in",
    "p50",
    "p95",
    "p99",
    "max ms",
)
_NAMES: Final = 2
"""Columns of names in front of those of numbers."""

_TIMES: Final = _HEAD.index("p50")
"""The first column of times."""


@dataclass(slots=True)
class _Figures:
    requests: int = 0
    answers: int = 0
    errors: int = 0
    sent: int = 0
    got: int = 0
    times: array[float] = field(default_factory=lambda: array("d"))

    def percentile(self, share: float) -> float | None:
        """Return the time in ms that this share of the answers did not need longer than."""
        if not self.times:
            return None
        kept = sorted(self.times)
        return kept[min(len(kept) - 1, int(share * len(kept)))] * 1000


def _columns(rows: list[tuple[str, ...]], first: int) -> Iterator[str]:
    """Yield rows as lines with columns, from one column on; names are to the left."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        cells = [
            f"{text:<{size}}" if at < _NAMES else f"{text:>{size}}"
            for at, (text, size) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells[first:]).rstrip()


def _time_text(name: str, time: str) -> str:
    return f"{name.removesuffix(' ms')} {time or '-'} ms"


class Summary:
    """Counts what passes."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._figures: dict[tuple[str, str], _Figures] = {}

    def add(self, judged: JudgedMessage) -> None:
        """Count a request or response; an answer is in error if an error or a fault is in it."""
        message = judged.message
        if message.kind not in ("request", "response"):
            return
        api = "(unknown)" if message.api is None else protocol.api_name(message.api)
        key = (message.client_id or "(no name)", api)
        if key not in self._figures and len(self._figures) >= _MOST_KEYS:
            key = (_OTHERS, api)
        figures = self._figures.setdefault(key, _Figures())
        figures.errors += bool(judged.facts.errors or judged.fault)
        if message.kind == "request":
            figures.requests += 1
            figures.sent += message.size
            return
        figures.answers += 1
        figures.got += message.size
        if message.seconds is not None and len(figures.times) < _MOST_TIMES:
            figures.times.append(message.seconds)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the head, and a row for each client and API."""
        yield _HEAD
        for (client, api), one in sorted(self._figures.items()):
            times = [one.percentile(share) for share in (0.5, 0.95, 0.99, 1.0)]
            numbers = (one.requests, one.answers, one.errors, one.sent, one.got)
            yield (client, api, *map(str, numbers), *("" if time is None else f"{time:.1f}" for time in times))

    def lines(self, width: int | None = None) -> Iterator[str]:
        """Yield them as lines with columns that fit a terminal of that width; None for any.

        Where they do not fit, a client has a line of its own, and then the times of each API.
        """
        rows = list(self.rows())
        lines = list(_columns(rows, 0))
        if width is None or max(map(len, lines)) <= width:
            yield from lines
            return
        inner = [f"  {line}" for line in _columns(rows, 1)]
        if max(map(len, inner)) > width:
            times = [f"      {'  '.join(map(_time_text, _HEAD[_TIMES:], row[_TIMES:]))}" for row in rows]
            counts = [f"  {line}" for line in _columns([row[:_TIMES] for row in rows], 1)]
            inner = [counts[0], *(f"{one}\n{other}" for one, other in zip(counts[1:], times[1:], strict=True))]
        yield inner[0]
        for before, row, line in zip(rows, rows[1:], inner[1:], strict=False):
            if row[0] != before[0]:
                yield row[0]
            yield from line.split("\n")

    def to_json(self) -> Iterator[dict[str, Any]]:
        """Yield an object for each client and API; times are in ms."""
        for (client, api), one in sorted(self._figures.items()):
            yield {
                "client_id": client, "api": api, "requests": one.requests, "answers": one.answers,
                "errors": one.errors, "bytes_sent": one.sent, "bytes_got": one.got,
                "p50": one.percentile(0.5), "p95": one.percentile(0.95), "p99": one.percentile(0.99),
                "max": one.percentile(1.0),
            }  # fmt: skip
