"""What a target always does to answers: it gives the right ones, changed in one simple way.

The whole answers say so, not only the first field that differs. A transformation is believed where
answer after answer is the right one, changed so, in the fields that it changes; and where nearly
none that it would change is right: in everything, or in one format or codec. A target may have
several, one on top of the other. What they explain together they explain wholly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.errors import FormatError
from kafka_format.records import Record
from kafka_format.records.budget import DEFAULT_RECORDS, Budget
from kafka_format.records.decoding import by_entry

from kafka_conformance.diagnosis.changes import AnswerChange, Entries
from kafka_conformance.diagnosis.match import Match
from kafka_conformance.diagnosis.signature import GENERAL
from kafka_conformance.diagnosis.transformations import Transformation, transformations
from kafka_conformance.judging.difference import visible
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import FIELDS, Direction
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Vector

FEWEST: Final = 2
"""So many answers are the right ones, changed in one way, if it is a habit."""

_CHANCE: Final = 0.05
"""What is right, though the transformation would have changed it, of what it explains."""

_NEARLY_ALL: Final = 0.9
"""What of all that it explains is in one format or codec, if it is about that alone; and what a
named wrong decoder explains of it, if that is named instead."""

_MOST_HABITS: Final = 6
_WORD: Final = 1 << 32
_OLD: Final = ("v0", "v1")


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
        right_records: the same, without the entries.
        is_left: true for a wrong answer that the habits do not wholly explain yet.
        wrong_fields: those in which any record is not the right one; empty if their number differs.
    """

    vector: Vector
    answer: list[Record]
    is_wrong: bool
    right: Entries
    scopes: frozenset[tuple[str, str]]
    right_records: list[Record] = field(default_factory=list)
    is_left: bool = False
    wrong_fields: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._compare()

    def change(self, way: AnswerChange) -> None:
        """Count on this change from now on."""
        self.right = way.of_entries(self.right)
        self._compare()

    def _compare(self) -> None:
        self.right_records = right = _flat(self.right)
        self.is_left = self.is_wrong and right != self.answer
        self.wrong_fields = frozenset()
        if self.is_left and len(right) == len(self.answer):
            columns = zip(FIELDS, zip(*right, strict=True), zip(*self.answer, strict=True), strict=True)
            self.wrong_fields = frozenset(name for name, column, given in columns if column != given)

    def shows(self, way: AnswerChange) -> bool:
        """Tell whether the answer is the right one, changed so, in the fields that it changes."""
        if way.fields and way.fields.isdisjoint(self.wrong_fields):
            return False
        right, changed = self.right_records, _flat(way.of_entries(self.right))
        if len(changed) != len(self.answer) or right == changed:
            return False
        if len(changed) != len(right):
            offsets = [[record.offset for record in records] for records in (changed, self.answer)]
            return offsets[0] == offsets[1] if len(set(offsets[0])) == len(changed) else changed == self.answer
        places: set[int] = set()
        for record, other, got in zip(right, changed, self.answer, strict=True):
            if record != other:
                here = [place for place in range(len(FIELDS)) if record[place] != other[place]]
                if any(other[place] != got[place] for place in here):
                    return False
                places.update(here)
        return all(
            other[place] == got[place] for other, got in zip(changed, self.answer, strict=True) for place in places
        )

    def is_changed(self, way: AnswerChange) -> bool:
        """Tell whether the right answer would be another, changed so."""
        return _flat(way.of_entries(self.right)) != self.right_records


class _Explained(NamedTuple):
    """What a transformation explains, in one of its ways, within a scope.

    Attributes:
        given: the vectors whose answers show it.
        passed: how many it would change that are right.
        others: how many it would change that are wrong in another way.
    """

    transformation: Transformation
    way: AnswerChange
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
    matches: Sequence[Match],
    direction: Direction = Direction.DECODE,
    fewest: int = FEWEST,
) -> list[Habit]:
    """Return what a target always does to answers, what explains most first.

    What an encoder does, the records show that the reference reads from its bytes. Its codec is not
    compared.

    Args:
        results: what came of each vector, in one direction.
        vectors: the vectors by id.
        fields: those that the target declares.
        matches: all signatures that may explain anything.
        direction: of all results.
        fewest: how many answers are the right ones, changed in one way, if it is a habit.
    """
    is_encoder = direction is Direction.ENCODE
    fields = set(fields) - {"codec"} if is_encoder else fields
    kept = [result for result in results if result.answer is not None and _is_compared(result, vectors)]
    if sum(result.outcome is Outcome.WRONG_ANSWER for result in kept) < fewest:
        return []
    large = [result for result in kept if vectors[result.vector].is_large]
    given = [
        _take_answer(result, vectors[result.vector], frozenset(fields))
        for result in kept
        if not vectors[result.vector].is_large
    ]
    wrong = [case for case in given if case.is_wrong]
    longest_key, longest_value = (max(map(len, _contents(wrong, name)), default=0) for name in ("key", "value"))
    known = list(transformations(longest_key, longest_value, _moved(wrong)))
    made: list[_Explained] = []
    while len(made) < _MOST_HABITS and (best := _best(known, given, fewest)) is not None:
        known.remove(best.transformation)
        is_plain = best.scope == _EVERYWHERE and not is_encoder
        if is_plain or not _is_named(best, matches):
            made.append(best)
            for case in best.given:
                case.change(best.way)
    if made:  # what is large is put to these alone
        also = [_take_answer(result, vectors[result.vector], frozenset(fields)) for result in large]
        made = [best._replace(given=[*best.given, *_also(best, also)]) for best in made]
    kept_habits = [habit for explained in made if len((habit := _habit(explained)).findings) >= fewest]
    return [*map(_of_encoder, kept_habits)] if is_encoder else kept_habits


def _moved(wrong: Iterable[_Given]) -> int:
    """Return by how much most timestamps are wrong; 0 if most are not wrong by one number."""
    by = Counter(
        got.timestamp - right.timestamp
        for case in wrong
        if len(case.right_records) == len(case.answer)
        for right, got in zip(case.right_records, case.answer, strict=True)
        if got.timestamp != right.timestamp
    )
    ((found, count),) = by.most_common(1) or [(0, 0)]
    is_cut = found % _WORD == 0  # who keeps 32 bits loses as much of each of today
    return found if 2 * count > by.total() and not is_cut else 0


def _of_encoder(habit: Habit) -> Habit:
    """Return a habit in words for who writes; mutants of decoders are not meant."""
    name = habit.id.rpartition("/")[2] if not habit.id.startswith(ALWAYS) else habit.id.removeprefix(ALWAYS)
    return habit._replace(
        id=f"{ALWAYS}encode/{name}", does=habit.does.replace("gives ", "writes ").replace("returns ", "writes ")
    )


def _also(best: _Explained, large: Iterable[_Given]) -> Iterator[_Given]:
    """Yield the large answers that show it, too."""
    for other in large:
        if best.scope in other.scopes and other.is_left and other.shows(best.way):
            other.change(best.way)
            yield other


def _is_compared(result: Result, vectors: Mapping[str, Vector]) -> bool:
    """Tell whether an answer was held against the right one: what came before a refusal was not."""
    was_refused = result.outcome is Outcome.PASSED and bool(result.error)
    is_answer = result.outcome in {Outcome.PASSED, Outcome.WRONG_ANSWER} and not was_refused
    return is_answer and vectors[result.vector].answer is not None


def _take_answer(result: Result, vector: Vector, fields: frozenset[str]) -> _Given:
    answer = [_blank_undeclared(record, fields) for record in result.answer or ()]
    is_wrong = result.outcome is Outcome.WRONG_ANSWER
    entries = [[_blank_undeclared(record, fields) for record in visible(entry, fields)] for entry in _entries(vector)]
    return _Given(vector, answer, is_wrong, entries, frozenset(_scopes(vector)))


def _contents(given: Iterable[_Given], name: str) -> Iterator[bytes]:
    for case in given:
        yield from (content for record in case.answer if (content := getattr(record, name)) is not None)


def _blank_undeclared(record: Record, fields: frozenset[str]) -> Record:
    """Return a record whose other fields are as those are that nobody declares."""
    if len(fields) == len(FIELDS):
        return record
    return json_answers.UNDECLARED._replace(**{name: getattr(record, name) for name in fields})


def _scopes(vector: Vector) -> Iterator[tuple[str, str]]:
    yield _EVERYWHERE
    if len(vector.formats) == 1:
        yield vector.format, f"in {vector.format}"
        if vector.format in _OLD:
            yield "old", "in v0 and v1"
            if set(vector.codecs) - {"none"}:
                yield "old/compressed", "in what is compressed in v0 and v1"
        if set(vector.codecs) - {"none"}:
            yield f"{vector.format}/compressed", f"in what is compressed in {vector.format}"
        for codec in set(vector.codecs) - {"none"}:
            yield f"{vector.format}/{codec}", f"in {vector.format} with {codec}"
    if set(vector.codecs) - {"none"}:
        yield "compressed", "in what is compressed"
    for codec in set(vector.codecs) - {"none"}:
        yield codec, f"with {codec}"


@lru_cache(8192)
def _entries(vector: Vector) -> Entries:
    """Return the right answer by entry; as of one entry where the bytes do not say."""
    right = vector.records()
    counts = list(_counts(vector)) if len(right) > 1 and vector.format != "v07" else []
    if sum(counts) != len(right):
        counts = [len(right)]
    places = iter(right)
    return [[next(places) for _ in range(count)] for count in counts]


def _counts(vector: Vector) -> Iterator[int]:
    """Yield how many records each entry has."""
    flags, budget = frozenset({vector.flag} - {""}), Budget(DEFAULT_LIMIT, DEFAULT_RECORDS)
    with suppress(FormatError):
        yield from map(len, by_entry(vector.data, flags, "", budget, read_control=True))


def _flat(entries: Entries) -> list[Record]:
    return [record for entry in entries for record in entry]


def _best(known: Iterable[Transformation], given: Sequence[_Given], fewest: int) -> _Explained | None:
    """Return the transformation that explains most of what is left."""
    left = [case for case in given if case.is_left]
    fit = [
        choice
        for transformation in known
        for way in transformation.ways
        if (choice := _explain(transformation, way, given, left, fewest)) is not None
    ]
    return max(fit, key=lambda explained: explained.rank, default=None)


def _explain(
    transformation: Transformation, way: AnswerChange, given: Sequence[_Given], left: Iterable[_Given], fewest: int
) -> _Explained | None:
    """Return what a transformation explains, in the widest scope that nearly all of it has.

    A narrower one is better if it has all of this, and less that is right.
    """
    shown = [asked for asked in left if asked.shows(way)]
    if len(shown) < fewest:
        return None
    changed = [asked for asked in given if (asked.is_left or not asked.is_wrong) and asked.is_changed(way)]
    best: _Explained | None = None
    for scope in sorted(frozenset[tuple[str, str]]().union(*(asked.scopes for asked in shown)), key=_width):
        within = [asked for asked in shown if scope in asked.scopes]
        about = [asked for asked in changed if scope in asked.scopes]
        passed = sum(not asked.is_wrong for asked in about)
        others = len(about) - passed - len(within)
        is_most = len(within) >= max(fewest, _NEARLY_ALL * len(shown)) and len(within) >= others
        if (
            is_most
            and passed <= _CHANCE * len(within)
            and (best is None or (len(within) == len(best.given) and passed < best.passed))
        ):
            best = _Explained(transformation, way, scope, within, passed, others)
    return best


def _width(scope: tuple[str, str]) -> tuple[int, str]:
    """Order scopes: everything, then one format or codec, then one codec in one format."""
    return len(scope[0].split("/")) if scope[0] else 0, scope[0]


def _is_named(best: _Explained, matches: Iterable[Match]) -> bool:
    """Tell whether one named wrong decoder, and no other, fails what a habit in a scope explains.

    Of several that fail the same, or of one that fails less, none is known to give what came; a
    habit is.
    """
    alike = [match for match in matches if _is_like(match, best) and len(match.exact) >= len(best.given)]
    return bool(alike) and len({(match.exact, match.passed) for match in alike}) == len(alike)


def _is_like(match: Match, best: _Explained) -> bool:
    """Tell whether a named wrong decoder fails the same, which makes a scope doubtful."""
    names = {asked.vector.id for asked in best.given}
    return (
        match.signature.target != GENERAL
        and match.passed <= _CHANCE * len(match.exact)
        and len(match.exact & names) >= _NEARLY_ALL * len(names)
    )


def _habit(best: _Explained) -> Habit:
    transformation, (scope, words) = best.transformation, best.scope
    names = frozenset(asked.vector.id for asked in best.given if not asked.is_left)
    id_ = (
        transformation.mutant
        if transformation.mutant and not scope
        else ALWAYS + "/".join(filter(None, (transformation.id, scope)))
    )
    note = f"{len(names)} answers are the right ones, changed so, record for record"
    if best.passed:
        note += f"; {best.passed} that it would change {'is' if best.passed == 1 else 'are'} right"
    return Habit(id_, " ".join(filter(None, (transformation.does, words))), note, names)
