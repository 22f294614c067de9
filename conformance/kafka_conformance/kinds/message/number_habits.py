"""Values of requests and responses made wrong in one simple way, whatever the message.

A library that keeps int64 as floating-point numbers, or error codes in a byte, does so wherever it
reads one. The value that is right and the one that came say which it is.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome

_FEWEST: Final = 2
"""So many different values show a habit where 0 or -1 came, which may come for other reasons."""

_PLAIN: Final = (0, -1)

_ID_DIGITS: Final = 32
"""Of an id of 16 bytes, in hex."""


class NumberHabit(NamedTuple):
    """A simple way to get values wrong.

    Attributes:
        id: stable name.
        does: what a decoder does that has it, as a sentence without its subject; `{}` is the value.
        of: what the value is, if it is not of one field alone.
        change: makes the wrong value of the right one, or returns it as it is.
    """

    id: str
    does: str
    of: str
    change: Callable[[int | str], int | str]


def _of_numbers(change: Callable[[int], int]) -> Callable[[int | str], int | str]:
    return lambda value: value if isinstance(value, str) else change(value)


def _of_ids(change: Callable[[str], str]) -> Callable[[int | str], int | str]:
    return lambda value: change(value) if isinstance(value, str) else value


def _keep_low_bits(bits: int) -> Callable[[int], int]:
    return lambda number: (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def _drop_sign(bits: int) -> Callable[[int], int]:
    return lambda number: number % (1 << bits) if number >= -(1 << bits - 1) else number


HABITS: Final = (
    NumberHabit(
        "as-double",
        "keeps {} as floating-point numbers, which lose bits past 2^53",
        "numbers of 64 bits",
        _of_numbers(lambda number: int(float(number))),
    ),
    *(
        NumberHabit(
            f"low-{bits}-bits", f"keeps the low {bits} bits of {{}}", "numbers", _of_numbers(_keep_low_bits(bits))
        )
        for bits in (8, 16, 32)
    ),
    *(
        NumberHabit(
            f"unsigned-{bits}",
            f"reads {{}} without their sign, in {bits} bits",
            "numbers",
            _of_numbers(_drop_sign(bits)),
        )
        for bits in (8, 16, 32, 64)
    ),
    NumberHabit(
        "id-halves", "exchanges the halves of {}", "ids of 16 bytes", _of_ids(lambda text: text[16:] + text[:16])
    ),
    NumberHabit(
        "id-reversed",
        "reads {} with their bytes the other way round",
        "ids of 16 bytes",
        _of_ids(lambda text: bytes.fromhex(text)[::-1].hex()),
    ),
)
"""All ways, the plainest first."""


class Shown(NamedTuple):
    """A habit that a target shows, in how many fields, and the vectors that it explains."""

    habit: NumberHabit
    fields: frozenset[str]
    vectors: frozenset[str]

    @property
    def does(self) -> str:
        """What the target does, with the name of the field if it is one."""
        return self.habit.does.format(f"`{min(self.fields)}`" if len(self.fields) == 1 else self.habit.of)


def shown_numbers(results: Iterable[Result], names: Mapping[str, str]) -> Iterator[Shown]:
    """Yield what a target does to values, what explains most first.

    Args:
        results: what it gets wrong.
        names: the field in which each answer differs first, by the id of the vector.
    """
    left = {
        result.vector: pair
        for result in results
        if result.outcome is Outcome.WRONG_ANSWER and (pair := _pair(result)) is not None
    }
    while left:
        explained: dict[NumberHabit, set[str]] = defaultdict(set)
        for name, (right, got) in left.items():
            for habit in HABITS:
                if habit.change(right) == got:
                    explained[habit].add(name)
        telling = {habit: them for habit, them in explained.items() if _tell({left[name] for name in them})}
        if not telling:
            return
        best = max(telling, key=lambda habit: len(telling[habit]))
        yield Shown(best, frozenset(names[name] for name in telling[best]), frozenset(telling[best]))
        for name in telling[best]:
            del left[name]


def _tell(pairs: Collection[tuple[int | str, int | str]]) -> bool:
    """Tell whether these values show a habit, and are not 0 or -1 for another reason."""
    return len(pairs) >= _FEWEST or any(got not in _PLAIN for _, got in pairs)


def _pair(result: Result) -> tuple[int | str, int | str] | None:
    """Return the value that is right and the one that came, if they are numbers or ids."""
    values = [_value(text) for text in (result.expected, result.got)]
    right, got = values
    if right is None or got is None or type(right) is not type(got) or right == got:
        return None
    return right, got


def _value(text: str) -> int | str | None:
    """Return a value as it is shown: an int64 is decimal text, an id is hex."""
    try:
        shown = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(shown, int) and not isinstance(shown, bool):
        return shown
    if not isinstance(shown, str):
        return None
    try:
        return shown if len(shown) == _ID_DIGITS and bytes.fromhex(shown) else int(shown)
    except ValueError:
        return None
