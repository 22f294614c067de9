"""The plainest question of a kind, put twice and judged as a run does: the first look at a client.

The first time shows whether anything works at all, the second whether the program goes on.
"""

from __future__ import annotations

from collections.abc import Iterator

from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.kind import Kind, Q, R, Session
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.vectors.loader import Filters

_TIMES = ("one question", "and again")


def look(kind: Kind[Q, R], candidate: Candidate, limits: Limits) -> Iterator[tuple[str, bool, str]]:
    """Yield what was tried, whether it went well, and what was seen; stop at what did not.

    Nothing is yielded of a kind that has no plain question, or of which the target declares
    nothing.

    Raises:
        TargetLostError: the target does not come up.
    """
    plain = [question for name in kind.plain for question in kind.questions(kind.load(Filters((name,))))]
    if not plain:
        return
    session = kind.open(candidate, limits, lambda: False)
    try:
        hello, question, passed = session.hello, _first(kind, session, plain), True
        if question is not None:
            formats = f"formats {' '.join(hello.formats)}, codecs {' '.join(hello.codecs)}"
            yield "hello", True, f"{hello.name} {hello.version} ({hello.language}), {formats}"
        for name in _TIMES if question is not None else ():
            if passed and question is not None:
                passed, words = _put(kind, session, question)
                yield name, passed, words
    finally:
        session.close()
    if question is not None and passed:
        ending = "; ".join(session.notes)
        yield "end", not ending, f"It {ending}." if ending else "it ended when its input did"


def _first(kind: Kind[Q, R], session: Session[Q, R], plain: list[Q]) -> Q | None:
    """Return the first plain question that the target can be asked."""
    hello = session.hello
    return next((each for each in plain if kind.is_due(each, hello) and not kind.gap(each, hello)), None)


def _put(kind: Kind[Q, R], session: Session[Q, R], question: Q) -> tuple[bool, str]:
    """Put a question, and return whether the reaction is right, and what it is."""
    try:
        (reaction,) = session.ask([question])
    except (GaveUpError, TargetLostError) as lost:
        return False, f"{question.vector.id} ({question.vector.title}): {lost}"
    result = kind.judge(question, session.hello, session.hello.name, reaction)
    return result.outcome is Outcome.PASSED, f"{question.vector.id} ({question.vector.title}) {_words(result)}"


def _words(result: Result) -> str:
    if result.outcome is Outcome.PASSED:
        return f"went as it should {result.detail and f'({result.detail})'}".rstrip()
    return f"{result.outcome.words}: {result.detail}"
