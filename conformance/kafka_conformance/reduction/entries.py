"""Record batches and messages as the subject of a search: as they are, or with a fault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kafka_format.errors import EncodeError

from kafka_conformance.judging.result import Result
from kafka_conformance.reduction import tree as trees
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.reduction.judged_bytes import JudgedBytes, judged
from kafka_conformance.reduction.shrink import OF_ENTRIES, Step
from kafka_conformance.reduction.tree import Part, Tree
from kafka_conformance.vectors.vector import Verdict

if TYPE_CHECKING:
    from kafka_format.sampler import Fault

Expectation = tuple[Verdict, str]
"""What the reference says of bytes: the verdict, and the rule that they break."""

_VALID: Final = (Verdict.VALID, "")


class Entries:
    """Trees of entries, each of which stands for its bytes, or for these with a fault.

    Attributes:
        steps: how a tree is made smaller.
        fault: what is done to the bytes; None if they are put as they are.
        places: in how many places the fault is done to a tree before it counts as one that does not
            fail.
    """

    steps: Sequence[Step] = OF_ENTRIES

    def __init__(
        self,
        asker: Asker,
        version: str,
        fault: Fault | None = None,
        expected: Expectation = _VALID,
        places: int = 1,
    ) -> None:
        """Keep what is asked.

        Args:
            asker: the target.
            version: the format of the entries.
            fault: what is done to them; None for nothing.
            expected: what the reference has to say of the input.
            places: in how many places it is done to a tree.
        """
        self.fault, self.places = fault, places
        self._asker, self._version, self._expected = asker, version, expected

    @property
    def calls(self) -> int:
        """Questions to the target so far."""
        return self._asker.calls

    def inputs(self, tree: Tree) -> Iterator[JudgedBytes]:
        """Yield the bytes of a tree, with the fault in one place after another."""
        data, codecs = written(tree), codecs_of(tree)
        if not data:
            return
        for harmed in self._harm(data, codecs):
            flag, title = (self.fault.flag, self.fault.doc) if self.fault is not None else ("", "")
            asked = replace(judged(harmed, self._version, codecs, flag), title=title)
            if expectation(asked) == self._expected:
                yield asked

    def bare(self, tree: Tree) -> JudgedBytes | None:
        """Return the bytes of a tree without a fault; None if they are not valid."""
        data = written(tree)
        asked = judged(data, self._version, codecs_of(tree))
        return asked if data and asked.verdict is Verdict.VALID else None

    def ask(self, asked: JudgedBytes) -> Result:
        """Have the target decode bytes."""
        return self._asker.ask(asked)

    def key(self, asked: JudgedBytes) -> tuple[str, bytes]:
        """Return the bytes, and the flag that decides how they are judged."""
        return asked.flag, asked.data

    def parts(self, tree: Tree) -> list[Part]:
        """Return what is not at its simplest."""
        return trees.parts(tree)

    def without(self, tree: Tree, part: Part) -> Tree:
        """Return a copy of a tree with the simplest value in place of a part."""
        return trees.without(tree, part)

    def _harm(self, data: bytes, codecs: tuple[str, ...]) -> Iterator[bytes]:
        """Do the fault to valid bytes, in a few places; without a fault, the bytes themselves."""
        if self.fault is None:
            yield data
            return
        from kafka_format.sampler import apply_fault  # noqa: PLC0415 - numpy, which a run of vectors does not need

        if judged(data, self._version, codecs).verdict is not Verdict.VALID:
            return
        for word in range(1, 1 + self.places):
            harmed = apply_fault(self.fault, data, self._version, codecs[0], word)
            if harmed is not None:
                yield harmed


def expectation(asked: JudgedBytes) -> Expectation:
    """Return what the reference says of bytes."""
    return asked.verdict, asked.fault.rule if asked.fault else ""


def codecs_of(tree: Tree) -> tuple[str, ...]:
    """Return the codecs of the entries of a tree, each once."""
    return tuple(sorted({trees.codec_of(entry) for entry in tree}))


def written(tree: Tree) -> bytes:
    """Return the bytes of a tree; none if a value does not fit."""
    try:
        return trees.write(tree)
    except (EncodeError, OverflowError):
        return b""
