"""The search for smaller bytes that a target fails on as it did on the batch, and for the parts of them that are why.

A batch without a fault is a tree, and trees are made smaller. Of a batch with one, three things are tried in turn: the
sound bytes without the fault, in case it has nothing to do with it; the bytes with the fault, where they are valid and
a tree tells all of it; and the sound bytes, with the fault done to every candidate anew.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from kafka_format import sampler
from kafka_format.errors import EncodeError
from kafka_format.sampler import Fault

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.reduction import model
from kafka_conformance.scale.reduction.asking import Asker, kind_of, vector_of
from kafka_conformance.scale.reduction.model import Tree
from kafka_conformance.scale.reduction.shrinking import OutOfBudgetError, shrunk
from kafka_conformance.scale.reduction.telling import parts, without
from kafka_conformance.vectors.golden import Vector, Verdict

NO_FAULT = sampler.FAULTS[0]

PLACES = 4
"""A fault is done to a candidate in so many places before it counts as failing no more."""

FIRST_PLACES = 64
"""The same for the sound bytes of the batch itself, before they are given up."""

CALLS = 5000
"""Most questions that a finding may cost. Hundreds are usual."""


class Start(NamedTuple):
    """What a search starts from: a batch, what the target made of it, its sound bytes, and the fault done to them."""

    vector: Vector
    result: Result
    sound: bytes
    fault: Fault


class Search:
    """Asks about candidates, and remembers the last that failed alike.

    Attributes:
        vector: the smallest bytes so far, with what the reference says of them.
        result: what the target made of them.
        tree: the same bytes; those before the fault, where one is done to them.
        fault: what is done to them.
        sound: the bytes before the fault; empty where nothing is done to them.
        redone: False if the fault did not show again when it was done anew, so that nothing could be made smaller.
    """

    def __init__(self, asker: Asker, start: Start, late: Callable[[], bool], told: Callable[[Vector], None]) -> None:
        """Take what was found; `late` says when time is over, `told` hears of the smallest bytes now and then."""
        self.vector, self.result, sound, self.fault = start
        self.tree = model.parse(sound, self.vector.format)
        self.sound = b"" if self.fault is NO_FAULT else sound
        self.redone = True
        self._asker = asker
        self._due = self.vector
        self._kind = kind_of(self.result)
        self._late, self._told = late, told
        self._most = asker.calls + CALLS
        self._places = PLACES
        self._seen: dict[tuple[str, bytes], Result | None] = {}

    def run(self) -> bool:
        """Reduce; True if nothing is left to try."""
        try:
            for fault, tree in self._starts(self.tree, self.vector):
                if self._starts_with(fault, tree):
                    self.tree, finished = shrunk(tree, self.fails)
                    return finished
        except OutOfBudgetError:
            return False
        self.redone = False
        return True

    def why(self) -> tuple[tuple[str, ...], bool]:
        """Return the parts of the tree without which the target is right, and whether there are such.

        The fault alone, where one is done. All parts where the target fails, in another way, without any one of them.

        Raises:
            OutOfBudgetError: there was no time to ask.
        """
        if self.sound:
            return (self.fault.name,), self._passes(self.tree)
        told = parts(self.tree)
        found = tuple(part.text for part in told if self._passes(without(self.tree, part)))
        return found or tuple(part.text for part in told), bool(found)

    def fails(self, tree: Tree) -> bool:
        """Tell whether the target fails on that tree, with the fault done to it, as it did on the batch."""
        self._check_budget()
        data = _written(tree)
        if not data:
            return False
        codecs = tuple(sorted({model.codec_of(entry) for entry in tree}))
        for one in self._harmed(data, codecs):
            if self._fails_alike(one, codecs):
                self.sound = b"" if self.fault is NO_FAULT else data
                return True
        return False

    def _starts(self, sound: Tree, harmed: Vector) -> Iterator[tuple[Fault, Tree]]:
        fault = self.fault
        yield NO_FAULT, sound
        if fault is NO_FAULT:
            return
        if harmed.verdict is Verdict.VALID:
            yield NO_FAULT, model.parse(harmed.data, harmed.format)
        self._places = FIRST_PLACES
        yield fault, sound

    def _starts_with(self, fault: Fault, tree: Tree) -> bool:
        before, self.fault = self.fault, fault
        if self.fails(tree):
            self._places = PLACES
            return True
        self.fault = before
        return False

    def _harmed(self, data: bytes, codecs: tuple[str, ...]) -> Iterator[bytes]:
        """Do the fault to sound bytes, in a few places; without a fault, the bytes themselves."""
        if self.fault is NO_FAULT:
            yield data
            return
        if vector_of(data, self.vector.format, codecs).verdict is not Verdict.VALID:
            return
        for word in range(1, 1 + self._places):
            harmed = sampler.done_to(self.fault, data, self.vector.format, codecs[0], word)
            if harmed is not None:
                yield harmed

    def _fails_alike(self, data: bytes, codecs: tuple[str, ...]) -> bool:
        vector = vector_of(data, self.vector.format, codecs, self.fault.flag)
        vector = replace(vector, title=self.fault.doc)
        if self.fault is NO_FAULT:
            if vector.verdict is not Verdict.VALID:
                return False
        elif (vector.verdict, _broken(vector)) != (self._due.verdict, _broken(self._due)):
            return False
        result = self._asked(vector)
        if kind_of(result) != self._kind:
            return False
        self.vector, self.result = vector, result
        self._told(self.vector)
        return True

    def _passes(self, tree: Tree) -> bool:
        """Tell whether the target is right about a tree as it is."""
        data = _written(tree)
        vector = vector_of(data, self.vector.format, tuple(sorted({model.codec_of(entry) for entry in tree})))
        if not data or vector.verdict is not Verdict.VALID:
            return False
        return self._asked(vector).outcome is Outcome.PASSED

    def _asked(self, vector: Vector) -> Result:
        known = self._seen.get((vector.flag, vector.data))
        if known is None:
            self._check_budget()
            known = self._seen[vector.flag, vector.data] = self._asker.ask(vector)
            self._told(self.vector)
        return known

    def _check_budget(self) -> None:
        if self._late() or self._asker.calls >= self._most:
            raise OutOfBudgetError


def _broken(vector: Vector) -> str:
    return vector.fault.rule if vector.fault else ""


def _written(tree: Tree) -> bytes:
    """The bytes of a tree; none where a value does not fit."""
    try:
        return model.write(tree)
    except (EncodeError, OverflowError):
        return b""
