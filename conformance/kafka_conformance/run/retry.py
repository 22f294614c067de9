"""Whether a target does the same when it is asked again.

A finding is somebody's bug report, so it is looked at twice. What the target
answered is asked again in blocks; what it was lost on is put to a fresh process, because an earlier
input may have spoilt the first one. Two looks of which one went well, or that went wrong in
different ways, are a finding of their own: flaky. Wrong in the same field is the same way, whatever
the value, since an encoder may write the time of day; and a target that did not answer in time
once, and died or was wrong the other time, has only been faster: the speed of the machine decides
that.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Generic

from kafka_conformance.child.session import Loss
from kafka_conformance.judging.result import Result, produced
from kafka_conformance.kinds.kind import Kind, Q, R, Session
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello

HANGS = 6
"""How often a target may hang when it is asked again. One that hangs on more vectors is clearly
broken, and each costs the whole time limit; the rest is reported as it was first seen."""

LOSSES = 100
"""How many vectors that killed a target are asked again: each costs a restart of the target, a
second for a JVM."""

DISPUTES: Final = 60
"""How many vectors are put to a consumer a third time, alone, where two looks differ. It has many
topics at once, and may lose the bytes of one to an error in another; alone it cannot."""

_DEAD = (Outcome.CRASHED, Outcome.OUT_OF_MEMORY)
"""How a target dies, the most specific first."""


class Looks(Generic[Q, R]):
    """What was seen of questions that are put up to three times.

    Attributes:
        firsts: the reactions that looked like findings, by question.
        disputes: two results that differ, by question, where a third look decides.
    """

    def __init__(self, kind: Kind[Q, R], target: str, hello: Hello, questions: Sequence[Q]) -> None:
        """Look at questions of one kind, and at one target.

        Args:
            kind: the kind.
            target: the name of the target.
            hello: what it declares.
            questions: what it is asked.
        """
        self._kind, self._target, self._hello, self._questions = kind, target, hello, questions
        self._suspects: dict[int, Result] = {}
        self.firsts: dict[int, R] = {}
        self.disputes: dict[int, tuple[Result, Result]] = {}

    def first(self, reaction: R) -> Result | None:
        """Return the result of a first look; None if it is a finding, which must be seen twice."""
        result = self._judge(reaction.question, reaction)
        if not result.is_finding or reaction.is_certain:
            return result
        self.firsts[reaction.question], self._suspects[reaction.question] = reaction, result
        return None

    def second(self, reaction: R) -> Result | None:
        """Return what two looks come to; None if a third one decides."""
        first, again = self._suspects.pop(reaction.question), self._judge(reaction.question, reaction)
        settled = settle(first, again)
        if self._kind.has_third_look and settled.outcome is Outcome.FLAKY and len(self.disputes) < DISPUTES:
            self.disputes[reaction.question] = first, again
            return None
        return settled

    def third(self, question: int, reaction: R) -> Result:
        """Return what three looks come to; `question` is its number."""
        return settle_dispute(*self.disputes.pop(question), self._judge(question, reaction))

    def rest(self) -> Iterator[Result]:
        """Yield the results of what could not be looked at again."""
        yield from self._suspects.values()
        yield from (settle(first, again) for first, again in self.disputes.values())

    def _judge(self, question: int, reaction: R) -> Result:
        return self._kind.judge(self._questions[question], self._hello, self._target, reaction)


def ask_again(session: Session[Q, R], questions: Sequence[Q], firsts: Mapping[int, R]) -> Iterator[R]:
    """Put the questions that got these reactions once more, and yield the second reaction to each.

    A note tells of those that there was no time for.

    Raises:
        GaveUpError: the target was lost too often in a row, or does not come up again.
        StoppedError: the run was interrupted.
    """
    lost = [index for index, reaction in firsts.items() if isinstance(reaction.reply, Loss)]
    answered = [index for index in firsts if index not in set(lost)]
    hangs = 0
    for number, reaction in enumerate(session.ask_afresh([questions[index] for index in lost]), 1):
        yield replace(reaction, question=lost[reaction.question])
        hangs += isinstance(reaction.reply, Loss) and reaction.reply.outcome is Outcome.HUNG
        if number < len(lost) and (hangs == HANGS or number == LOSSES):
            session.notes.append(
                f"{len(lost) - number} of the {len(lost)} vectors that it was lost on were put only once"
            )
            break
    for reaction in session.ask([questions[index] for index in answered]):
        yield replace(reaction, question=answered[reaction.question])


def settle(first: Result, second: Result) -> Result:
    """Return what two looks at one case come to."""
    if _manner(first) == _manner(second):
        return replace(first, detail=first.detail + _again(first, second))
    in_time = [result for result in (first, second) if result.outcome is not Outcome.HUNG]
    if len(in_time) == 1 and in_time[0].is_finding:
        return replace(in_time[0], detail=f"{in_time[0].detail} (the other time it {Outcome.HUNG.words})")
    if first.outcome in _DEAD and second.outcome in _DEAD:
        return min((first, second), key=lambda result: _DEAD.index(result.outcome))
    looks = ", then ".join(f"it {result.outcome.words}{_because(result)}" for result in (first, second))
    return replace(first, outcome=Outcome.FLAKY, detail=looks, expected="", got="", path="")


def settle_dispute(first: Result, second: Result, third: Result) -> Result:
    """Return what two looks that differ come to, with a third at the case alone."""
    same = [result for result in (second, first) if _manner(result) == _manner(third)]
    return settle(same[0], third) if same else settle(first, second)


def _manner(result: Result) -> tuple[Outcome, str]:
    """Return how a target was wrong.

    In which of its requests a producer was, time decides: it may send a record alone, or later.
    """
    place = "" if result.request is None else produced(result.request)
    return result.outcome, result.path.removeprefix(place)


def _again(first: Result, second: Result) -> str:
    if first.outcome is Outcome.CRASHED:
        return " (again in a fresh process)"
    if (first.got, first.answer) != (second.got, second.answer):
        return f" (and {second.got or 'another answer'} when it was asked again)"
    return ""


def _because(result: Result) -> str:
    return f" ({result.detail})" if result.detail else ""
