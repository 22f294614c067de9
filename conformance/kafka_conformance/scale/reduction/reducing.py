"""One finding from the batch that the sampler made to the smallest that fails alike."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from kafka_format import sampler
from kafka_format.errors import EncodeError, FormatError

from kafka_conformance.outcomes import Hello, Outcome, Result
from kafka_conformance.scale.reduction import model
from kafka_conformance.scale.reduction.asking import Asker, Kind, kind_of, vector_of
from kafka_conformance.scale.reduction.model import Tree
from kafka_conformance.scale.reduction.shrinking import OutOfBudgetError, shrunk
from kafka_conformance.scale.reduction.telling import telling
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
        telling: the fields that matter, with their values.
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
    telling: tuple[str, ...]
    finished: bool

    @property
    def data(self) -> bytes:
        """The bytes."""
        return bytes.fromhex(self.hex)

    @property
    def is_finding(self) -> bool:
        """False if the target did not fail again when it was asked about the batch alone."""
        return Outcome(self.outcome).is_finding


@dataclass(frozen=True, slots=True)
class Reductions:
    """What came of a run.

    Attributes:
        reduced: one of each kind that there was time for.
        left: kinds that are left.
        problems: why some could not be reduced, in words.
    """

    reduced: tuple[Reduced, ...] = ()
    left: int = 0
    problems: tuple[str, ...] = ()


def reduce(batch: Batch, asker: Asker, seconds: float) -> Reduced:
    """Make a finding small.

    Args:
        batch: where it was found.
        asker: the target; it may serve several findings.
        seconds: time to spend.

    Raises:
        TargetLost: the target does not come up.
    """
    began, calls = monotonic(), asker.calls
    block = sampler.one(batch.seed, batch.index, batch.profile)
    vector = vector_of(block.input(0), block.format_of(0), (block.codec_of(0),))
    hello, found = asker.hello, asker.ask(vector)
    search = _Search(asker, kind_of(found), vector, found, lambda: monotonic() - began > seconds)
    limit = HANG_SECONDS if found.outcome is Outcome.HUNG else asker.limits.seconds
    with asker.limited(limit):
        finished = search.run() if found.outcome.is_finding else True
    return _reduced(batch, hello, len(vector.data), search, (asker.calls - calls, monotonic() - began, finished))


class _Search:
    """Asks about candidates, and remembers the last that failed alike."""

    def __init__(self, asker: Asker, kind: Kind, vector: Vector, result: Result, late: Callable[[], bool]) -> None:
        self.vector, self.result = vector, result
        self.tree: Tree = []
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
        if not again:
            return True
        self.tree, finished = shrunk(tree, self.fails)
        return finished

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


def _reduced(batch: Batch, hello: Hello, size: int, search: _Search, spent: tuple[int, float, bool]) -> Reduced:
    calls, seconds, finished = spent
    result, vector = search.result, search.vector
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
        format=vector.format,
        codec=" ".join(vector.codecs),
        size=size,
        reduced_size=len(vector.data),
        hex=vector.data.hex(),
        calls=calls,
        seconds=round(seconds, 3),
        telling=telling(search.tree),
        finished=finished,
    )
