"""One fault, put to vectors of its direction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from kafka_conformance.errors import UsageError

from kafka_generator.mutants.altered import altered
from kafka_generator.mutants.declared import Fault
from kafka_generator.mutants.putting import Question


def kills(fault: Fault, questions: Sequence[Question]) -> list[str]:
    """Return the ids of the vectors that show the fault.

    Raises:
        UsageError: the fault cannot be made, because the reference has changed under it.
    """
    if not questions:
        return []
    with _made(fault):
        got = [question.answered() for question in questions]
    return [question.id for question, one in zip(questions, got, strict=True) if question.kills(one)]


def first_kill(fault: Fault, questions: Iterable[Question]) -> str:
    """Return the id of the first vector that shows the fault; empty if none does.

    Raises:
        UsageError: the fault cannot be made, because the reference has changed under it.
    """
    with _made(fault):
        return next((question.id for question in questions if question.kills(question.answered())), "")


@contextmanager
def _made(fault: Fault) -> Iterator[None]:
    try:
        with altered(fault.edits, fault.specification):
            yield
    except (NameError, SyntaxError) as error:
        told = f"{type(error).__name__}: {error}"
        raise UsageError(
            f"the edits of {fault.id} do not run: {told}.", "Fit them to the reference as it is."
        ) from error
