"""Whether a target does the same when it is asked again.

A finding is somebody's bug report, so it is looked at twice before it is told. What the target answered is asked
again in blocks; what it was lost on is put to a fresh process, because an earlier input may have spoilt the first one.
Two looks that differ are a finding of their own: flaky. Error texts may differ, since many name an address or a time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kafka_conformance.outcomes import Outcome, Result
from kafka_conformance.session import Loss, Question, Session, Word


def ask_again(session: Session, questions: Sequence[Question], firsts: Mapping[int, Word]) -> Iterator[Word]:
    """Put the questions that got these words once more, and yield the second word on each.

    Raises:
        GaveUpError: the target was lost too often in a row, or does not come up again.
        Stopped: the run was interrupted.
    """
    lost = [index for index, word in firsts.items() if isinstance(word.reply, Loss)]
    answered = [index for index in firsts if index not in set(lost)]
    for indexes, ask in ((lost, session.ask_afresh), (answered, session.ask)):
        for word in ask([questions[index] for index in indexes]):
            yield replace(word, question=indexes[word.question])


def settled(first: Result, second: Result) -> Result:
    """Return what two looks at one case come to."""
    if _essence(first) == _essence(second):
        again = " (again in a fresh process)" if first.outcome is Outcome.CRASHED else ""
        return replace(first, detail=first.detail + again)
    looks = ", then ".join(f"it {one.outcome.words}{_because(one)}" for one in (first, second))
    return replace(first, outcome=Outcome.FLAKY, detail=looks, expected="", got="", path="")


def _essence(result: Result) -> tuple[object, ...]:
    return result.outcome, result.path, result.expected, result.got, result.answer


def _because(result: Result) -> str:
    return f" ({result.detail})" if result.detail else ""
