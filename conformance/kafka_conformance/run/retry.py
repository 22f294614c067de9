"""Whether a target does the same when it is asked again.

A finding is somebody's bug report, so it is looked at twice before it is told. What the target
answered is asked again in blocks; what it was lost on is put to a fresh process, because an earlier
input may have spoilt the first one. Two looks of which one went well, or that went wrong in
different ways, are a finding of their own: flaky. Wrong in the same field is the same way, whatever
the value, since an encoder may write the time of day; and a target that did not answer in time
once, and died or was wrong the other time, has only been faster: the speed of the machine decides
that.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol, TypeVar

from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome

HANGS = 6
"""How often a target may hang when it is asked again. One that hangs on more vectors is clearly
broken, and each costs the whole time limit; the rest is reported as it was first seen."""

LOSSES = 100
"""How many vectors that killed a target are asked again: each costs a restart of the target, a
second for a JVM."""

DISPUTES: Final = 60
"""How many vectors are put to a consumer a third time, alone, where two looks differ. It has many
topics at once, and may lose the bytes of one to an error in another; alone it cannot."""

_REQUEST: Final = re.compile(r"^produce\[\d+\]")

_DEAD = (Outcome.CRASHED, Outcome.OUT_OF_MEMORY)
"""How a target dies, the most specific first."""


_Question_contra = TypeVar("_Question_contra", contravariant=True)


class Askable(Protocol[_Question_contra]):
    """A target that can be asked, and asked afresh, as `child.session.Session` says."""

    notes: list[str]

    def ask(self, questions: Sequence[_Question_contra]) -> Iterator[Reaction]:
        """Put the questions, and yield a word on each, in any order."""

    def ask_afresh(self, questions: Sequence[_Question_contra]) -> Iterator[Reaction]:
        """Put each question to a process that has seen no other."""


def ask_again(
    session: Askable[_Question_contra], questions: Sequence[_Question_contra], firsts: Mapping[int, Reaction]
) -> Iterator[Reaction]:
    """Put the questions that got these words once more, and yield the second word on each.

    A note tells of those that there was no time for.

    Raises:
        GaveUpError: the target was lost too often in a row, or does not come up again.
        Stopped: the run was interrupted.
    """
    lost = [index for index, word in firsts.items() if isinstance(word.reply, Loss)]
    answered = [index for index in firsts if index not in set(lost)]
    hangs = 0
    for number, word in enumerate(session.ask_afresh([questions[index] for index in lost]), 1):
        yield replace(word, question=lost[word.question])
        hangs += isinstance(word.reply, Loss) and word.reply.outcome is Outcome.HUNG
        if number < len(lost) and (hangs == HANGS or number == LOSSES):
            session.notes.append(
                f"{len(lost) - number} of the {len(lost)} vectors that it was lost on were put only once"
            )
            break
    for word in session.ask([questions[index] for index in answered]):
        yield replace(word, question=answered[word.question])


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
    return result.outcome, _REQUEST.sub("produce", result.path)


def _again(first: Result, second: Result) -> str:
    if first.outcome is Outcome.CRASHED:
        return " (again in a fresh process)"
    if (first.got, first.answer) != (second.got, second.answer):
        return f" (and {second.got or 'another answer'} when it was asked again)"
    return ""


def _because(result: Result) -> str:
    return f" ({result.detail})" if result.detail else ""
