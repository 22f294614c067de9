"""Wrappers: what is written in them, what readers made of it, and what producers put there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from kafka_conformance.vectors.vector import Vector
from kafka_format.explain.lines import Line, explain
from kafka_format.records import decode

from kafka_site.bugs import name
from kafka_site.model import Site
from kafka_site.pages.vectors import judges
from kafka_site.pictures.wrapper_strip import wrapper_strip

_SHOWN: Final = {
    "absolute": "v0/wrapper/gaps",
    "relative": "v1/wrapper/relative-offsets",
    "gaps": "v1/wrapper/gaps",
    "zero": "v1/wrapper/offset-zero",
}
"""The vectors with a picture, by what the text calls them."""

_READ: Final = (
    "v0/wrapper/absolute-offsets",
    "v0/wrapper/gaps",
    "v0/wrapper/offset-unlike-last",
    "v1/wrapper/one-message",
    "v1/wrapper/relative-offsets",
    "v1/wrapper/gaps",
    "v1/wrapper/absolute-offsets",
    "v1/wrapper/offset-zero",
)
"""The vectors that are put to wrong readers."""

_TIMES: Final = (
    "v1/wrapper/wrong-timestamp",
    "v1/wrapper/log-append-time",
    "v1/wrapper/inner-type-bit",
    "v1/wrapper/timestamp-none",
)
_ODD: Final = (
    "v1/wrapper/null-value",
    "v1/wrapper/empty",
    "v1/wrapper/nested",
    "v1/wrapper/inner-crc",
    "v1/wrapper/wrong-checksum",
    "v1/wrapper/inner-v0",
    "v1/wrapper/inner-cut",
    "v1/wrapper/key",
    "v1/wrapper/null-and-empty-inside",
)
_RULES: Final = ("v0.wrapper.offsets.absolute", "v1.wrapper.offsets.relative", "v1.wrapper.offsets.gaps")

Reader = Callable[[int, Sequence[int]], list[int]]
READERS: Final[Mapping[str, Reader]] = {
    "takes them as they are": lambda _, inner: list(inner),
    "adds the wrapper's": lambda outer, inner: [outer + offset for offset in inner],
    "counts backwards from the wrapper's": lambda outer, inner: [
        outer - place for place in reversed(range(len(inner)))
    ],
    "as v1, whatever the format": lambda outer, inner: [outer - inner[-1] + offset for offset in inner],
}
"""Ways to make offsets of a wrapper's and those inside: each is right for some wrappers."""


class Wrapper(NamedTuple):
    """One wrapper: what is written in it, and what becomes of it.

    Attributes:
        vector: the case.
        outer: the offset of the wrapper.
        inner: the offsets inside, as they are written.
        offsets: the offsets of the records.
    """

    vector: Vector
    outer: int
    inner: list[int]
    offsets: list[int]

    @property
    def picture(self) -> str:
        """The strip of it."""
        return wrapper_strip(self.outer, self.inner, self.offsets, self.vector.title)

    @property
    def readings(self) -> list[tuple[list[int], bool]]:
        """What each reader gives, and whether it is right."""
        made = [reader(self.outer, self.inner) for reader in READERS.values()]
        return [(offsets, offsets == self.offsets) for offsets in made]


class Sent(NamedTuple):
    """What producers put into a wrapper before a broker touched it."""

    format: str
    outer: int
    inner: list[int]
    time: str
    producers: list[str]


class Times(NamedTuple):
    """The timestamps of a wrapper, of the messages inside, and of the records."""

    vector: Vector
    type: str
    outer: str
    inner: list[str]
    records: list[int]


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    findings = {name(finding): finding for rule in _RULES for finding in site.bugs.findings_by_rule.get(rule, ())}
    return {
        "shown": {key: _wrapper(site.vectors[identity]) for key, identity in _SHOWN.items()},
        "readers": list(READERS),
        "read": [_wrapper(site.vectors[identity]) for identity in _READ],
        "times": [_times(site.vectors[identity]) for identity in _TIMES],
        "odd": [(site.vectors[identity], judges(site.vectors[identity])) for identity in _ODD],
        "sent": list(_sendings(site)),
        "reports": list(dict.fromkeys(report for rule in _RULES for report in site.bugs.reports_by_rule.get(rule, ()))),
        "findings": findings,
    }


def _wrapper(vector: Vector) -> Wrapper:
    lines = explain(vector.data).lines
    offsets = [record.offset for record in decode(vector.data)]
    return Wrapper(
        vector, int(_value(lines, "offset")), [int(number) for number in _inside(lines, "].offset")], offsets
    )


def _times(vector: Vector) -> Times:
    lines = explain(vector.data).lines
    kind = _value(lines, "message.attributes").partition("timestamp_type=")[2].rstrip(")")
    inner = _inside(lines, ".message.timestamp")
    records = [record.timestamp for record in decode(vector.data)]
    return Times(vector, kind.replace("_", " "), _value(lines, "message.timestamp"), inner, records)


def _sendings(site: Site) -> Iterator[Sent]:
    """Yield what the producers sent whose requests are vectors, those alike together."""
    by_sending: dict[tuple[str, int, tuple[int, ...], str], dict[str, None]] = {}
    for vector in site.vectors.values():
        if vector.family == "wild" and vector.id.endswith("/few-sent") and "none" not in vector.codecs:
            lines = explain(vector.data).lines
            inner = tuple(int(number) for number in _inside(lines, "].offset"))
            what = (vector.format, int(_value(lines, "offset")), inner, _time(lines))
            by_sending.setdefault(what, {})[vector.id.split("/")[1]] = None
    for (form, outer, inner, time), producers in sorted(by_sending.items()):
        yield Sent(form, outer, list(inner), time, list(producers))


def _time(lines: Sequence[Line]) -> str:
    """Say what the timestamp of a wrapper is, compared to those inside."""
    inside = [int(number) for number in _inside(lines, ".message.timestamp")]
    if not inside:
        return ""
    outer = int(_value(lines, "message.timestamp"))
    words = {max(inside): "the largest inside", min(inside): "the first inside", 0: "0"}
    return words.get(outer, "the time of sending")


def _value(lines: Sequence[Line], path: str) -> str:
    return next(line.value for line in lines if not line.payload and line.path == path)


def _inside(lines: Sequence[Line], end: str) -> list[str]:
    return [line.value for line in lines if line.payload and line.path.endswith(end)]
