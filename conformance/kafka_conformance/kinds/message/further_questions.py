"""What a target would take instead: further questions about messages that it refuses.

Many wrong rules make a reader refuse the same valid messages, and no vector parts them. A message
written as one wrong rule has it does: no right reader takes it, and who has that rule does, and
gives the values that were meant.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from kafka_format.protocol.json_form import EXACT

from kafka_conformance.diagnosis.cause import Cause, Diagnosis, worst_first
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message import judge as messages
from kafka_conformance.kinds.message.joined import joined
from kafka_conformance.kinds.message.message_groups import form_groups
from kafka_conformance.kinds.message.miscoding import CODEC_WORDS
from kafka_conformance.kinds.message.misreading import AS_VERSION
from kafka_conformance.kinds.message.value_conditions import is_refused, shown_conditions
from kafka_conformance.kinds.message.vectors import MessageVector
from kafka_conformance.kinds.message.wrong_answers import Probe, is_request_or_response, probe, special
from kafka_conformance.kinds.message.wrong_codecs.tables import ANYWHERE
from kafka_conformance.kinds.message.wrong_messages import VARINTS, Rule, Written, codecs, fields_of, rules_of
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import MessageInput
from kafka_conformance.vectors.vector import Vector, Verdict

Ask = Callable[[Sequence[MessageInput]], Sequence[bytes | None]]
"""Puts messages to a target, and returns its answers; None where it gives none."""

_REFUSED: Final = 0.5
"""What a target refuses of a cause that is asked about."""

_MOST: Final = 0.66
"""What a target takes of messages as a rule has them, if it has that rule."""

_SEVERAL: Final = 3
"""So many messages are refused by a rule of all; so many vectors of a version are tried first."""

_FURTHER: Final = 12
"""So many vectors are tried with a rule of which the target took some."""

_CAUSES: Final = 8
"""Of so many causes is asked, the largest."""

_VARINT: Final = "reads/varint-"
"""How ids of codecs begin that have varints wrong, which refuse much the same."""

_SHOWN: Final = 3
"""So many rules are named of those that give the same bytes."""

_TELLING: Final = ("typical", "one", "highest", "single")
"""Vectors that have something in every field, the most usual first."""


def ask_further(diagnosis: Diagnosis, vectors: Mapping[str, Vector], form: str, ask: Ask) -> Diagnosis:
    """Return the same, with the causes of refusals that further questions show.

    Args:
        diagnosis: what the findings of a target come from.
        vectors: the messages by id.
        form: what the target gives.
        ask: puts messages to it.
    """
    told = [cause for cause in diagnosis.causes if _is_open(cause, vectors)] if form != "verdict" else []
    if not told:
        return joined(diagnosis, vectors)
    wrong = {result.vector for cause in diagnosis.causes for result in cause.findings}
    right = [vector for name, vector in vectors.items() if name not in wrong]
    asking = _Asking(vectors, right, form, ask)
    causes = [cause for cause in diagnosis.causes if cause not in told]
    of_all = asking.of_all(told)
    causes += [of_all] if of_all is not None else []
    taken = {result.vector for result in of_all.findings} if of_all is not None else set()
    left = [cause for cause in told if cause.example not in taken]
    for place, cause in enumerate(left):
        causes += asking.of_one(cause) if place < _CAUSES else [cause]
    return joined(replace(diagnosis, causes=tuple(worst_first(causes))), vectors)


def _is_open(cause: Cause, vectors: Mapping[str, Vector]) -> bool:
    """Tell whether a cause is of refusals alone, which more than one rule may explain."""
    valid = [result for result in cause.findings if vectors[result.vector].verdict is Verdict.VALID]
    refused = sum(result.outcome is Outcome.REFUSED_VALID for result in valid)
    is_told = cause.id.startswith(("layout/", "reads/", "writes/")) or not cause.is_named
    about = vectors[cause.findings[0].vector]
    return is_told and bool(valid) and refused >= _REFUSED * len(valid) and about.format in {"request", "response"}


class _Asking:
    """Asks a target about rules."""

    def __init__(self, vectors: Mapping[str, Vector], right: Iterable[Vector], form: str, ask: Ask) -> None:
        self._vectors, self._form, self._ask = vectors, form, ask
        self._right: dict[tuple[str, str], dict[str, Vector]] = defaultdict(dict)
        for vector in sorted(right, key=_place, reverse=True):
            if is_request_or_response(vector) and vector.verdict is Verdict.VALID and vector.canonical:
                self._right[vector.family, vector.format][vector.formats[0]] = vector

    def of_all(self, causes: Sequence[Cause]) -> Cause | None:
        """Return the rule of all messages that causes come from; None if there is none."""
        probes = {cause.id: _of_families(self._telling(cause)) for cause in causes}
        first = [each for cause in causes[:_CAUSES] for each in probes[cause.id]]
        if len({each.vector.family for each in first}) < _SEVERAL:
            return None
        likely = self._likely(list(codecs("")), first[:_SEVERAL])
        fit = [rule for rule in likely if self._takes(rule, first)]
        if not fit:
            return None
        fit = self._parted(fit, [each for some in probes.values() for each in some])
        foreseen = {cause.id for cause in causes}
        rule = next((each for each in fit if each.id in foreseen), fit[0])
        shown = [result for cause in causes if self._takes(rule, probes[cause.id]) for result in cause.findings]
        return cause_of_group(
            FindingGroup(rule.id, rule.does), shown, self._vectors, tuple(each.id for each in fit if each is not rule)
        )

    def of_one(self, cause: Cause) -> list[Cause]:
        """Return a cause as the rule that the target has; the same if none is shown."""
        probes = self._telling(cause)
        if len({(each.vector.family, each.vector.format) for each in probes}) != 1:
            return list(self._doubted(cause, probes))
        rules = list(rules_of(probes[0]))
        likely = self._likely(rules, probes[:_SEVERAL])
        likeness = {rule: like for rule in likely if (like := self._likeness(rule, probes)) is not None}
        best = [rule for rule, like in likeness.items() if like == max(likeness.values())]
        if not best:
            return list(self._not_told(cause)) if _is_guessed(cause, rules, probes) else [cause]
        best.sort(
            key=lambda rule: (
                AS_VERSION.search(rule.id) is not None,
                rule.is_of_all,
                rule.id != cause.id,
                -_telling_fields(rule, probes),
            )
        )
        group = FindingGroup(best[0].id, _one_of(best))
        return [cause_of_group(group, cause.findings, self._vectors, tuple(rule.id for rule in best[1:]))]

    def _doubted(self, cause: Cause, probes: Sequence[Probe]) -> Iterator[Cause]:
        """Yield a cause of several messages, or what they have in common if it is not shown.

        Who refuses what a wrong reader refuses, and takes nothing that it takes, is another.
        """
        varints = VARINTS if cause.id.startswith(_VARINT) else ()
        proven = next((name for name in (cause.id, *cause.others, *varints) if self._is_proven(name, probes)), "")
        kept = [name for name in (cause.id, *cause.others) if not self._is_disproved(name, probes)]
        if proven and proven != cause.id and proven in CODEC_WORDS:
            group = FindingGroup(proven, CODEC_WORDS[proven])
            yield cause_of_group(group, cause.findings, self._vectors, ())
            return
        if kept[:1] == [cause.id]:
            yield cause
            return
        if kept and kept[0] in CODEC_WORDS:
            group = FindingGroup(kept[0], CODEC_WORDS[kept[0]])
            yield cause_of_group(group, cause.findings, self._vectors, tuple(kept[1:]))
            return
        wrong = {result.vector for result in cause.findings}
        asked = [probe(self._vectors[result.vector], result) for result in cause.findings]
        right = (vector for of in self._right.values() for vector in of.values() if vector.id not in wrong)
        asked += [probe(vector, Result(vector.id, "", Outcome.PASSED)) for vector in right]
        condition = next((each for each in shown_conditions(asked) if is_refused(each)), None)
        if condition is None:
            yield from self._not_told(cause)
        else:
            yield cause_of_group(FindingGroup(condition.id, condition.does), cause.findings, self._vectors)

    def _is_disproved(self, name: str, probes: Sequence[Probe]) -> bool:
        """Tell whether a target does not take what a wrong reader takes, if that can be written."""
        rule = _rule_of(name)
        return rule is not None and any(map(rule.write, probes)) and not self._takes(rule, probes[:_FURTHER])

    def _is_proven(self, name: str, probes: Sequence[Probe]) -> bool:
        """Tell whether a target takes what no right reader takes, and a wrong reader does.

        It is asked in messages that it reads, first: what it refuses may have more that it refuses.
        """
        rule = _rule_of(name)
        if rule is None:
            return False
        right = [probe(each, Result(each.id, "", Outcome.PASSED)) for each in self._plain()]
        telling = [each for each in (*right, *probes) if rule.write(each) is not None][:_FURTHER]
        return bool(telling) and self._takes(rule, telling)

    def _plain(self) -> list[Vector]:
        """Return vectors that a target gets right, of a few messages."""
        every = [vector for of in self._right.values() for vector in of.values()]
        return every[:: max(1, len(every) // _FURTHER)]

    def _likeness(self, rule: Rule, probes: Sequence[Probe]) -> tuple[float, int] | None:
        """Return the share of messages by a rule that the target takes, and where the rule shows.

        That is the number of versions in which it is wrong where the target is, less those
        elsewhere. None if the target takes too few.
        """
        share = self._share(rule, probes[:_FURTHER])
        if share < _MOST:
            return None
        about = probes[0].vector
        failing = {each.version for each in probes}
        right = self._right[about.family, about.format].values()
        passing = (probe(vector, Result(vector.id, "", Outcome.PASSED)) for vector in right)
        elsewhere = sum(each.version not in failing and rule.write(each) is not None for each in passing)
        return share, len({each.version for each in probes if rule.write(each)}) - elsewhere

    def _not_told(self, cause: Cause) -> Iterator[Cause]:
        """Say what is refused, where the target does not take what the rule of a cause takes."""
        for group, results in form_groups({result.vector: result for result in cause.findings}, self._vectors):
            yield cause_of_group(group, results, self._vectors)

    def _telling(self, cause: Cause) -> list[Probe]:
        """Return the refused vectors of a cause, those first that have something in every field."""
        refused = [result for result in cause.findings if result.outcome is Outcome.REFUSED_VALID]
        probes = [probe(self._vectors[result.vector], result) for result in refused]
        kept = [each for each in probes if each.vector.canonical and each.vector.verdict is Verdict.VALID]
        by_version: dict[int, list[Probe]] = defaultdict(list)
        for each in kept:
            by_version[each.version].append(each)
        most = max(map(len, by_version.values()), default=0)
        first = next((number for number, some in by_version.items() if len(some) == most), 0)
        return sorted(kept, key=lambda each: (each.version != first, _place(each.vector), len(each.data)))

    def _likely(self, rules: Sequence[Rule], probes: Sequence[Probe]) -> list[Rule]:
        """Return the rules by which the target takes one of some messages."""
        put = [(rule, each, made) for rule in rules for each in probes if (made := rule.write(each)) is not None]
        answers = self._ask([_input(each, made) for _, each, made in put])
        taken = {
            rule.id for (rule, each, made), given in zip(put, answers, strict=True) if self._is_meant(each, made, given)
        }
        return [rule for rule in rules if rule.id in taken]

    def _parted(self, rules: list[Rule], probes: Sequence[Probe]) -> list[Rule]:
        """Return the rules that are left of some, where a target takes what one has, not another.

        A message parts them that they write otherwise; a right one, which one of them leaves as it
        is, does so, too.
        """
        right = [
            probe(each, Result(each.id, "", Outcome.PASSED)) for of in self._right.values() for each in of.values()
        ]
        asked = 0
        for each in [*probes, *right]:
            if len(rules) == 1 or asked == _FURTHER:
                break
            written = [rule.write(each) for rule in rules]
            if len({made and made.data for made in written}) == 1:
                continue
            asked += 1
            taken = [made is None or self._share(rule, [each]) > 0 for rule, made in zip(rules, written, strict=True)]
            kept = [rule for rule, is_taken in zip(rules, taken, strict=True) if is_taken]
            rules = kept or rules
        return rules

    def _takes(self, rule: Rule, probes: Sequence[Probe]) -> bool:
        return self._share(rule, probes) >= _MOST

    def _share(self, rule: Rule, probes: Sequence[Probe]) -> float:
        """Return what the target takes of messages as a rule has them; 0 if it changes none."""
        put = [(each, made) for each in probes if (made := rule.write(each)) is not None]
        answers = self._ask([_input(*pair) for pair in put]) if put else ()
        taken = sum(self._is_meant(*pair, given) for pair, given in zip(put, answers, strict=True))
        return taken / len(put) if put else 0.0

    def _is_meant(self, asked: Probe, made: Written, given: bytes | None) -> bool:
        """Tell whether an answer gives what was written."""
        if given is None:
            return False
        if self._form == "bytes":
            return given in {made.data, asked.vector.data}
        try:
            body = json.loads(given)["body"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return False
        return messages.difference(made.layout, EXACT.write(made.layout, made.values), body, "") is None


def _rule_of(name: str) -> Rule | None:
    """Return the rule of a cause, in all fields or in those of one name; None if there is none."""
    codec, slash, place = name.partition("/`")
    field = f"{ANYWHERE}{place.partition('`')[0]}" if slash else ""
    return next((each for each in codecs(field) if each.id == codec), None)


def _of_families(probes: Iterable[Probe]) -> list[Probe]:
    """Return the most telling vector of each of several messages."""
    found: dict[str, Probe] = {}
    for each in probes:
        found.setdefault(each.vector.family, each)
    return list(found.values())[:_SEVERAL]


def _is_guessed(cause: Cause, rules: Iterable[Rule], probes: Sequence[Probe]) -> bool:
    """Tell whether only refusals speak for a cause: null apart, they say little about a layout."""
    if cause.id.startswith("layout/"):
        return "null" not in cause.id.rpartition("/")[2]
    return any(rule.id == cause.id and any(map(rule.write, probes)) for rule in rules)


def _one_of(rules: Sequence[Rule]) -> str:
    """Say what a target does, and what else it may be that gives the same bytes."""
    said = [rule.does for rule in rules]
    more = f"; or one of {len(said) - _SHOWN} others" if len(said) > _SHOWN else ""
    return "; or it ".join(said[:_SHOWN]) + more


def _telling_fields(rule: Rule, probes: Sequence[Probe]) -> int:
    """Return how many fields a message by a rule has: who leaves none out says more."""
    made = next(filter(None, map(rule.write, probes)))
    return len(list(fields_of(made.layout)))


def _place(vector: Vector) -> int:
    name = special(vector)
    return _TELLING.index(name) if name in _TELLING else len(_TELLING)


def _input(asked: Probe, made: Written) -> MessageInput:
    assert isinstance(asked.vector, MessageVector)  # noqa: S101 - this is about messages
    return asked.vector.message.input._replace(message=made.data)
