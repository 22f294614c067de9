"""One run, as data: when and with what it was made, who took part, what came of it, and how it ended."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kafka_conformance.outcomes import Outcome, Result, Target
from kafka_conformance.runs.comparison import Comparison
from kafka_conformance.vectors.golden import Vector


@dataclass(frozen=True, slots=True)
class Header:
    """When, where and with what a run was made.

    Attributes:
        suite_version: version of this distribution, vectors included.
        vectors_digest: SHA-256 of the ids and bytes of the vectors that were put, 16 hex digits: the same for two runs
            over the same vectors.
        libraries: versions of the libraries that the suite itself reads codecs and checksums with.
        protocol: version of the adapter protocol.
        started: date and time in UTC, ISO 8601.
        platform: operating system, machine and Python version.
        command: the command line, so that the run can be made again.
    """

    suite_version: str
    protocol: int
    started: str
    platform: str
    command: str = ""
    vectors_digest: str = ""
    libraries: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Footer:
    """How a run ended.

    Attributes:
        finished: date and time in UTC, ISO 8601.
        seconds: length of the run.
        interrupted: True if it was stopped before every vector was put; the results are still sound.
    """

    finished: str
    seconds: float
    interrupted: bool = False


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
        comparison: what changed since an earlier run, if one was named.
    """

    header: Header
    targets: tuple[Target, ...]
    vectors: tuple[Vector, ...]
    results: tuple[Result, ...]
    footer: Footer
    known_problems: tuple[str, ...] = ()
    comparison: Comparison | None = None

    def of(self, target: str) -> Iterator[Result]:
        """Yield the results of one target, in the order of the vectors."""
        return (result for result in self.results if result.target == target)

    def counts(self, target: str) -> Counter[Outcome]:
        """Count the outcomes of one target."""
        return Counter(result.outcome for result in self.of(target))

    @property
    def findings(self) -> tuple[Result, ...]:
        """The results that disagree with the specification and are not known failures."""
        return tuple(result for result in self.results if result.is_finding and not result.known)
