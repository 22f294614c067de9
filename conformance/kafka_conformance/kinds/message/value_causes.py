"""What a target does to the values of a type: everywhere, in fields of a name, or in one place.

A way to change values is believed if it gives all that came, and leaves as it is what came right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from kafka_conformance.judging.difference import MISSING
from kafka_conformance.kinds.message.named_fields import NamedFields
from kafka_conformance.kinds.message.value_changes import KNOWN_TAG, Value, values_of
from kafka_conformance.kinds.message.value_habits import Way, show, ways
from kafka_conformance.kinds.message.wrong_answers import Manner, Probe
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.vector import Verdict

_FEWEST: Final = 2
_SAME: Final = 0.8
"""What a way explains of the answers in which nothing else is wrong, if it is believed."""

_WRONG: Final = 0.05
"""What a way would change that came right, of what it explains, if it is believed."""

_PASSED: Final = 200
"""So many vectors that pass are held against a way."""

_NUMBER: Final = "number"
_NULL: Final = "null-"
_PAIR: Final = 2
_OTHERWISE: Final = "otherwise"
_SORT_LAST: Final = ("empty-for-null", "null-for-empty")
"""Ways whose cause has the type behind the name, as causes of null and empty have it."""

WORDS: Final = {
    "text": "strings",
    "bytes": "bytes",
    "id": "ids",
    "bool": "booleans",
    "float": "floating-point numbers",
    "array": "arrays",
    "structure": "structures",
    "unknown-tags": "tagged fields that it does not know",
    _NUMBER: "numbers",
    **{f"{sign}int{bits}": f"numbers of {bits} bits" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
"""Types of values, in words."""

Message = tuple[str, str]


class ShownValues(NamedTuple):
    """What is done to values, and the ids of the vectors that it explains."""

    id: str
    does: str
    vectors: frozenset[str]


class _Answer(NamedTuple):
    probe: Probe
    values: tuple[Value, ...]

    @property
    def message(self) -> Message:
        return self.probe.vector.family, self.probe.vector.format

    @property
    def changed(self) -> list[Value]:
        return [value for value in self.values if value.is_changed]


class _Scope(NamedTuple):
    """Where values are changed.

    Attributes:
        sort: of which type, with `null-` in front where null is right.
        name: the last name of the field; empty for all.
        message: the only message; None for all.
        place: the only place in it.
        header: of which kind of messages, if it is a field of their headers.
    """

    sort: str
    name: str = ""
    message: Message | None = None
    place: str = ""
    header: str = ""

    def has(self, answer: _Answer, value: Value) -> bool:
        """Tell whether a value lies in it."""
        if value.sort == KNOWN_TAG or not _is_of(self.sort, value):
            return False
        if self.message is not None:
            return answer.message == self.message and value.place == self.place
        return not self.name or value.place.rpartition(".")[2] == self.name

    @property
    def where(self) -> str:
        """Where this is, as the end of a cause's id; empty for all values of the type."""
        if self.message is not None:
            return f"`{self.place}` of the {self.message[1]} of {self.message[0]}"
        if self.header:
            return f"`{self.name}` of the header of {self.header}s"
        return f"`{self.name}`" if self.name else ""

    def cause_id(self, way: Way) -> str:
        """Return the id of the cause."""
        sort = self.sort.removeprefix(_NULL)
        is_null = way.id in _SORT_LAST or self.sort != sort
        own = f"{way.id}-{'string' if sort == 'text' else sort}" if is_null else f"{sort}-{way.id}"
        return f"values/{own}{'/' * bool(self.where)}{self.where.replace(' ', '-')}"


def _is_of(sort: str, value: Value) -> bool:
    own = _sort(value)
    return own == sort or (sort == _NUMBER and own.startswith(("int", "uint")))


def _sort(value: Value) -> str:
    return f"{_NULL}{value.sort}" if value.right is None else value.sort


def shown_values(asked: Iterable[Probe], target: Manner, *, sure: bool = True) -> Iterator[ShownValues]:
    """Yield what a target does to values, what explains most first.

    Args:
        asked: what it got wrong, and what it got right.
        target: how it answers.
        sure: without ways that say only what came for what.
    """
    if target.form == "verdict":
        return
    every = list(asked)
    left = {each.probe.vector.id: each for each in _answers([probe for probe in every if _tells(probe)], target)}
    if not left:
        return
    names = {value.place.rpartition(".")[2] for each in left.values() for value in each.changed}
    passed = _answers(_passed(every, {each.message for each in left.values()}, names), target)
    while found := _best(list(left.values()), passed, sure=sure):
        yield found
        for name in found.vectors:
            left.pop(name, None)


def _tells(asked: Probe) -> bool:
    result = asked.result
    is_read = asked.vector.verdict is not Verdict.INVALID and result.outcome is Outcome.WRONG_ANSWER
    return is_read and bool(result.content) and result.got != MISSING


def _answers(asked: Iterable[Probe], target: Manner) -> list[_Answer]:
    read = ((probe, values_of(probe, target)) for probe in asked)
    return [_Answer(probe, tuple(values)) for probe, values in read if values is not None]


def _passed(asked: Sequence[Probe], messages: set[Message], names: Collection[str]) -> list[Probe]:
    """Return vectors that passed: some of all, of the messages that are wrong, and with the fields.

    `names` are the last names of the fields that are wrong anywhere.
    """
    right = [each for each in asked if not each.fails and each.vector.verdict is Verdict.VALID]
    own = [each for each in right if (each.vector.family, each.vector.format) in messages]
    fields = NamedFields(right)
    alike = [each for each in right if any(fields.has(each, name) for name in names)]
    some = [*_spread(right), *(_spread(own) if len(messages) < len(own) else own), *_spread(alike)]
    return list({each.vector.id: each for each in some}.values())


def _spread(every: Sequence[Probe]) -> Sequence[Probe]:
    return every[:: max(1, -(-len(every) // _PASSED))]


def _best(left: Sequence[_Answer], passed: Sequence[_Answer], *, sure: bool) -> ShownValues | None:
    found = [one for scope in _scopes(left) if (one := _in_scope(scope, left, passed, sure=sure)) is not None]
    return max(found, key=lambda one: len(one.vectors), default=None)


def _scopes(left: Sequence[_Answer]) -> Iterator[_Scope]:
    """Yield where something may be done to values: everywhere, by a name, in one place."""
    places: dict[str, dict[str, set[tuple[Message, str]]]] = defaultdict(lambda: defaultdict(set))
    for answer in left:
        for value in answer.changed:
            for sort in {_sort(value), *({_NUMBER} if _is_of(_NUMBER, value) else ())}:
                places[sort][value.place.rpartition(".")[2]].add((answer.message, value.place))
    if len([sort for sort in places if sort.startswith(("int", "uint"))]) < _FEWEST:
        places.pop(_NUMBER, None)
    for sort, names in places.items():
        if len(names) > 1:  # of one name, nothing tells that all of the type are meant
            yield _Scope(sort)
        for name, at in names.items():
            if len(at) > 1:
                yield _Scope(sort, name)
            for message, place in sorted(at):
                yield _Scope(sort, "", message, place)


def _in_scope(scope: _Scope, left: Sequence[_Answer], passed: Sequence[_Answer], *, sure: bool) -> ShownValues | None:
    """Return what explains the answers in which nothing but values of a scope is wrong."""
    about = [each for each in left if each.changed and all(scope.has(each, value) for value in each.changed)]
    if len(about) < _FEWEST:
        return None
    changed = [value for answer in about for value in answer.changed]
    rights = [value for answer in passed for value in answer.values if scope.has(answer, value)]
    best: tuple[Way, frozenset[str]] | None = None
    for way in (each for each in ways(scope.sort, changed) if each.is_sure or not sure):
        explained = frozenset(answer.probe.vector.id for answer in about if _is_explained(scope, way, answer))
        if len(explained) < max(_FEWEST, _SAME * len(about)) or (best and len(explained) <= len(best[1])):
            continue
        if sum(_given(way, value) != value.right for value in rights) <= _WRONG * len(explained):
            best = way, explained
        if best and len(best[1]) == len(about):
            break
    return ShownValues(scope.cause_id(best[0]), _words(scope, best[0], changed), best[1]) if best else None


def _is_explained(scope: _Scope, way: Way, answer: _Answer) -> bool:
    return all(_given(way, value) == value.got for value in answer.values if scope.has(answer, value))


def _given(way: Way, value: Value) -> Any:
    """Return what a way gives for a value; what cannot be changed so is like nothing that came."""
    try:
        return way.change(value)
    except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
        return way


def _words(scope: _Scope, way: Way, changed: Sequence[Value]) -> str:
    what = scope.where or WORDS[scope.sort.removeprefix(_NULL)]
    usual = min(changed, key=lambda value: (value.right in ("", 0, None), len(show(value.right))))
    does = way.does.replace("{}", what)  # a value in it may have braces, too
    return f"{does}: {show(usual.got)} for {show(usual.right)}"


def header_fields(
    kind: str, wrong: Mapping[str, tuple[Probe, Sequence[Value]]], passed: Iterable[tuple[Probe, Sequence[Value]]]
) -> Iterator[ShownValues]:
    """Yield what is done to fields of the headers of all requests, or of all responses.

    Args:
        kind: `request` or `response`.
        wrong: the headers that came otherwise, by the id of their vector, with their values.
        passed: headers that came right.
    """
    left = {name: _Answer(probe, tuple(values)) for name, (probe, values) in wrong.items()}
    rights = [_Answer(probe, tuple(values)) for probe, values in passed]
    fields = {(_sort(value), value.place.rpartition(".")[2]) for each in left.values() for value in each.changed}
    for sort, name in sorted(fields):
        scope = _Scope(sort, name, header=kind)
        about = {
            answer.probe.vector.id: answer
            for answer in left.values()
            if answer.changed and all(scope.has(answer, value) for value in answer.changed)
        }
        if not about:
            continue
        found = _in_scope(scope, list(about.values()), rights, sure=False)
        yield found or _otherwise(scope, list(about.values()))
        for each in found.vectors if found else about:
            left.pop(each, None)


def _otherwise(scope: _Scope, answers: Sequence[_Answer]) -> ShownValues:
    """Return that values of a scope come otherwise, with one of them."""
    way = Way(_OTHERWISE, "gives {} otherwise", lambda value: value.right)
    changed = [value for answer in answers for value in answer.changed]
    names = frozenset(answer.probe.vector.id for answer in answers)
    return ShownValues(scope.cause_id(way), _words(scope, way, changed), names)


def exchanged_fields(asked: Iterable[Probe], target: Manner) -> Iterator[ShownValues]:
    """Yield pairs of fields of one structure that have each other's values."""
    if target.form == "verdict":
        return
    about: dict[tuple[Message, str, str], list[_Answer]] = defaultdict(list)
    for answer in _answers([probe for probe in asked if _tells(probe)], target):
        places = sorted({value.place for value in answer.changed})
        if len(places) == _PAIR:
            about[answer.message, places[0], places[1]].append(answer)
    for (message, first, second), answers in about.items():
        names = frozenset(answer.probe.vector.id for answer in answers if _is_exchanged(answer, first, second))
        if len(names) >= max(_FEWEST, _SAME * len(answers)):
            where = f"of the {message[1]} of {message[0]}"
            does = f"exchanges `{first}` and `{second}` {where}"
            other = second.rpartition(".")[2]
            yield ShownValues(f"values/exchanged-with-{other}/`{first}`-{where.replace(' ', '-')}", does, names)


def _is_exchanged(answer: _Answer, first: str, second: str) -> bool:
    rights = {place: [value.right for value in answer.values if value.place == place] for place in (first, second)}
    gots = {place: [value.got for value in answer.values if value.place == place] for place in (first, second)}
    pairs = [*zip(gots[first], rights[second], strict=False), *zip(gots[second], rights[first], strict=False)]
    return bool(pairs) and all(got == right or not (got or right) for got, right in pairs)


def other_values(asked: Iterable[Probe], target: Manner) -> Iterator[ShownValues]:
    """Yield, by type, answers in which values of that type alone are wrong, in whatever way.

    It is what is left to say where no way explains what came.
    """
    if target.form == "verdict":
        return
    about: dict[str, list[_Answer]] = defaultdict(list)
    for answer in _answers([probe for probe in asked if _tells(probe)], target):
        sorts = {_sort(value) for value in answer.changed}
        sort = (
            _NUMBER
            if all(_is_of(_NUMBER, value) for value in answer.changed) and len(sorts) > 1
            else min(sorts, default="")
        )
        if sort and (len(sorts) == 1 or sort == _NUMBER):
            about[sort].append(answer)
    for sort, answers in about.items():
        if not any(answer.probe.vector.verdict is Verdict.VALID for answer in answers):
            continue  # what is done to wrong bytes alone, a rule says better
        places = {(answer.message, value.place) for answer in answers for value in answer.changed}
        ((message, place), *others) = sorted(places)
        names = {place.rpartition(".")[2] for _, place in places}
        scope = _Scope(sort, "" if len(names) > 1 else names.pop()) if others else _Scope(sort, "", message, place)
        yield _otherwise(scope, answers)
