"""A partition as a picture: bytes, batches and codecs of its segments over its offsets, as SVG."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from kafka_format.log.statistics import SegmentStatistics

_WIDTH, _LEFT, _LANE, _GAP, _TOP = 960, 90, 80, 34, 40
_CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
_STYLE = """\
svg { font: 12px system-ui, sans-serif; background: #fff; --ink: #222; --soft: #777 }
text { fill: var(--ink) } .soft { fill: var(--soft) } .axis { stroke: var(--soft) }
rect { stroke: #fff; stroke-width: .5 }
.bytes { fill: #3b6ea8 } .batches { fill: #6a8f3c }
.none { fill: #9aa5b1 } .gzip { fill: #c2803a } .snappy { fill: #4f9d9d } .lz4 { fill: #8a6fb0 } .zstd { fill: #b5546a }
@media (prefers-color-scheme: dark) {
  svg { background: #181a1b; --ink: #ddd; --soft: #999 } rect { stroke: #181a1b }
}"""


class _Scale(NamedTuple):
    """Where offsets are: the first one at the left, and how wide each is."""

    start: int
    step: float


def picture(name: str, segment_statistics: Sequence[SegmentStatistics]) -> str:
    """Return the picture of a partition; a segment without a batch has no place in it.

    Args:
        name: what the partition is called.
        segment_statistics: its segments in numbers.
    """
    shown = [each for each in segment_statistics if each.first_offset is not None]
    height = _TOP + 3 * (_LANE + _GAP)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">']
    lines += [f"<title>{escape(name)}</title>", f"<style>{_STYLE}</style>"]
    if shown:
        lines += _lanes(name, shown)
    else:
        lines.append(f'<text x="10" y="20">{escape(name)}: no batch</text>')
    return "\n".join([*lines, "</svg>", ""])


def _lanes(name: str, shown: Sequence[SegmentStatistics]) -> Iterator[str]:
    start, end = shown[0].first_offset or 0, max(each.last_offset or 0 for each in shown) + 1
    yield f'<text x="10" y="20">{escape(name)}: offsets {start} to {end - 1}</text>'
    scale = _Scale(start, (_WIDTH - _LEFT - 20) / max(end - start, 1))
    for lane, (title, values) in enumerate(
        (("bytes", [each.size for each in shown]), ("batches", [each.batches for each in shown]))
    ):
        yield from _axis(lane, title, f"{max(values):,}")
        for each, value in zip(shown, values, strict=True):
            yield _bar(each, scale, lane, title, (0.0, value / (max(values) or 1)), f"{value:,} {title}")
    yield from _axis(2, "codecs", "all batches")
    for each in shown:
        below = 0.0
        for codec in sorted(each.codecs, key=lambda codec: (codec not in _CODECS, codec)):
            share = each.codecs[codec] / each.batches
            yield _bar(each, scale, 2, codec, (below, share), f"{codec}: {each.codecs[codec]:,} batches")
            below += share
    yield from _legend(sorted({codec for each in shown for codec in each.codecs}))


def _bottom(lane: int) -> int:
    return _TOP + lane * (_LANE + _GAP) + _LANE


def _axis(lane: int, title: str, top: str) -> Iterator[str]:
    bottom = _bottom(lane)
    yield f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH - 20}" y1="{bottom}" y2="{bottom}"/>'
    yield f'<text x="10" y="{bottom}">{title}</text>'
    yield f'<text class="soft" x="10" y="{bottom - _LANE + 12}">{top}</text>'


def _bar(each: SegmentStatistics, scale: _Scale, lane: int, kind: str, shares: tuple[float, float], words: str) -> str:
    """Return a bar over a segment's offsets; one share of the height is below it, one in it."""
    first, last = each.first_offset or 0, each.last_offset or 0
    x, width = _LEFT + (first - scale.start) * scale.step, max((last + 1 - first) * scale.step, 1)
    y, height = _bottom(lane) - sum(shares) * _LANE, shares[1] * _LANE
    place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    title = escape(f"segment {each.base_offset}, offsets {first} to {last}: {words}")
    return f'<rect class="{escape(kind)}" {place}><title>{title}</title></rect>'


def _legend(codecs: Sequence[str]) -> Iterator[str]:
    y = _bottom(2) + 18
    for number, codec in enumerate(codecs):
        x = _LEFT + number * 90
        yield f'<rect class="{escape(codec)}" x="{x}" y="{y - 9}" width="10" height="10"/>'
        yield f'<text x="{x + 15}" y="{y}">{escape(codec)}</text>'
