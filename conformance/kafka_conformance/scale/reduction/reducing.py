"""One finding from the batch that the sampler made to the smallest that fails alike."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from kafka_format import sampler
from kafka_format.errors import EncodeError, FormatError

from kafka_conformance.launch import Command, Limits
from kafka_conformance.outcomes import Hello, Outcome, Result
from kafka_conformance.scale.reduction import model
from kafka_conformance.scale.reduction.asking import Asker, Kind, kind_of, vector_of
from kafka_conformance.scale.reduction.model import Tree
from kafka_conformance.scale.reduction.shrinking import OutOfBudgetError, shrunk
from kafka_conformance.vectors import Vector, Verdict

CALLS = 5000
"""Most questions that a finding may cost. Hundreds are usual."""

HANG_SECONDS = 2.0
"""A target that hung has this long for a candidate, or its limit if that is less."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Which generated batch, and what it was put to."""

    target: str
    seed: int
    index: int
    profile: str


@dataclass(frozen=True, slots=True)
class Reduced:
    """What became of a finding.

    Attributes:
        target: name of the target.
        name: the library.
        version: its version.
        seed: of the batch that it was found in.
        index: likewise.
        profile: likewise.
        outcome: how the target fails on the reduced bytes; `passed` if it did not fail again on the batch itself.
        about: the field that differs, or the error text, as in the column `symptom` of findings.
        path: first field that differs.
        expected: its value.
        got: what the target gave.
        detail: the whole story.
        format: of the bytes.
        codec: of the bytes.
        size: bytes of the batch.
        reduced_size: bytes that are left.
        hex: those.
        calls: how often the target was asked.
        seconds: how long that took.
        finished: False if time or calls ran out before nothing was left to try.
    """

    target: str
    name: str
    version: str
    seed: int
    index: int
    profile: str
    outcome: str
    about: str
    path: str
    expected: str
    got: str
    detail: str
    format: str
    codec: str
    size: int
    reduced_size: int
    hex: str
    calls: int
    seconds: float
    finished: bool

    @property
    def data(self) -> bytes:
        """The bytes."""
        return bytes.fromhex(self.hex)

    @property
    def is_finding(self) -> bool:
        """False if the target did not fail again when it was asked about the batch alone."""
        return Outcome(self.outcome).is_finding


def reduce(batch: Batch, command: Command, limits: Limits, seconds: float) -> Reduced:
    """Make a finding small.

    Args:
        batch: where it was found.
        command: starts the target.
        limits: time and memory that the target may take.
        seconds: time to spend.

    Raises:
        TargetLost: the target does not come up.
    """
    began = monotonic()
    block = sampler.one(batch.seed, batch.index, batch.profile)
    vector = vector_of(block.input(0), block.format_of(0), (block.codec_of(0),))
    with Asker(batch.target, command, limits) as first:
        hello, found = first.hello, first.ask(vector)
    if not found.outcome.is_finding:
        return _reduced(batch, hello, vector, vector, found, (1, monotonic() - began, True))
    if found.outcome is Outcome.HUNG:
        limits = replace(limits, seconds=min(limits.seconds, HANG_SECONDS))
    with Asker(batch.target, command, limits) as asker:
        search = _Search(asker, kind_of(found), vector, found, lambda: monotonic() - began > seconds)
        finished = search.run()
    spent = (asker.calls + 1, monotonic() - began, finished)
    return _reduced(batch, hello, vector, search.vector, search.result, spent)


class _Search:
    """Asks about candidates, and remembers the last that failed alike."""

    def __init__(self, asker: Asker, kind: Kind, vector: Vector, result: Result, late: Callable[[], bool]) -> None:
        self.vector, self.result = vector, result
        self._asker = asker
        self._kind = kind
        self._late = late
        self._seen: dict[bytes, bool] = {}

    def run(self) -> bool:
        """Reduce; True if nothing is left to try."""
        try:
            tree = model.parse(self.vector.data, self.vector.format)
            again = self.fails(tree)
        except FormatError:  # invalid on purpose: there is no tree of it
            return True
        except OutOfBudgetError:
            return False
        return shrunk(tree, self.fails)[1] if again else True

    def fails(self, tree: Tree) -> bool:
        """Tell whether the target fails on that tree as it did on the batch."""
        try:
            data = model.write(tree)
        except (EncodeError, OverflowError):
            return False
        if data not in self._seen:
            self._seen[data] = self._ask(data, tree)
        return self._seen[data]

    def _ask(self, data: bytes, tree: Tree) -> bool:
        codecs = tuple(sorted({model.codec_of(entry) for entry in tree})) or ("none",)
        vector = vector_of(data, self.vector.format, codecs)
        if not data or vector.verdict is not Verdict.VALID:
            return False
        if self._late() or self._asker.calls >= CALLS:
            raise OutOfBudgetError
        result = self._asker.ask(vector)
        if kind_of(result) != self._kind:
            return False
        self.vector, self.result = vector, result
        return True


def _reduced(
    batch: Batch, hello: Hello, before: Vector, after: Vector, result: Result, spent: tuple[int, float, bool]
) -> Reduced:
    calls, seconds, finished = spent
    return Reduced(
        target=batch.target,
        name=hello.name,
        version=hello.version,
        seed=batch.seed,
        index=batch.index,
        profile=batch.profile,
        outcome=str(result.outcome),
        about=kind_of(result).about,
        path=result.path,
        expected=result.expected,
        got=result.got,
        detail=result.detail,
        format=after.format,
        codec=" ".join(after.codecs),
        size=len(before.data),
        reduced_size=len(after.data),
        hex=after.data.hex(),
        calls=calls,
        seconds=round(seconds, 3),
        finished=finished,
    )
