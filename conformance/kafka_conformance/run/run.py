"""One run, as data: when, with what, on which targets, with what results, how it ended."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run.comparison import Comparison
from kafka_conformance.run.header import Footer, RunHeader
from kafka_conformance.run.target import Target
from kafka_conformance.vectors.vector import Vector


@dataclass(frozen=True, slots=True)
class Run:
    """Everything about one run.

    Attributes:
        header: when, where and with what.
        targets: who took part, in the order they were named.
        vectors: what was put to them.
        results: what came of it, by target, then in the order of the vectors.
        footer: how it ended.
        known_problems: entries of the known-failures files that are not true, each in words.
        known_half_asked: entries whose cause did not show, where a part alone was put of what
            may show it, each in words.
        comparison: what changed since an earlier run, if one was named.
        diagnoses: what the findings of each target come from, by its name.
    """

    header: RunHeader
    targets: tuple[Target, ...]
    vectors: tuple[Vector, ...]
    results: tuple[Result, ...]
    footer: Footer
    known_problems: tuple[str, ...] = ()
    known_half_asked: tuple[str, ...] = ()
    comparison: Comparison | None = None
    diagnoses: Mapping[str, Diagnosis] = field(default_factory=dict)

    def of(self, target: str) -> Iterator[Result]:
        """Yield the results of one target, in the order of the vectors."""
        return (result for result in self.results if result.target == target)

    @property
    def came_up(self) -> tuple[Target, ...]:
        """The targets that were asked anything."""
        return tuple(target for target in self.targets if target.hello is not None)

    def counts(self, target: str) -> Counter[Outcome]:
        """Count the outcomes of one target."""
        return Counter(result.outcome for result in self.of(target))

    @property
    def findings(self) -> tuple[Result, ...]:
        """The results that disagree with the specification and are not known failures."""
        return tuple(result for result in self.results if result.is_finding and not result.known)
