"""One mutant, put to vectors of its direction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from kafka_format.codec.compiler import version as compiled_version
from kafka_format.codec.readings import interpreter_only
from kafka_format.spec.layout.loader import resolve_once
from kafka_tools.errors import UsageError

from kafka_generator.mutants.mutant import Change, Mutant
from kafka_generator.mutants.patch import Patch
from kafka_generator.mutants.protocol.versions import interpreted
from kafka_generator.mutants.questions import Question
from kafka_generator.mutants.reference import caches, fresh, prepare, reference_modules

_FEW = 64
"""So many vectors are asked first where one that kills is enough."""


def kills(mutant: Mutant, questions: Sequence[Question]) -> list[str]:
    """Return the ids of the vectors that show what the mutant does wrong.

    Raises:
        UsageError: the mutant cannot be made, because the reference has changed under it.
    """
    return list(symptoms(mutant, questions))


def symptoms(mutant: Mutant, questions: Sequence[Question]) -> dict[str, str]:
    """Return by vector how the mutant fails it, as `kafka_conformance.diagnosis.symptom` has it.

    Raises:
        UsageError: the mutant cannot be made, because the reference has changed under it.
    """
    return symptoms_of_met(mutant, _questions_met(mutant, questions))


def first_kill(mutant: Mutant, questions: Sequence[Question]) -> str:
    """Return the id of the first vector that shows what the mutant does wrong; empty if none does.

    Raises:
        UsageError: the mutant cannot be made, because the reference has changed under it.
    """
    met, asked, more = _questions_met(mutant, questions), 0, _FEW
    while asked < len(met):
        if killing := symptoms_of_met(mutant, met[asked : asked + more]):
            return next(iter(killing))
        asked, more = asked + more, 4 * more
    return ""


def _questions_met(mutant: Mutant, questions: Sequence[Question]) -> list[Question]:
    """Return the questions that get to what is wrong; to the others the answer is right."""
    reached = [question.reach for question in questions]
    with active(mutant.change, mutant.id) as patch:
        return [question for question, places in zip(questions, reached, strict=True) if patch.is_met(places)]


def symptoms_of_met(mutant: Mutant, questions: Sequence[Question]) -> dict[str, str]:
    """Return the symptoms by vector where all questions are known to get to what is wrong.

    To find that out takes longer than to ask a few.

    Raises:
        UsageError: the mutant cannot be made, because the reference has changed under it.
    """
    with active(mutant.change, mutant.id):
        answers = [question.answer() for question in questions]
    answered = zip(questions, answers, strict=True)
    return {question.id: question.symptom(answer) for question, answer in answered if question.kills(answer)}


@contextmanager
def active(change: Change, name: str = "the mutant") -> Iterator[Patch]:
    """Make the reference wrong; yield the patch that did so.

    It reads and writes with the interpreter alone: the quick code has all steps in one, where no
    change reaches them.

    Raises:
        UsageError: the change does nothing, or the reference has changed under it.
    """
    with right(), patched(change, name) as patch:
        yield patch


@contextmanager
def patched(change: Change, name: str) -> Iterator[Patch]:
    """Make the reference wrong, whichever way it reads and writes; yield the patch that did so.

    Raises:
        UsageError: the change does nothing, or the reference has changed under it.
    """
    modules, sizes = reference_modules(), [(cached, cached.cache_info().currsize) for cached in caches()]
    patch = Patch()
    try:
        _apply(change, patch, name)
        yield patch
    except (NameError, SyntaxError) as error:
        raise UsageError(f"{name} does not run: {type(error).__name__}: {error}.", "Mend its function.") from error
    finally:
        patch.undo()
        for cached, size in sizes:
            if cached.cache_info().currsize != size:
                cached.cache_clear()
    if more := {module.__name__ for module in reference_modules()} - {module.__name__ for module in modules}:
        raise UsageError(f"{', '.join(more)} was imported while {name} was active.", "Import it before.")


@contextmanager
def right() -> Iterator[None]:
    """Let the reference work as with mutants: everything by its interpreter."""
    prepare()
    patch = Patch()
    patch.replace(compiled_version, interpreted())
    patch.replace(resolve_once, fresh(resolve_once))
    try:
        with interpreter_only():
            yield
    finally:
        patch.undo()


def _apply(change: Change, patch: Patch, name: str) -> None:
    """Make the change.

    Raises:
        UsageError: it changes nothing, or what it changes is not there; the message says which
            mutant, and what.
    """
    try:
        change(patch)
    except UsageError as error:
        raise UsageError(f"{name}: {error.message}", error.hint) from error
    except AttributeError as error:
        raise UsageError(f"{name} changes what is not there: {error}.", "Name what the reference has now.") from error
    if patch.is_empty:
        raise UsageError(f"{name} changes nothing.", "Call a method of its `patch`.")
