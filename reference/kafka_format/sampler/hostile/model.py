"""What a fault is: a name, what it does to sound bytes, and what they are worth then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, NamedTuple, TypeVar

Case = TypeVar("Case")

_WORD: Final = (1 << 64) - 1
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB

ALL: Final = -1
"""As many records as there were."""


class Dice:
    """Numbers that follow from one random word, by the same hash as all draws of the sampler."""

    __slots__ = ("_word",)

    def __init__(self, word: int) -> None:
        self._word = word

    def word(self) -> int:
        """The next 64 bits."""
        word = self._word
        word ^= word >> 30
        word = word * _FIRST & _WORD
        word ^= word >> 27
        word = word * _SECOND & _WORD
        self._word = word = word ^ word >> 31 or 1
        return word

    def below(self, limit: int) -> int:
        """A number from 0 to `limit - 1`, all with the same chance; the limit is 1 or more."""
        return self.word() * limit >> 64

    def within(self, least: int, most: int) -> int:
        """A number from `least` to `most`, both ends and their neighbours often."""
        span = most - least + 1
        kind = self.below(4)
        step = self.below(min(span, 3))
        if kind == 0:
            return least + step
        return most - step if kind == 1 else least + self.below(span)


class Made(NamedTuple):
    """Bytes with a fault, and what the records are that whoever accepts them must give.

    Attributes:
        data: the bytes.
        kept: how many of the records are left; `ALL` for all.
        moved: what is added to the offset of the records from `first` to `last - 1`.
        first: the first record whose offset is another.
        last: the one after the last; `ALL` for all.
    """

    data: bytes
    kept: int = ALL
    moved: int = 0
    first: int = 0
    last: int = ALL


class Fault(NamedTuple):
    """One way to harm batches.

    Attributes:
        name: the format and what is done, for example `v2/record-length-beyond`; empty for no fault.
        rule: id of the rule that is broken; where the result is valid, of the rule that says so.
        verdict: `valid`, `invalid` or `lenient`, as in the vectors.
        flag: the leniency that accepts the result; empty unless the verdict is `lenient`.
        doc: what is done, in words.
    """

    name: str
    rule: str
    verdict: str
    flag: str
    doc: str


class Known(NamedTuple, Generic[Case]):
    """A fault, and how it is done: None where it cannot be done to a batch."""

    fault: Fault
    make: Callable[[Case, Dice], Made | bytes | None]


class Faults(Generic[Case]):
    """The faults of some formats, in an order that never changes."""

    def __init__(self) -> None:
        self.known: list[Known[Case]] = []

    def invalid(self, name: str, rule: str, doc: str) -> Callable[[Callable[[Case, Dice], bytes | None]], None]:
        """Declare a fault that must be refused; the function gives the bytes, or None where it cannot be done."""
        return lambda make: self.known.append(Known(Fault(name, rule, "invalid", "", doc), make))

    def valid(self, name: str, rule: str, doc: str) -> Callable[[Callable[[Case, Dice], Made | None]], None]:
        """Declare a change that leaves the bytes valid."""
        return lambda make: self.known.append(Known(Fault(name, rule, "valid", "", doc), make))

    def lenient(
        self, name: str, rule: str, flag: str, doc: str
    ) -> Callable[[Callable[[Case, Dice], Made | None]], None]:
        """Declare a fault that a leniency accepts."""
        return lambda make: self.known.append(Known(Fault(name, rule, "lenient", flag, doc), make))


def flipped(data: bytes, first: int, last: int, dice: Dice) -> bytes:
    """Flip a bit from byte `first` to byte `last - 1`."""
    at = first + dice.below(last - first)
    return data[:at] + bytes([data[at] ^ 1 << dice.below(8)]) + data[at + 1 :]


def burst(data: bytes, first: int, last: int, dice: Dice) -> bytes:
    """Change up to 32 bits side by side, which a CRC of 32 bits always finds."""
    size = min(4, last - first)
    at = first + dice.below(last - first - size + 1)
    mask = 1 + dice.below((1 << 8 * size) - 1)
    changed = int.from_bytes(data[at : at + size], "big") ^ mask
    return data[:at] + changed.to_bytes(size, "big") + data[at + size :]


def put(data: bytes, at: int, new: bytes) -> bytes:
    """Write over what stands at `at`."""
    return data[:at] + new + data[at + len(new) :]


def int32(number: int) -> bytes:
    """Four bytes of an int32."""
    return (number & 0xFFFFFFFF).to_bytes(4, "big")
