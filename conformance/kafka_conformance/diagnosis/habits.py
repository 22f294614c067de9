"""What a target always does to answers: it gives the right ones, changed in one simple way.

The whole answers say so, not only the first field that differs. A transformation is believed where
answer after answer is the right one, changed so, in the fields that it changes; and where nearly
none that it would change is right: in everything, or in one format or codec. A target may have
several, one on top of the other. What they explain together they explain wholly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.errors import FormatError
from kafka_format.records import Record
from kafka_format.records.budget import DEFAULT_RECORDS, Budget
from kafka_format.records.decoding import by_entry

from kafka_conformance.diagnosis.changes import Change, Entries
from kafka_conformance.diagnosis.match import Match
from kafka_conformance.diagnosis.signature import GENERAL
from kafka_conformance.diagnosis.transformations import Transformation, transformations
from kafka_conformance.judging.difference import visible
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Vector

_LONGEST: Final = 1_000
"""Records in the longest answer that is put to all transformations; longer ones to those found."""

_FEWEST: Final = 3
"""So many answers are the right ones, changed in one way, if it is a habit."""

_CHANCE: Final = 0.05
"""What is right, though the transformation would have changed it, of what it explains."""

_NEARLY_ALL: Final = 0.9
"""What of all that it explains is in one format or codec, if it is told of that alone; and what a
named wrong decoder explains of it, if that is named instead."""

_MOST_HABITS: Final = 6


ALWAYS: Final = "always/"
"""How the ids of habits begin that no mutant has."""


class Habit(NamedTuple):
    """One thing that a target always does to answers.

    Attributes:
        id: stable name: `always/headers-dropped`, or that of the mutant that does the same.
        does: what a decoder does that answers so, as a sentence without its subject.
        note: the figures.
        findings: ids of the vectors whose answer it explains, alone or with others.
    """

    id: str
    does: str
    note: str
    findings: frozenset[str]


@dataclass(slots=True)
class _Given:
    """A vector that has an answer, and what the target gave: both in the fields it declares.

    Attributes:
        vector: the vector.
        answer: what the target gave.
        is_wrong: whether that is a finding.
        right: the right answer, by entry, with the habits that are known by now.
        scopes: names and words of the parts of all vectors that it belongs to.
    """

    vector: Vector
    answer: list[Record]
    is_wrong: bool
    right: Entries
    scopes: frozenset[tuple[str, str]]

    @property
    def is_left(self) -> bool:
        """True for a wrong answer that the habits do not wholly explain yet."""
        return self.is_wrong and _flat(self.right) != self.answer

    def shows(self, way: Change) -> bool:
        """Tell whether the answer is the right one, changed so, in the fields that it changes."""
        right, changed = _flat(self.right), _flat(way(self.right))
        if len(changed) != len(self.answer) or right == changed:
            return False
        if len(changed) != len(right):
            return [one.offset for one in changed] == [one.offset for one in self.answer]
        pairs = list(zip(right, changed, self.answer, strict=True))
        places = [place for place in range(len(FIELDS)) if any(one[place] != other[place] for one, other, _ in pairs)]
        return all(other[place] == got[place] for _, other, got in pairs for place in places)

    def is_changed(self, way: Change) -> bool:
        """Tell whether the right answer would be another, changed so."""
        return _flat(way(self.right)) != _flat(self.right)


class _Explained(NamedTuple):
    """What a transformation explains, in one of its ways, within a scope.

    Attributes:
        given: the vectors whose answers show it.
        passed: how many it would change that are right.
        others: how many it would change that are wrong in another way.
    """

    transformation: Transformation
    way: Change
    scope: tuple[str, str]
    given: Sequence[_Given]
    passed: int
    others: int

    @property
    def rank(self) -> tuple[int, int]:
        """The most first; of two, the one that foresees less that is otherwise."""
        return len(self.given), -self.passed - self.others


_EVERYWHERE: Final = ("", "")


def habits(
    results: Iterable[Result],
    vectors: Mapping[str, Vector],
    fields: Collection[str],
    found: Sequence[Match],
) -> list[Habit]:
    """Return what a target always does to answers, what explains most first.

    Args:
        results: what came of each vector, in one direction.
        vectors: the vectors by id.
        fields: those that the target declares.
        found: all signatures that may explain anything.
    """
    kept = [one for one in results if one.answer is not None and _is_compared(one, vectors)]
    if sum(one.outcome is Outcome.WRONG_ANSWER for one in kept) < _FEWEST:
        return []
    given = [_given(one, vectors[one.vector], frozenset(fields)) for one in kept if not _is_long(one, vectors)]
    wrong = [one for one in given if one.is_wrong]
    longest_key, longest_value = (max(map(len, _contents(wrong, name)), default=0) for name in ("key", "value"))
    known = list(transformations(longest_key, longest_value))
    made: list[_Explained] = []
    while len(made) < _MOST_HABITS and (best := _best(known, given)) is not None:
        known.remove(best.transformation)
        if best.scope == _EVERYWHERE or not any(_is_like(match, best) for match in found):
            made.append(best)
            for one in best.given:
                one.right = best.way(one.right)
    long = [_given(one, vectors[one.vector], frozenset(fields)) for one in kept if made and _is_long(one, vectors)]
    made = [best._replace(given=[*best.given, *_also(best, long)]) for best in made]
    return [habit for one in made if len((habit := _habit(one)).findings) >= _FEWEST]


def _also(best: _Explained, long: Iterable[_Given]) -> Iterator[_Given]:
    """Yield the long answers that show it, too."""
    for one in long:
        if best.scope in one.scopes and one.is_left and one.shows(best.way):
            one.right = best.way(one.right)
            yield one


def _is_compared(result: Result, vectors: Mapping[str, Vector]) -> bool:
    return result.outcome in {Outcome.PASSED, Outcome.WRONG_ANSWER} and vectors[result.vector].answer is not None


def _is_long(result: Result, vectors: Mapping[str, Vector]) -> bool:
    return len(vectors[result.vector].answer or ()) > _LONGEST


def _given(result: Result, vector: Vector, fields: frozenset[str]) -> _Given:
    answer = [_declared(record, fields) for record in result.answer or ()]
    is_wrong = result.outcome is Outcome.WRONG_ANSWER
    return _Given(vector, answer, is_wrong, _entries(vector, fields), frozenset(_scopes(vector)))


def _contents(given: Iterable[_Given], name: str) -> Iterator[bytes]:
    for one in given:
        yield from (content for record in one.answer if (content := getattr(record, name)) is not None)


def _declared(record: Record, fields: frozenset[str]) -> Record:
    """Return a record whose other fields are as those are that nobody declares."""
    if len(fields) == len(FIELDS):
        return record
    return json_answers.UNDECLARED._replace(**{name: getattr(record, name) for name in fields})


def _scopes(vector: Vector) -> Iterator[tuple[str, str]]:
    yield _EVERYWHERE
    if len(vector.formats) == 1:
        yield vector.format, f"in {vector.format}"
        if set(vector.codecs) - {"none"}:
            yield f"{vector.format}/compressed", f"in what is compressed in {vector.format}"
        for codec in set(vector.codecs) - {"none"}:
            yield f"{vector.format}/{codec}", f"in {vector.format} with {codec}"
    if set(vector.codecs) - {"none"}:
        yield "compressed", "in what is compressed"
    for codec in set(vector.codecs) - {"none"}:
        yield codec, f"with {codec}"


def _entries(vector: Vector, fields: frozenset[str]) -> Entries:
    """Return the right answer by entry; as of one entry where the bytes do not say."""
    right = json_answers.from_json(vector.answer or ())
    counts = list(_counts(vector)) if len(right) > 1 and vector.format != "v07" else []
    if sum(counts) != len(right):
        counts = [len(right)]
    places = iter(right)
    entries = [[next(places) for _ in range(count)] for count in counts]
    return [[_declared(record, fields) for record in visible(entry, fields)] for entry in entries]


def _counts(vector: Vector) -> Iterator[int]:
    """Yield how many records each entry has."""
    flags, budget = frozenset({vector.flag} - {""}), Budget(DEFAULT_LIMIT, DEFAULT_RECORDS)
    with suppress(FormatError):
        yield from map(len, by_entry(vector.data, flags, "", budget, read_control=True))


def _flat(entries: Entries) -> list[Record]:
    return [record for entry in entries for record in entry]


def _best(known: Iterable[Transformation], given: Sequence[_Given]) -> _Explained | None:
    """Return the transformation that explains most of what is left."""
    fit = [explained for one in known for way in one.ways if (explained := _explained(one, way, given)) is not None]
    return max(fit, key=lambda explained: explained.rank, default=None)


def _explained(one: Transformation, way: Change, given: Sequence[_Given]) -> _Explained | None:
    """Return what a transformation explains, in the widest scope that nearly all of it has."""
    shown = [asked for asked in given if asked.is_left and asked.shows(way)]
    if len(shown) < _FEWEST:
        return None
    changed = [asked for asked in given if (asked.is_left or not asked.is_wrong) and asked.is_changed(way)]
    for scope in sorted(frozenset[tuple[str, str]]().union(*(asked.scopes for asked in shown)), key=_width):
        within = [asked for asked in shown if scope in asked.scopes]
        about = [asked for asked in changed if scope in asked.scopes]
        passed = sum(not asked.is_wrong for asked in about)
        others = len(about) - passed - len(within)
        is_most = len(within) >= max(_FEWEST, _NEARLY_ALL * len(shown)) and len(within) >= others
        if is_most and passed <= _CHANCE * len(within):
            return _Explained(one, way, scope, within, passed, others)
    return None


def _width(scope: tuple[str, str]) -> tuple[int, str]:
    """Order scopes: everything, then one format or codec, then one codec in one format."""
    return len(scope[0].split("/")) if scope[0] else 0, scope[0]


def _is_like(match: Match, best: _Explained) -> bool:
    """Tell whether a named wrong decoder fails the same, which makes a scope doubtful."""
    names = {asked.vector.id for asked in best.given}
    return (
        match.signature.target != GENERAL
        and match.passed <= _CHANCE * len(match.exact)
        and len(match.exact & names) >= _NEARLY_ALL * len(names)
    )


def _habit(best: _Explained) -> Habit:
    one, (scope, words) = best.transformation, best.scope
    names = frozenset(asked.vector.id for asked in best.given if not asked.is_left)
    id_ = one.mutant if one.mutant and not scope else ALWAYS + "/".join(filter(None, (one.id, scope)))
    note = f"{len(names)} answers are the right ones, changed so, record for record"
    if best.passed:
        note += f"; {best.passed} that it would change {'is' if best.passed == 1 else 'are'} right"
    return Habit(id_, " ".join(filter(None, (one.does, words))), note, names)
