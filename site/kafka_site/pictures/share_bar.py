"""How a whole is shared, as a bar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafka_site.templates import render

_WIDTH: Final = 240


def share_bar(parts: Mapping[str, int]) -> str:
    """Return a bar.

    Args:
        parts: how many there are of each part, by what it is called. The style sheet has a colour
            for `part-1` and those that follow.
    """
    total = sum(parts.values())
    x = 0.0
    boxes = []
    for number, count in enumerate(parts.values(), 1):
        width = _WIDTH * count / total
        boxes.append((number, x, width))
        x += width
    label = ", ".join(f"{name} {count}" for name, count in parts.items())
    return render("share_bar.svg.j2", boxes=boxes, width=_WIDTH, label=label).strip()
