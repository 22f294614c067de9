"""What somebody may do to an answer on its way out, for clients to show how they take it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class Burst(NamedTuple):
    """Bytes that go out at once.

    Attributes:
        data: the bytes.
        seconds: how long the broker waits before.
    """

    data: bytes
    seconds: float = 0.0


def _as_it_is(body: Any) -> Any:
    return body


def _whole(frame: bytes) -> Sequence[Burst]:
    return (Burst(frame),)


@dataclass(frozen=True, slots=True)
class Interference:
    """What is done to one answer.

    Attributes:
        change: takes the body of the answer, and returns another of the same structure.
        tagged_fields: tagged fields of the answer's header, pairs of tag and content.
        pieces: takes the frame, with its size in front, and returns what goes out instead.
        hangs_up: True if the broker hangs up behind it.
        on_sent: is called, to tell that it went out.
    """

    change: Callable[[Any], Any] = _as_it_is
    tagged_fields: tuple[tuple[int, bytes], ...] = ()
    pieces: Callable[[bytes], Sequence[Burst]] = _whole
    hangs_up: bool = False
    on_sent: Callable[[], None] = lambda: None


NO_MEDDLING = Interference()
