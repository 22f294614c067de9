"""The search for the smallest input on which a target still fails in the same way.

An input is a tree (see `tree` and `message_tree`). A subject knows how a tree is written, judged by
the reference and asked about; so the search is the same for bytes of records, for bytes that a
fault is done to, and for requests and responses.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from time import monotonic
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reduction.shrink import OutOfBudgetError, Step, shrink
from kafka_conformance.reduction.tree import Part, Tree

_Asked = TypeVar("_Asked")


class Subject(Protocol[_Asked]):
    """Inputs that trees stand for, which a target can be asked about."""

    @property
    def steps(self) -> Sequence[Step]:
        """The steps that make a tree smaller, in this order."""

    @property
    def calls(self) -> int:
        """Questions to the target so far, of this search and of others."""

    def inputs(self, tree: Tree) -> Iterator[_Asked]:
        """Yield the inputs that a tree stands for; none if it cannot be written or is no case."""

    def bare(self, tree: Tree) -> _Asked | None:
        """Return the input of a tree alone, to which nothing is done; None if it is not valid."""

    def ask(self, asked: _Asked) -> Result:
        """Ask the target about an input, and judge its reply."""

    def key(self, asked: _Asked) -> Hashable:
        """Return what two inputs have in common that are answered alike."""

    def parts(self, tree: Tree) -> Sequence[Part]:
        """Return what is not at its simplest."""

    def without(self, tree: Tree, part: Part) -> Tree:
        """Return a copy of a tree with the simplest value in place of a part."""


class Budget:
    """The time and the questions that a search may take."""

    def __init__(self, seconds: float, last_call: float = float("inf")) -> None:
        """Start the clock; `last_call` is the number of calls of the asker that ends the search."""
        self._until: Final = monotonic() + seconds
        self._last_call: Final = last_call

    def check(self, calls: int) -> None:
        """Check that there is some left, after so many calls.

        Raises:
            OutOfBudgetError: there is none.
        """
        if monotonic() > self._until or calls >= self._last_call:
            raise OutOfBudgetError


class Cause(NamedTuple):
    """The parts that must be removed for the target to answer correctly.

    Attributes:
        parts: each of which is enough by itself; or all together, if none is.
        is_proven: True if the target was right without one of them.
    """

    parts: Sequence[Part]
    is_proven: bool


class Search(Generic[_Asked]):
    """Asks about ever smaller trees, and remembers the last one that failed in the same way.

    Attributes:
        tree: the smallest tree that failed.
        smallest: the input that it stands for.
        result: what the target did with it.
    """

    def __init__(
        self,
        subject: Subject[_Asked],
        tree: Tree,
        is_alike: Callable[[Result], bool],
        budget: Budget,
        on_change: Callable[[_Asked | None], object] = lambda _: None,
    ) -> None:
        """Begin with a tree.

        Args:
            subject: what trees stand for.
            tree: one on which the target fails.
            is_alike: whether a result is the failure that is looked for.
            budget: what the search may take.
            on_change: is called after each question, with the smallest input so far.
        """
        self.tree = tree
        self.smallest: _Asked | None = None
        self.result: Result | None = None
        self._subject, self._is_alike, self._budget, self._on_change = subject, is_alike, budget, on_change
        self._known: dict[Hashable, Result] = {}

    def run(self) -> bool:
        """Make the tree smaller; return whether everything was tried."""
        self.tree, is_finished = shrink(self.tree, self.fails, self._subject.steps)
        return is_finished

    def fails(self, tree: Tree) -> bool:
        """Tell whether the target fails on a tree in the same way; keep it if so.

        Raises:
            OutOfBudgetError: there was no time to ask.
        """
        for asked in self._subject.inputs(tree):
            result = self._ask(asked)
            if self._is_alike(result):
                self.smallest, self.result = asked, result
                self._on_change(asked)
                return True
        return False

    def passes(self, tree: Tree) -> bool:
        """Tell whether the target is right about the input of a tree alone.

        Raises:
            OutOfBudgetError: there was no time to ask.
        """
        asked = self._subject.bare(tree)
        return asked is not None and self._ask(asked).outcome is Outcome.PASSED

    def cause(self) -> Cause:
        """Find the parts without which the target is right: each one alone, or else all together.

        Raises:
            OutOfBudgetError: there was no time to ask.
        """
        parts = self._subject.parts(self.tree)
        enough = [part for part in parts if self.passes(self._subject.without(self.tree, part))]
        return Cause(enough or parts, bool(enough))

    def _ask(self, asked: _Asked) -> Result:
        key = self._subject.key(asked)
        if key not in self._known:
            self._budget.check(self._subject.calls)
            self._known[key] = self._subject.ask(asked)
            self._on_change(self.smallest)
        return self._known[key]
