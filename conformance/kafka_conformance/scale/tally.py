"""Counts the results of one target in one chunk, and keeps findings."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.batches import Batches, Checked, Sort
from kafka_conformance.scale.message_batches import Messages
from kafka_conformance.scale.plan import RunSettings
from kafka_conformance.scale.results.fate import NotPut
from kafka_conformance.scale.results.rows import DETAIL_LENGTH, HEX_BYTES, NONE, OTHER, FindingRow, TallyRow, symptom

KEPT_A_SYMPTOM = 3
KEPT_A_CHUNK = 30
"""Findings of a chunk that are kept with their bytes; all are counted."""

SYMPTOMS_A_CHUNK = 50

_PASSED = str(Outcome.PASSED)


class _Key(NamedTuple):
    """The properties of batches that are counted together."""

    sort: Sort
    outcome: str = _PASSED
    symptom: str = ""


class ChunkTally:
    """The counts of one target in one chunk.

    Attributes:
        findings: those that are kept.
        seconds: time that was spent on the target.
    """

    def __init__(self, settings: RunSettings, target: str) -> None:
        """Begin with no batch."""
        self.findings: list[FindingRow] = []
        self.seconds = 0.0
        self._settings = settings
        self._target = target
        self._counts: Counter[_Key] = Counter()
        self._first: dict[_Key, int] = {}
        self._kept: Counter[tuple[str, str, str]] = Counter()
        self._symptoms: set[str] = set()

    def add(self, batches: Batches | Messages, checked: Checked) -> None:
        """Count the batches of a block, and keep findings as long as they show something new."""
        for sort, number in batches.sorts.items():
            self._counts[_Key(sort)] += number
        for number in (*checked.results, *checked.skipped, *checked.not_put):
            self._counts[_Key(batches.sort(number))] -= 1
        for number in sorted(checked.skipped):
            self._count(_Key(batches.sort(number), str(NotPut.SKIPPED)), batches.start + number)
        for number, result in sorted(checked.results.items()):
            key = _Key(batches.sort(number), str(result.outcome), self._limit(symptom(result)))
            self._count(key, batches.start + number)
            if result.is_finding and self._keeps(key):
                self.findings.append(self._finding(batches, number, result, key))

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time that is spent on the target."""
        began = perf_counter()
        yield
        self.seconds += perf_counter() - began

    def rows(self) -> tuple[TallyRow, ...]:
        """Return a row for every sort of batches, outcome and symptom that there was."""
        counted = sorted((key, number) for key, number in self._counts.items() if number)
        return tuple(self._row(key, number) for key, number in counted)

    def _count(self, key: _Key, index: int) -> None:
        self._counts[key] += 1
        self._first.setdefault(key, index)

    def _row(self, key: _Key, number: int) -> TallyRow:
        sort = key.sort
        first = self._first.get(key, NONE)
        return TallyRow(sort.format, sort.codec, key.outcome, key.symptom, number, first, sort.fault, sort.rule)

    def _limit(self, text: str) -> str:
        """Keep the symptoms few, should a target put something new into every error text."""
        self._symptoms.add(text if len(self._symptoms) < SYMPTOMS_A_CHUNK else OTHER)
        return text if text in self._symptoms else OTHER

    def _keeps(self, key: _Key) -> bool:
        alike = (key.outcome, key.symptom, key.sort.fault)
        if self._kept[alike] >= KEPT_A_SYMPTOM or len(self.findings) >= KEPT_A_CHUNK:
            return False
        self._kept[alike] += 1
        return True

    def _finding(self, batches: Batches | Messages, number: int, result: Result, key: _Key) -> FindingRow:
        data = batches.input(number)
        return FindingRow(
            target=self._target,
            seed=self._settings.seed,
            index=batches.start + number,
            profile=self._settings.profile,
            format=key.sort.format,
            codec=key.sort.codec,
            outcome=key.outcome,
            symptom=key.symptom,
            path=result.path,
            expected=result.expected,
            got=result.got,
            detail=result.detail[:DETAIL_LENGTH],
            fault=key.sort.fault,
            rule=key.sort.rule,
            size=len(data),
            hex=data[:HEX_BYTES].hex(),
        )
