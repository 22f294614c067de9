"""Plots, drawn by matplotlib, in the colours of the page."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK: Final = "#010203"
"""Stands for the colour of the page's text until the picture is in the page."""

COLOURS: Final = ("#0a84d6", "#d55e00", "#009e73", "#cc79a7", "#9a8c00")
"""Told apart by people who do not see all colours, on white and on black."""

MARKS: Final = ("o", "s", "^", "D", "v")

Curve = Sequence[tuple[float, float]]


def plot(
    curves: Mapping[str, Curve],
    *,
    across: str,
    up: str,
    label: str,
    logarithmic: bool = True,
    steps: bool = False,
    marks: Sequence[tuple[float, str]] = (),
) -> str:
    """Return a plot of some curves as SVG.

    Args:
        curves: points by the name that the legend shows.
        across: what the horizontal axis counts.
        up: what the vertical axis counts.
        label: what the picture shows, for people who do not see it.
        logarithmic: whether the horizontal axis is.
        steps: whether a value holds until the next point, and jumps there.
        marks: places on the horizontal axis that matter, and what is there.
    """
    import matplotlib as mpl  # noqa: PLC0415 - it takes half a second, and few pages have plots
    from matplotlib.figure import Figure  # noqa: PLC0415 - the same

    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": label, "font.size": 10, "font.family": "sans-serif"}):
        figure = Figure(figsize=(6.4, 3.4), layout="constrained")
        axes = figure.subplots()
        for (name, points), colour, mark in zip(curves.items(), COLOURS, MARKS, strict=False):
            x, y = zip(*points, strict=True)
            (line,) = axes.plot(x, y, color=colour, label=name)
            if steps:
                line.set_drawstyle("steps-post")
            else:
                line.set(marker=mark, markersize=4)
        if logarithmic:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter("{x:g}")
        axes.set_ylim(bottom=0)
        for number, (place, text) in enumerate(marks):
            axes.axvline(place, color=_INK, linestyle=":", linewidth=1.2)
            height = 0.96 - 0.09 * number
            axes.annotate(
                text,
                (place, height),
                xycoords=axes.get_xaxis_transform(),
                xytext=(4, 0),
                textcoords="offset points",
                va="top",
                fontsize=9,
                color=_INK,
            )
        axes.set_xlabel(across, color=_INK)
        axes.set_ylabel(up, color=_INK)
        axes.tick_params(colors=_INK, which="both")
        axes.grid(visible=True, color=_INK, alpha=0.15)
        for spine in axes.spines.values():
            spine.set_color(_INK)
        axes.legend(frameon=False, labelcolor=_INK)
        return _svg(figure, label)


def _svg(figure: Figure, label: str) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    text = file.getvalue()
    start = text.index("<svg")
    named = text[start:].replace("<svg", f'<svg class="plot" role="img" aria-label="{label}"', 1)
    return named.replace(_INK, "currentColor")
