"""A fault: a name, what it does to sound bytes, and what they are worth then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, NamedTuple, TypeVar

from kafka_format.sampler.faults.dice import Dice

Sound = TypeVar("Sound")
"""Sound bytes, taken apart."""

ALL: Final = -1
"""As many records as there were."""


class FaultyBytes(NamedTuple):
    """Bytes with a fault that may be accepted, and the records that they then hold.

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
        name: the format and what is done, for example `v2/record-length-beyond`; empty for no
            fault.
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


class DeclaredFault(NamedTuple, Generic[Sound]):
    """A fault, and how it is done: None where it cannot be done to a batch."""

    fault: Fault
    make: Callable[[Sound, Dice], FaultyBytes | bytes | None]


class Faults(Generic[Sound]):
    """The faults of some formats, in an order that never changes."""

    def __init__(self) -> None:
        self.known: list[DeclaredFault[Sound]] = []

    def invalid(self, name: str, rule: str, doc: str) -> Callable[[Callable[[Sound, Dice], bytes | None]], None]:
        """Declare a fault that must be refused.

        The function returns the bytes, or None if it cannot.
        """
        return lambda make: self.known.append(DeclaredFault(Fault(name, rule, "invalid", "", doc), make))

    def valid(self, name: str, rule: str, doc: str) -> Callable[[Callable[[Sound, Dice], FaultyBytes | None]], None]:
        """Declare a change that leaves the bytes valid."""
        return lambda make: self.known.append(DeclaredFault(Fault(name, rule, "valid", "", doc), make))

    def lenient(
        self, name: str, rule: str, flag: str, doc: str
    ) -> Callable[[Callable[[Sound, Dice], FaultyBytes | None]], None]:
        """Declare a fault that a leniency accepts."""
        return lambda make: self.known.append(DeclaredFault(Fault(name, rule, "lenient", flag, doc), make))

    def damage(
        self, name: str, rule: str, flag: str, doc: str
    ) -> Callable[[Callable[[Sound, Dice], bytes | None]], None]:
        """Declare damage that must be refused or, if it has a flag, accepted with all records."""
        if not flag:
            return self.invalid(name, rule, doc)

        def declare(make: Callable[[Sound, Dice], bytes | None]) -> None:
            def accepted(sound: Sound, dice: Dice) -> FaultyBytes | None:
                data = make(sound, dice)
                return None if data is None else FaultyBytes(data)

            self.lenient(name, rule, flag, doc)(accepted)

        return declare
