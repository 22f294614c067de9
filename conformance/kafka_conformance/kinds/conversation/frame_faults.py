"""What is done to the bytes of an answer: cut, late, doubled, with a wrong size or number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from kafka_tools.server.interference import Burst, Interference

UNKNOWN_TAG: Final = 9999
"""The number of a tagged field that nobody knows."""

_SIZE: Final = 4
"""Bytes of the size in front of a frame; the correlation id has as many, and stands behind it."""

_PIECES: Final = 7
"""Pieces that a frame comes in."""

_ENDING: Final = frozenset({"cut", "hang_up", "size"})
"""What the broker hangs up behind."""


def framing(said: Mapping[str, Any], others: dict[str, Any]) -> Interference:
    """Return what is done to an answer.

    Args:
        said: what a step says of the frame, by spec/schema/conversation.schema.json: one thing, or
            nothing.
        others: further arguments of `Meddling`.
    """
    if not said:
        return Interference(**others)
    ((what, value),) = said.items()
    if what == "header_tag":
        return Interference(tagged_fields=((UNKNOWN_TAG, bytes.fromhex(value)),), **others)
    return Interference(pieces=lambda frame: _DONE[what](frame, value), hangs_up=what in _ENDING, **others)


def _with_correlation(frame: bytes, more: int) -> Sequence[Burst]:
    behind = 2 * _SIZE
    number = int.from_bytes(frame[_SIZE:behind], "big", signed=True) + more
    return [Burst(frame[:_SIZE] + number.to_bytes(_SIZE, "big", signed=True) + frame[behind:])]


def _in_pieces(frame: bytes, seconds: float) -> Sequence[Burst]:
    step = max(len(frame) // _PIECES, 1)
    return [Burst(frame[at : at + step], seconds) for at in range(0, len(frame), step)]


def _frame(body: bytes) -> Sequence[Burst]:
    return [Burst(len(body).to_bytes(_SIZE, "big") + body)]


_DONE: Final[Mapping[str, Callable[[bytes, Any], Sequence[Burst]]]] = {
    "cut": lambda frame, size: [Burst(frame[:size])],
    "late": lambda frame, seconds: [Burst(frame, seconds)],
    "twice": lambda frame, _: [Burst(frame + frame)],
    "correlation": _with_correlation,
    "size": lambda frame, size: [Burst(size.to_bytes(_SIZE, "big", signed=True) + frame[_SIZE:])],
    "behind": lambda frame, text: _frame(frame[_SIZE:] + bytes.fromhex(text)),
    "short": lambda frame, size: _frame(frame[_SIZE:-size]),
    "pieces": _in_pieces,
    "hang_up": lambda *_: [],
}
