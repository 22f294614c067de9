"""One mutant, put to vectors of its direction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from kafka_conformance.errors import UsageError
from kafka_format import structure
from kafka_format.codec.readings import interpreter_only
from kafka_format.spec.layout import specification

from kafka_generator.mutants.altered import altered
from kafka_generator.mutants.declared import Fault
from kafka_generator.mutants.modules import caches, reference_modules
from kafka_generator.mutants.mutant import Change, Mutant
from kafka_generator.mutants.patch import Patch
from kafka_generator.mutants.putting import Question


def kills(mutant: Mutant | Fault, questions: Sequence[Question]) -> list[str]:
    """Return the ids of the vectors that show what the mutant does wrong.

    Raises:
        UsageError: the mutant cannot be made, because the reference has changed under it.
    """
    if not questions:
        return []
    with _made(mutant):
        got = [question.answered() for question in questions]
    return [question.id for question, answer in zip(questions, got, strict=True) if question.kills(answer)]


def first_kill(mutant: Mutant | Fault, questions: Iterable[Question]) -> str:
    """Return the id of the first vector that shows what the mutant does wrong; empty if none does.

    Raises:
        UsageError: the mutant cannot be made, because the reference has changed under it.
    """
    with _made(mutant):
        return next((question.id for question in questions if question.kills(question.answered())), "")


@contextmanager
def _made(mutant: Mutant | Fault) -> Iterator[None]:
    try:
        with active(mutant.change) if isinstance(mutant, Mutant) else altered(mutant.edits, mutant.specification):
            yield
    except (NameError, SyntaxError) as error:
        told = f"{type(error).__name__}: {error}"
        raise UsageError(
            f"the edits of {mutant.id} do not run: {told}.", "Fit them to the reference as it is."
        ) from error


@contextmanager
def active(change: Change) -> Iterator[None]:
    """Make the reference wrong.

    It reads and writes with the interpreter alone: the quick code has all steps in one, where no change reaches them.

    Raises:
        UsageError: the change does nothing, or the reference has changed under it.
    """
    _prepare()
    modules, kept = reference_modules(), {id(cached): cached.cache_info().currsize for cached in caches()}
    patch = Patch()
    try:
        change(patch)
        if patch.is_empty:
            raise UsageError("the mutant changes nothing.", "Call a method of its `patch`.")
        with interpreter_only():
            yield
    finally:
        patch.undo()
        for cached in caches():
            if cached.cache_info().currsize != kept.get(id(cached)):
                cached.cache_clear()
    if more := {module.__name__ for module in reference_modules()} - {module.__name__ for module in modules}:
        raise UsageError(f"{', '.join(more)} was imported while it was wrong.", "Import it before.")


@cache
def _prepare() -> None:
    """Import what mutants reach, and compile all layouts, so that nothing wrong stays in a cache."""
    for name in specification().layouts:
        structure(name)
