"""Adds up the `done` rows of a run as they come, and keeps none of them.

So the command needs no more memory for a billion batches than for a million: what grows with the
run is the list of its chunks, and one byte for each chunk and target, which tells whether it is
done.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from kafka_conformance.protocol.hello import Hello
from kafka_conformance.scale import plan
from kafka_conformance.scale.plan import Chunk, RunSettings
from kafka_conformance.scale.results.fate import Fate, fate
from kafka_conformance.scale.results.rows import OTHER, Done, TallyRow
from kafka_conformance.scale.results.summary import Symptom, TargetSummary

SYMPTOMS = 1000
"""Most symptoms of a target that are kept apart; a target may put something new into every error
text."""

NOTES = 200
"""Most notes, and most problems, of a target that are kept."""

_SHOWN = 5
_OFTEN = 255


class Counts:
    """The counts of a run so far, by target.

    Attributes:
        chunks: all chunks of the run.
    """

    def __init__(self, settings: RunSettings) -> None:
        """Start with nothing done."""
        self.chunks = plan.chunks(settings)
        self._seen = {target: bytearray(len(self.chunks)) for target in settings.targets}
        self._sums = {target: _Sums() for target in settings.targets}
        self._strange: list[tuple[str, Chunk]] = []

    def add(self, row: Done) -> None:
        """Count a row; a row of another run is only kept for `gaps`."""
        chunk = Chunk(row.chunk, row.start, row.count)
        if row.target not in self._seen or chunk not in self.chunks[max(row.chunk, 0) : row.chunk + 1]:
            self._strange.append((row.target, chunk))
            return
        seen = self._seen[row.target]
        seen[row.chunk] = min(seen[row.chunk] + 1, _OFTEN)
        self._sums[row.target].add(row)

    def remaining(self) -> tuple[Chunk, ...]:
        """The chunks that no target has been through yet."""
        touched = [any(often) for often in zip(*self._seen.values(), strict=True)]
        return tuple(chunk for chunk, done in zip(self.chunks, touched, strict=True) if not done)

    def gaps(self) -> list[str]:
        """Return what is wrong with the rows, in words; empty if each target has each chunk once.

        A chunk that got lost must not pass for a clean one.
        """
        places = [(target, chunk, seen[chunk.number]) for chunk in self.chunks for target, seen in self._seen.items()]
        return [
            *_chunk_lines("missing", [(target, chunk) for target, chunk, often in places if not often]),
            *_chunk_lines("there more than once", [(target, chunk) for target, chunk, often in places if often > 1]),
            *_chunk_lines("not of this run", self._strange),
        ]

    def of_target(self, target: str, hello: Hello) -> TargetSummary:
        """Sum up what one target did."""
        return self._sums[target].summary(target, hello)


class _Sums:
    """The counts of one target."""

    def __init__(self) -> None:
        self._outcomes: Counter[Fate] = Counter()
        self._cells: Counter[tuple[str, str, Fate]] = Counter()
        self._rules: Counter[tuple[str, str, Fate]] = Counter()
        self._symptoms: dict[tuple[Fate, str], _Alike] = {}
        self._given_up = 0
        self._seconds = 0.0
        self._problems: dict[str, None] = {}
        self._notes: dict[str, None] = {}

    def add(self, row: Done) -> None:
        for tally in row.tally:
            self._count(tally)
        self._given_up += row.given_up
        self._seconds += row.seconds
        _remember(self._problems, filter(None, [row.problem]))
        _remember(self._notes, row.notes)

    def _count(self, tally: TallyRow) -> None:
        outcome = fate(tally.outcome)
        self._outcomes[outcome] += tally.batches
        self._cells[tally.format, tally.codec, outcome] += tally.batches
        if tally.fault:
            self._rules[tally.rule, tally.fault, outcome] += tally.batches
        if outcome.is_finding:
            key = (outcome, tally.symptom)
            if key not in self._symptoms and len(self._symptoms) >= SYMPTOMS:
                key = (outcome, OTHER)
            self._symptoms.setdefault(key, _Alike(tally.first)).add(tally)

    def summary(self, target: str, hello: Hello) -> TargetSummary:
        symptoms = [alike.symptom(*key) for key, alike in self._symptoms.items()]
        return TargetSummary(
            target=target,
            hello=hello,
            outcomes=self._outcomes.copy(),
            cells=self._cells.copy(),
            rules=self._rules.copy(),
            symptoms=tuple(sorted(symptoms, key=lambda failures: (-failures.batches, failures.first))),
            given_up=self._given_up,
            seconds=self._seconds,
            problems=tuple(self._problems),
            notes=tuple(self._notes),
        )


class _Alike:
    """Findings that have outcome and symptom in common."""

    def __init__(self, first: int) -> None:
        self._batches = 0
        self._first = first
        self._formats: set[str] = set()
        self._codecs: set[str] = set()
        self._faults: set[str] = set()

    def add(self, tally: TallyRow) -> None:
        self._batches += tally.batches
        self._first = min(self._first, tally.first)
        self._formats.add(tally.format)
        self._codecs.add(tally.codec)
        self._faults |= {tally.fault} - {""}

    def symptom(self, outcome: Fate, symptom: str) -> Symptom:
        formats, codecs, faults = (tuple(sorted(names)) for names in (self._formats, self._codecs, self._faults))
        return Symptom(outcome, symptom, self._batches, self._first, formats, codecs, faults)


def _remember(known: dict[str, None], texts: Iterable[str]) -> None:
    for text in texts:
        if len(known) < NOTES:
            known[text] = None


def _chunk_lines(what: str, pairs: Sequence[tuple[str, Chunk]]) -> list[str]:
    if not pairs:
        return []
    named = ", ".join(f"{chunk.number} of {target}" for target, chunk in pairs[:_SHOWN])
    more = f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
    return [f"chunk {named}{more}: {what}"]
