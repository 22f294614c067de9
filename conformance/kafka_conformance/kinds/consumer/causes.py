"""Findings about consumers as a list of bugs: what is known of the library, then what it does.

A wrong consumer stands for the target: it reads each vector as the target did. Who gives the same
records in the same order and goes on at the same offsets most likely does the same. What a consumer
does in conversations shows the same bugs where the log does, and has causes of its own elsewhere.
What is left is about the bytes, and is diagnosed like the findings of a decoder.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from kafka_conformance.diagnosis.cause import Cause, Diagnosis, merge, worst, worst_first
from kafka_conformance.diagnosis.diagnose import diagnose, is_much_of, signatures_of_clients
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group
from kafka_conformance.diagnosis.match import Match, cover, known_matches, matches
from kafka_conformance.diagnosis.signature import Signature, client_signatures, signatures
from kafka_conformance.diagnosis.symptom import symptom
from kafka_conformance.diagnosis.usual import usual_first
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.consumer.conversation_causes import (
    LARGE_BATCH,
    PIECES,
    conversation_groups,
    fact_groups,
    without_earliest,
)
from kafka_conformance.kinds.consumer.conversation_facts import STANDS_STILL
from kafka_conformance.kinds.consumer.scopes import scopes_of
from kafka_conformance.kinds.consumer.wrong_answers import (
    ConsumerAnswer,
    is_explained,
    lost_records,
    read,
    sort_of,
    steps,
    tells_alone,
)
from kafka_conformance.kinds.consumer.wrong_consumers import (
    WRONG_CONSUMERS,
    Way,
    WrongConsumer,
    by_size,
    position_moved,
)
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.vectors.vector import Subject, Vector

_LOST: Final = frozenset({Outcome.HUNG, Outcome.CRASHED, Outcome.OUT_OF_MEMORY})

_WRONG: Final = 0.25
"""What a wrong consumer fails and the target passes, of what it explains, if it is believed."""

_MOST: Final = 0.6
"""What one cause has of the findings of a sort, if it takes the others, too."""

_GLOBAL: Final = 0.3
"""What of all that was served goes wrong, if conversations are likely to go wrong by that."""

_MORE: Final = 1.25
"""So many times as much must a wrong decoder explain, if it is named instead."""


def diagnose_consumer(target: str, results: Sequence[Result], vectors: Mapping[str, Vector], hello: Hello) -> Diagnosis:
    """Return what the findings of a consumer come from."""
    findings = {result.vector: result for result in results if result.is_finding}
    if not findings:
        return Diagnosis()
    if _never_replies(results):
        return Diagnosis((cause_of_group(_NO_REPLY, list(findings.values()), vectors, ()),))
    bugs = _known(target, findings)
    known = frozenset[str]().union(*(bug.vectors for bug in bugs))
    read_all = [answer for result in results if (answer := read(vectors[result.vector], result, hello)) is not None]
    answers = [answer for answer in read_all if answer.result.vector not in known]
    bugs = [bug._replace(answers=tuple(each for each in read_all if each.result.vector in bug.vectors)) for bug in bugs]
    aside = {
        name: result
        for name, result in findings.items()
        if name not in known and vectors[name].subject is Subject.CONVERSATION and _content(result)
    }
    answers = [answer for answer in answers if answer.result.vector not in aside]
    left = {name: found for name, found in findings.items() if name not in known and name not in aside}
    causes = list(_by_facts(left, vectors))
    said = {result.vector for cause in causes for result in cause.findings}
    answers = [answer for answer in answers if answer.result.vector not in said]
    left = {name: result for name, result in left.items() if name not in said}
    causes += _by_behaviour(answers, left, vectors, bugs)
    explained = {result.vector for cause in causes for result in cause.findings} | aside.keys()
    rest = [result for result in results if result.vector not in explained]
    pool = signatures_of_clients(target, vectors.values())
    found = merge([Diagnosis(tuple(causes)), diagnose(target, rest, vectors, pool, hello.fields)])
    found = _with_single(found, rest, vectors, hello)
    return replace(found, causes=tuple(worst_first(_joined(_with_contents(found.causes, aside, vectors), vectors))))


_OF_SIZE: Final = {
    "conversation/frames/in-pieces": PIECES,
    "conversation/limits/batch-larger-than-max-bytes": LARGE_BATCH,
}
"""Conversations that show what goes wrong with large answers, too."""

_LARGE: Final = "large"
"""The family of vectors of 1 MiB, which no single read of a socket brings, and no limit allows."""

_BRINGS: Final = {
    "consumer/error-swallowed": (STANDS_STILL, "consumer/damage-passed-over", "consumer/too-small-swallowed"),
    "consumer/isolation-not-asked-of-fetch": ("consumer/aborted-delivered",),
    STANDS_STILL: ("consumer/damage-passed-over",),
    "consumer/position-in-cut-entry": ("consumer/cut-entry",),
    "consumer/position-behind-cut-entry": ("consumer/cut-entry",),
    "consumer/cut-entry-goes-back": ("consumer/cut-entry",),
    "consumer/damaged-swallowed": ("consumer/checksum-swallowed", "consumer/damage-passed-over"),
    "batch/crc-not-checked": ("consumer/checksum-unchecked",),
    "consumer/checksum-unchecked": ("entries/fault-ends-quietly",),
}
"""What else a consumer does that does the first, by the ids of causes."""


def _joined(causes: Iterable[Cause], vectors: Mapping[str, Vector]) -> Iterator[Cause]:
    """Yield causes, those of one id as one, with what one of them brings about."""
    kept: dict[str, Cause] = {}
    first = {name: place for place, name in enumerate(_BRINGS)}
    in_order = sorted(causes, key=lambda each: (first.get(each.id, len(first)), not each.id.startswith(_CLIENT)))
    for cause in in_order:
        by_another = (name for name in kept if cause.id in _BRINGS.get(name, ()) or _is_one(cause.id, name))
        name = next(by_another, cause.id)
        before = kept.get(name)
        kept[name] = cause if before is None else _as_one(before, cause, vectors)
    yield from kept.values()


def _as_one(first: Cause, second: Cause, vectors: Mapping[str, Vector]) -> Cause:
    """Return two causes as the first of them; what is one bug has the reach of both."""
    findings = usual_first([*first.findings, *second.findings], vectors)
    reach = worst((first.reach, second.reach)) if first.id.removeprefix(_CLIENT) in second.id else first.reach
    return replace(first, findings=findings, reach=reach)


_CLIENT: Final = "consumer-"
"""How ids of bugs begin that were seen in a consumer; without it, they are of its decoder."""


def _is_one(name: str, other: str) -> bool:
    """Tell whether one of two causes is the other: in entries of a kind, or seen in the decoder."""
    is_in = name.startswith("consumer/") and (name.startswith(f"{other}/") or other.startswith(f"{name}/"))
    return is_in or f"{_CLIENT}{name}" == other


def _by_facts(left: Mapping[str, Result], vectors: Mapping[str, Vector]) -> Iterator[Cause]:
    """Yield the causes that conversations name by what differs in them."""
    of_size = next((name for name in _OF_SIZE if name in left and not left[name].path), "")
    if of_size:
        kind = _OF_SIZE[of_size]
        how = left[of_size].outcome
        large = (name for name in left if vectors[name].family == _LARGE and left[name].outcome is how)
        names = [of_size, *large]
        group = FindingGroup(f"consumer/{kind.id}", kind.does)
        yield cause_of_group(group, [left[name] for name in names], vectors, ())
        left = {name: result for name, result in left.items() if name not in names}
    about = [result for name, result in left.items() if vectors[name].subject is Subject.CONVERSATION]
    if (reset := without_earliest(about, vectors)) is not None:
        yield cause_of_group(*reset, vectors, ())
        explained = {result.vector for result in reset[1]}
        about = [result for result in about if result.vector not in explained]
    for group, results in fact_groups(about, vectors):
        yield cause_of_group(group, results, vectors, ())


def _with_single(found: Diagnosis, results: Iterable[Result], vectors: Mapping[str, Vector], hello: Hello) -> Diagnosis:
    """Return a diagnosis with what a single key or value shows: one that is cut off, say."""
    left = [result for result in found.unexplained if _content(result) in {"key", "value"}]
    if not left:
        return found
    passed = [result for result in results if result.outcome is Outcome.PASSED]
    more = diagnose("", [*left, *passed], vectors, (), hello.fields, fewest=1)
    explained = {result.vector for cause in more.causes for result in cause.findings}
    pairs = zip(found.unexplained, found.reaches, strict=True)
    rest = [pair for pair in pairs if pair[0].vector not in explained]
    causes = (*found.causes, *(replace(cause, note="") for cause in more.causes))
    return replace(
        found,
        causes=causes,
        unexplained=tuple(result for result, _ in rest),
        reaches=tuple(reach for _, reach in rest),
    )


_NO_REPLY: Final = FindingGroup("consumer/no-reply", "is lost at whatever it is asked, without a single reply")


def _never_replies(results: Iterable[Result]) -> bool:
    """Tell whether a target was given up that hung or died at all that it was asked."""
    outcomes = {result.outcome for result in results} - {Outcome.UNSUPPORTED}
    return Outcome.NOT_ASKED in outcomes and outcomes <= {*_LOST, Outcome.NOT_ASKED}


_CONTENT: Final = re.compile(r"records\[\d+\]\.(?!offset)(\w+)")
"""Where the content of a record is not the right one, in a conversation or elsewhere."""


def _content(result: Result) -> str:
    """Return the part of a record that is not right; empty if it is about something else."""
    found = _CONTENT.search(result.path) if result.outcome is Outcome.WRONG_ANSWER else None
    return found[1] if found else ""


def _with_contents(
    causes: Iterable[Cause], aside: Mapping[str, Result], vectors: Mapping[str, Vector]
) -> Iterator[Cause]:
    """Yield causes, with conversations in which the same part of records is wrong.

    What a client does to every record shows there, too. What no cause does is a bug of its own.
    """
    every, left = list(causes), dict(aside)
    for field in dict.fromkeys(map(_content, aside.values())):
        counted = [sum(_content(result) == field for result in cause.findings) for cause in every]
        place = counted.index(max(counted, default=0)) if counted else -1
        if place < 0 or 2 * counted[place] < len(every[place].findings):
            continue
        taken = [left.pop(name) for name, result in aside.items() if _content(result) == field]
        every[place] = replace(every[place], findings=(*every[place].findings, *taken))
    yield from every
    for group, results in conversation_groups(left.values(), vectors):
        yield cause_of_group(group, results, vectors, ())


class _KnownBug(NamedTuple):
    """A bug that is known of the library, and shows.

    Attributes:
        group: its name, and what it does.
        vectors: those that show it.
        answers: what the consumer made of them, where that can be compared.
    """

    group: FindingGroup
    vectors: frozenset[str]
    answers: tuple[ConsumerAnswer, ...] = ()

    def is_of(self, explanation: _Explanation, vectors: Mapping[str, Vector]) -> bool:
        """Tell whether a wrong consumer does what shows the bug, and the bug shows much of that.

        A difference that is no bug takes no more than is known of it.
        """
        if self.group.is_harmless:
            return False
        shown = [answer.result.vector for answer in self.answers if is_explained(answer, explanation.way)]
        return len(shown) >= _MOST * len(self.vectors) and is_much_of(shown, explanation.match.exact, vectors)


def _known(target: str, findings: Mapping[str, Result]) -> list[_KnownBug]:
    """Return the bugs that are known of the library and show."""
    library = target.partition("@")[0]
    failed = {name: symptom(result) for name, result in findings.items()}
    bugs = known_matches([*client_signatures(), *signatures()], failed, library)
    return [
        _KnownBug(_known_group(bug[0].signature), frozenset[str]().union(*(match.exact for match in bug)))
        for bug in bugs
    ]


def _known_group(signature: Signature) -> FindingGroup:
    return FindingGroup(signature.bug_id, signature.does, signature.is_harmless)


def _by_behaviour(
    answers: Sequence[ConsumerAnswer],
    findings: Mapping[str, Result],
    vectors: Mapping[str, Vector],
    bugs: Sequence[_KnownBug],
) -> Iterator[Cause]:
    """Yield what a consumer does with answers and in conversations, each finding in one cause.

    What does a known bug of the library, too, goes by its name.
    """
    left = dict(findings)
    fit = list(_explained(answers, findings))
    others = {each.match.signature.id: tuple(other.id for other in each.alike) for each in fit}
    groups = [(_group_of(each, bugs, vectors), each.match.exact) for each in fit]
    groups = _with_alike(groups, answers, left)
    groups = _with_conversations(groups, answers, left, vectors)
    for group, names in groups:
        if taken := [left.pop(name) for name in sorted(names & left.keys())]:
            yield cause_of_group(group, taken, vectors, others.get(group.id, ()))
    about = [result for name, result in left.items() if vectors[name].subject is Subject.CONVERSATION]
    for group, results in conversation_groups(about, vectors):
        yield cause_of_group(group, results, vectors, ())


_Groups = list[tuple[FindingGroup, frozenset[str]]]


class _Explanation(NamedTuple):
    """A wrong consumer that does what the target does.

    Attributes:
        match: what it explains.
        way: what it makes of an answer.
        alike: others that no answer tells from it.
    """

    match: Match
    way: Way
    alike: Sequence[Signature]


def _group_of(explanation: _Explanation, bugs: Iterable[_KnownBug], vectors: Mapping[str, Vector]) -> FindingGroup:
    """Return the known bug that it is, or its signature, with the first that none tells apart."""
    known = next((bug.group for bug in bugs if bug.is_of(explanation, vectors)), None)
    if known is not None:
        return known
    signature, alike = explanation.match.signature, explanation.alike
    either = f"; or it {alike[0].does}" if alike else ""
    return FindingGroup(signature.id, f"{signature.does}{either}")


def _with_alike(groups: _Groups, answers: Iterable[ConsumerAnswer], left: Mapping[str, Result]) -> _Groups:
    """Add what is of one sort to the cause that has most of it: it is hardly another bug.

    Positions that no wrong consumer explains, and records in another order, are a cause all the
    same.
    """
    by_sort: dict[FindingGroup, set[str]] = defaultdict(set)
    for answer in answers:
        if answer.result.vector in left and (sort := sort_of(answer)) is not None:
            by_sort[sort].add(answer.result.vector)
    for sort, names in by_sort.items():
        nearest = max(groups, key=lambda pair: len(pair[1] & names), default=None)
        if nearest is not None and len(nearest[1] & names) >= _MOST * len(names):
            groups = [(group, them | names if group is nearest[0] else them - names) for group, them in groups]
        else:
            groups = [(sort, frozenset(names)), *((group, them - names) for group, them in groups)]
    return groups


def _with_conversations(
    groups: _Groups, answers: Sequence[ConsumerAnswer], left: Mapping[str, Result], vectors: Mapping[str, Vector]
) -> _Groups:
    """Add conversations to what goes wrong with nearly every answer: they show nothing else."""
    served = sum(answer.answer.is_sound and not answer.is_conversation for answer in answers)
    largest = max(groups, key=lambda pair: len(pair[1]), default=None)
    if largest is None or len(largest[1]) < _GLOBAL * served:
        return groups
    conversations = {name for name in left if vectors[name].subject is Subject.CONVERSATION}
    return [(group, them | conversations if group is largest[0] else them) for group, them in groups]


def _explained(answers: Sequence[ConsumerAnswer], findings: Mapping[str, Result]) -> Iterator[_Explanation]:
    """Yield the wrong consumers that add up to what a target does, what explains most first."""
    wrong = [answer for answer in answers if answer.result.vector in findings]
    passed = [answer for answer in answers if answer.result.outcome is Outcome.PASSED]
    candidates = [*WRONG_CONSUMERS, *map(position_moved, steps(wrong)), *by_size(*lost_records(wrong))]
    ways = [
        (match, way)
        for consumer in candidates
        for way in consumer.ways
        if (match := _match(consumer, way, wrong, passed)) is not None
    ]
    told = {answer.result.vector for answer in wrong if answer.answer.is_sound and not answer.is_conversation}
    for scope in scopes_of(wrong):
        if any(_is_whole(match, told) for match, _ in ways):
            break  # nothing narrower says more
        about = [answer for answer in passed if scope.has(answer)]
        scoped = [(consumer, scope.way(way)) for consumer in candidates for way in consumer.ways]
        matched = ((_match(consumer, way, wrong, about), way) for consumer, way in scoped)
        ways += [(scope.of(match), way) for match, way in matched if match is not None]
    fit = [match for match, _ in ways]
    failed = {answer.result.vector: symptom(answer.result) for answer in wrong}
    decoders = matches(signatures(), failed, [answer.result.vector for answer in passed], "") if fit else []
    for match in cover(fit):
        rivals = (other for other in decoders if match.exact <= other.exact and other.passed <= match.passed)
        if max((len(other.exact) for other in rivals), default=0) < _MORE * len(match.exact):
            alike = {_plain_id(other.signature): other.signature for other in reversed(fit) if other.is_like(match)}
            others = [other for name, other in reversed(alike.items()) if name != _plain_id(match.signature)]
            yield _Explanation(match, next(way for each, way in ways if each is match), others)


def _plain_id(signature: Signature) -> str:
    """Return the id of a cause without the kind of answers that it is limited to."""
    return "/".join(signature.id.split("/")[:2])


def _is_whole(match: Match, told: Collection[str]) -> bool:
    """Tell whether a match explains all that is told, and foresees nothing else."""
    return not match.passed and not match.others and match.exact.issuperset(told)


def _match(
    consumer: WrongConsumer, way: Way, wrong: Sequence[ConsumerAnswer], passed: Sequence[ConsumerAnswer]
) -> Match | None:
    """Return what a wrong consumer explains; None if it is not the target."""
    foreseen = [(answer, is_explained(answer, way)) for answer in wrong]
    exact = frozenset(answer.result.vector for answer, said in foreseen if said)
    if not any(answer.result.vector in exact and tells_alone(answer) for answer in wrong):
        return None
    others = frozenset(answer.result.vector for answer, said in foreseen if said is False)
    right = sum(is_explained(answer, way) is not None for answer in passed)
    if right > _WRONG * len(exact) or len(others) > _WRONG * len(exact):
        return None
    return Match(Signature(consumer.id, consumer.does, Direction.DECODE, {}), exact, others, right)
