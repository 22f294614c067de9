"""What a target does not do at all: read a format, a codec, headers or anything, or refuse.

Such a target fails what many wrong decoders fail, and in the same way, so that their names would
say nothing. Here the failures say it themselves: all that has a feature fails, and most of what has
it not passes. A signature is believed all the same if it foresees more than that: which field is
wrong, or failures of what has no such feature.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from kafka_tools.text import plural

from kafka_conformance.diagnosis.features import ALL, EMPTY, Feature, by_feature
from kafka_conformance.diagnosis.match import Match
from kafka_conformance.diagnosis.signature import GENERAL
from kafka_conformance.diagnosis.symptom import ACCEPTED, ANY, ANY_FIELD, LOST, REFUSED, field_of, of_outcome
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Vector, Verdict

_NEARLY_ALL: Final = 0.9
"""What of the valid vectors with a feature fails, if the target does not do it; some may pass by
chance."""

_MOST: Final = 0.9
"""What of the failures has a kind, if that kind is said; and what a signature explains of them, if
it is named."""

_REFUSES_LITTLE: Final = 0.8
"""What is accepted of all that should be refused, if the target looks for nothing: some of it fails
by itself."""

_UNFINISHED: Final = 0.6
"""The same for a target that does not read everything either: its checks are not written yet."""

_OTHERS_PASS: Final = 0.1
"""What passes of the vectors without the feature, or the feature says nothing."""

_FEWEST: Final = 10
"""So many vectors have a feature, if anything is said about it; the empty input is alone."""

_MORE: Final = 0.1
"""What a signature foresees beyond the feature, of all that it explains, if it is believed."""

_CHANCE: Final = 0.05
"""What a signature foresees to fail, and passes, of all that it explains, if it is believed."""

_NO_FIELDS: Final = (REFUSED, ACCEPTED, LOST, ANY, ANY_FIELD)
_NO_RECORDS: Final = "0 records"
_GIVES_NOTHING: Final = "gives no record"
_GIVES_THE_SAME: Final = "gives the same answer to"
_SWALLOWS: Final = "gives an answer without records where it should refuse"

_DOES: Final = {
    Outcome.REFUSED_VALID: "refuses",
    Outcome.PARTIAL_ANSWER: "gives some records, then an error, of",
    Outcome.CRASHED: "crashes on",
    Outcome.HUNG: "hangs on",
    Outcome.OUT_OF_MEMORY: "takes too much memory on",
    Outcome.BROKEN_PROTOCOL: "breaks the adapter protocol on",
    Outcome.FLAKY: "gives now this, now that of",
}


class Omission(NamedTuple):
    """Something that a target does not do at all.

    Attributes:
        id: stable name: `missing/v1`, `missing/refusals`.
        does: what a decoder does that does not do it, as a sentence without its subject.
        note: the figures, and what can be done about it.
        findings: ids of the vectors that fail because of it.
        alike: ids of signatures that these vectors do not tell from it.
    """

    id: str
    does: str
    note: str
    findings: frozenset[str]
    alike: tuple[str, ...] = ()


def omissions(
    asked: Mapping[str, Result], vectors: Mapping[str, Vector], matches: Sequence[Match], explained: Collection[str]
) -> list[Omission]:
    """Return what a target does not do at all, the largest first.

    Args:
        asked: what came of each vector, in one direction.
        vectors: the vectors by id.
        matches: all signatures that may explain anything.
        explained: findings that what is known of the library explains.
    """
    put = {name: result for name, result in asked.items() if result.outcome.was_asked}
    failed = [name for name, result in put.items() if result.is_finding]
    if len(failed) < _NEARLY_ALL * _FEWEST and all(vectors[name].data for name in failed):
        return []  # without a look at what each vector has, for so few show no feature but the empty input
    looked = _Looked(put, vectors, explained)
    features = by_feature(vectors[name] for name in put)
    unread = looked.lost() or list(looked.unread(features))
    everywhere = frozenset[str]().union(*(omission.findings for omission in unread))
    kept = [omission for omission in unread if not any(_says_more(match, omission, everywhere) for match in matches)]
    kept += looked.unrefused(frozenset[str]().union(*(omission.findings for omission in kept)))
    return [looked.whole(omission, features)._replace(alike=tuple(_alike(omission, matches))) for omission in kept]


class _Looked:
    """What came of the vectors, as sets of ids."""

    def __init__(self, put: Mapping[str, Result], vectors: Mapping[str, Vector], explained: Collection[str]) -> None:
        self._put = put
        self._told = set(explained)
        self._failed = {name for name, result in put.items() if result.is_finding}
        self._valid = {name for name in put if vectors[name].verdict is Verdict.VALID}
        self._invalid = {name for name in put if vectors[name].verdict is Verdict.INVALID}

    def lost(self) -> list[Omission]:
        """Return that it is lost on everything, valid or not, if it is."""
        lost = [name for name in self._failed if of_outcome(self._put[name].outcome) == LOST]
        if len(lost) < max(_FEWEST, _NEARLY_ALL * len(self._put)) or not self._told.isdisjoint(lost):
            return []
        note = f"no answer comes to {len(lost)} of {plural(len(self._put), 'input')}"
        return [Omission(f"missing/{ALL.id}", self._does(lost, ALL), note, frozenset(self._failed))]

    def unread(self, features: Mapping[Feature, set[str]]) -> Iterator[Omission]:
        """Yield what it does not read: of what has the feature, nearly all that is valid fails."""
        taken = set[str]()
        for feature, names in features.items():
            failed = names & self._failed - taken - self._told
            if self._is_unread(feature, names & self._valid, failed, self._valid - names - taken):
                does = self._does(failed & self._valid, feature)
                if names & self._valid - self._failed:
                    does = does.replace("everything", "nearly everything")
                note = self._note(names & self._valid, self._valid - names - taken)
                note = "; ".join(filter(None, (note, feature.advice)))
                yield Omission(f"missing/{feature.id}", does, note, frozenset(failed))
                taken |= failed

    def _is_unread(self, feature: Feature, valid: set[str], new: set[str], others: set[str]) -> bool:
        """Tell whether what has a feature fails, the rest does not, and most is not said yet."""
        failed = valid & self._failed
        if len(valid) < (1 if feature is EMPTY else _FEWEST) or len(failed) < _NEARLY_ALL * len(valid):
            return False
        passes = feature is ALL or len(others - self._failed) >= _OTHERS_PASS * len(others)
        return passes and len(new & valid) > len(failed) / 2

    def _note(self, valid: set[str], others: set[str]) -> str:
        passed = f"{len(valid - self._failed)} of {plural(len(valid), 'valid input')} pass"
        return f"{passed}, and {len(others - self._failed)} of {len(others)} others" if others else passed

    def unrefused(self, taken: Collection[str]) -> Iterator[Omission]:
        """Yield that it does not refuse: most of the wrong bytes are accepted, or end it."""
        put = self._invalid.difference(taken)
        wrong = self._not_refused(put)
        least = _UNFINISHED if taken else _REFUSES_LITTLE
        if len(wrong - self._told) < max(_FEWEST, least * len(put)):
            return
        note = f"{len(put) - len(wrong)} of {plural(len(put), 'invalid input')} are refused"
        does = self._instead(wrong)
        if does == _SWALLOWS:
            lenient = self._failed.difference(taken, self._valid, self._invalid)
            wrong |= {name for name in lenient if self._put[name].got == _NO_RECORDS}
        yield Omission("missing/refusals", does, note, frozenset(wrong - self._told))

    def _not_refused(self, put: Collection[str]) -> set[str]:
        """Return what it fails of the bytes to refuse; without its crashes, if most is accepted."""
        wrong = self._failed.intersection(put)
        lost = {name for name in wrong if of_outcome(self._put[name].outcome) == LOST}
        return wrong - lost if len(lost) < (1 - _MOST) * len(wrong) else wrong

    def whole(self, omission: Omission, features: Mapping[Feature, set[str]]) -> Omission:
        """Return an omission with all that shows it, also what an omission before it explains."""
        names = next(
            (names for feature, names in features.items() if omission.id == f"missing/{feature.id}"), set[str]()
        )
        return omission._replace(findings=omission.findings | (names & self._failed - self._told))

    def _does(self, failed: Collection[str], feature: Feature) -> str:
        """Return what it does instead of reading, if it is mostly one thing."""
        results = [self._put[name] for name in failed]
        outcome, count = Counter(result.outcome for result in results).most_common(1)[0]
        if count < _MOST * len(results):
            return f"fails on {feature.words}, in different ways"
        if outcome in _DOES:
            return f"{_DOES[outcome]} {feature.words}"
        if _mostly(results, lambda result: (result.path, result.got) == ("records", _NO_RECORDS)):
            return f"{_GIVES_NOTHING} of {feature.words}"
        if feature.misread:
            return feature.misread
        verb = _GIVES_THE_SAME if self._answers_alike() else _misreads(results)
        return f"{verb} {feature.words}"

    def _answers_alike(self) -> bool:
        """Tell whether all answers are the same that came."""
        answers = [result.answer for result in self._put.values() if result.answer is not None]
        return len(answers) >= _FEWEST and all(answer == answers[0] for answer in answers)

    def _instead(self, wrong: Collection[str]) -> str:
        """Say what it does instead of refusing."""
        results = [self._put[name] for name in wrong]
        if _mostly(results, lambda result: of_outcome(result.outcome) == LOST):
            return "crashes or hangs where it should refuse"
        if _mostly(results, lambda result: result.got == _NO_RECORDS):
            return _SWALLOWS
        return "refuses little of what it should refuse"


def _misreads(results: Sequence[Result]) -> str:
    field, count = Counter(field_of(result.path) for result in results).most_common(1)[0]
    if count < _MOST * len(results):
        return "gives wrong answers to"
    return f"gets the {'number of records' if field == 'records' else field} wrong in"


def _mostly(results: Sequence[Result], holds: Callable[[Result], bool]) -> bool:
    return sum(map(holds, results)) >= _MOST * len(results)


def _says_more(match: Match, omission: Omission, everywhere: Collection[str]) -> bool:
    """Tell whether a signature says more than what is missing: a field, or other failures."""
    if omission.does.startswith((_GIVES_NOTHING, _GIVES_THE_SAME)) or not _explains(match, omission):
        return False
    fields = sum(match.signature.fails.get(name) not in {None, *_NO_FIELDS} for name in match.exact)
    return max(fields, len(match.exact - set(everywhere))) > _MORE * len(match.exact)


def _explains(match: Match, omission: Omission) -> bool:
    if match.signature.target == GENERAL or match.passed > _CHANCE * len(match.exact):
        return False
    return len(match.exact & omission.findings) >= _MOST * len(omission.findings)


def _alike(omission: Omission, matches: Iterable[Match]) -> Iterator[str]:
    """Yield the signatures that explain it too, the one that fits best first."""
    fit = [match for match in matches if _explains(match, omission)]
    yield from (match.signature.id for match in sorted(fit, key=lambda match: (match.passed, -len(match.exact))))
