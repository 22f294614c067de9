"""What two programs say to each other, as a ladder: each message an arrow, from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kafka_site.templates import render

_WIDTH: Final = 520
_MARGIN: Final = 8
_TOP: Final = 34
_RUNG: Final = 28
_PAUSE: Final = 12


class Said(NamedTuple):
    """One message: what it is called, how large it is, and who sends it."""

    text: str
    size: int
    is_answer: bool


class Rung(NamedTuple):
    """An arrow, and the words above it."""

    y: int
    text: str
    is_answer: bool


def ladder(left: str, right: str, said: Sequence[Said], label: str) -> str:
    """Return the ladder.

    Args:
        left: who asks.
        right: who answers.
        said: the messages, the first one first.
        label: what the picture shows, for people who do not see it.
    """
    rungs, y = [], _TOP
    for number, message in enumerate(said):
        y += _RUNG + (_PAUSE if number and not message.is_answer else 0)
        rungs.append(Rung(y, f"{message.text}, {message.size} bytes", message.is_answer))
    return render(
        "ladder.svg.j2",
        left=left,
        right=right,
        rungs=rungs,
        label=label,
        width=_WIDTH,
        height=y + _RUNG // 2,
        ends=(_MARGIN, _WIDTH - _MARGIN),
    )
