"""One finding from the batch that the sampler made to the smallest that fails alike."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import monotonic

from kafka_format import sampler
from kafka_format.errors import EncodeError
from kafka_format.sampler import Fault

from kafka_conformance.outcomes import Hello, Outcome, Result
from kafka_conformance.scale import judging
from kafka_conformance.scale.reduction import model
from kafka_conformance.scale.reduction.asking import Asker, kind_of, vector_of
from kafka_conformance.scale.reduction.model import Tree
from kafka_conformance.scale.reduction.shrinking import OutOfBudgetError, shrunk
from kafka_conformance.scale.reduction.telling import telling
from kafka_conformance.vectors import Vector, Verdict

PLACES = 4
"""A fault is done to a candidate in so many places before it counts as failing no more."""

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
    vector, fault = judging.vector_of(block), block.fault_of(0)
    hello, found = asker.hello, asker.ask(vector)
    sound = sampler.twin(batch.seed, batch.index, batch.profile)
    search = _Search(asker, fault, vector, found, lambda: monotonic() - began > seconds)
    limit = HANG_SECONDS if found.outcome is Outcome.HUNG else asker.limits.seconds
    with asker.limited(limit):
        finished = search.run(sound) if found.outcome.is_finding else True
    return _reduced(batch, hello, len(vector.data), search, (asker.calls - calls, monotonic() - began, finished))


class _Search:
    """Asks about candidates, and remembers the last that failed alike."""

    def __init__(self, asker: Asker, fault: Fault, vector: Vector, result: Result, late: Callable[[], bool]) -> None:
        self.vector, self.result = vector, result
        self.tree: Tree = []
        self._asker = asker
        self._fault = fault
        self._kind = kind_of(result)
        self._late = late
        self._seen: dict[bytes, bool] = {}

    def run(self, sound: bytes) -> bool:
        """Reduce, from the sound bytes that the fault was done to; True if nothing is left to try."""
        try:
            tree = model.parse(sound, self.vector.format)
            again = self.fails(tree)
        except OutOfBudgetError:
            return False
        if not again:
            return True
        self.tree, finished = shrunk(tree, self.fails)
        return finished

    def fails(self, tree: Tree) -> bool:
        """Tell whether the target fails on that tree, with the fault done to it, as it did on the batch."""
        try:
            data = model.write(tree)
        except (EncodeError, OverflowError):
            return False
        if not data:
            return False
        codecs = tuple(sorted({model.codec_of(entry) for entry in tree}))
        return any(self._known(one, codecs) for one in self._harmed(data, codecs))

    def _harmed(self, data: bytes, codecs: tuple[str, ...]) -> Iterator[bytes]:
        """Do the fault to sound bytes, in a few places; without a fault, the bytes themselves."""
        if self._fault is sampler.FAULTS[0]:
            yield data
            return
        if vector_of(data, self.vector.format, codecs).verdict is not Verdict.VALID:
            return
        for word in range(1, 1 + PLACES):
            harmed = sampler.done_to(self._fault, data, self.vector.format, codecs[0], word)
            if harmed is not None:
                yield harmed

    def _known(self, data: bytes, codecs: tuple[str, ...]) -> bool:
        if data not in self._seen:
            self._seen[data] = self._ask(data, codecs)
        return self._seen[data]

    def _ask(self, data: bytes, codecs: tuple[str, ...]) -> bool:
        vector = vector_of(data, self.vector.format, codecs, self.vector.flag)
        vector = replace(vector, title=self.vector.title)
        rule = vector.fault.rule if vector.fault else ""
        if vector.verdict != self.vector.verdict or rule != (self.vector.fault.rule if self.vector.fault else ""):
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
