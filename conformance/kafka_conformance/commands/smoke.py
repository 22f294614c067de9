"""`kafka-conformance smoke`: a first look at an adapter."""

import click
from kafka_tools.errors import UsageError
from kafka_tools.text import one_line

from kafka_conformance.child.launch import Limits
from kafka_conformance.commands.options import limits
from kafka_conformance.run.questions import said_hello
from kafka_conformance.run.smoke import smoke
from kafka_conformance.targets import resolve
from kafka_conformance.targets.words import PYTHON

_LONGEST = 2000


@click.command(name="smoke")
@click.argument("target")
@limits
def command(*, target: str, seconds: float, memory: int) -> int:
    """Check the adapter itself: hello, a batch, a refusal, three blocks at once, a request.

    \b
    kafka-conformance smoke 'cmd:./my-adapter'

    A consumer, a producer or a reader of log directories is put its plainest question, twice.

    Exit status 1 if a step fails, with what is wrong.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    candidate = resolve.candidate(target)
    if candidate.place is not None:
        raise UsageError(f"{target} is a broker, and has no adapter to look at.", "`kafka-conformance run` tests it.")
    if candidate.command is None:
        raise UsageError(f"{target} is not ready: {candidate.problem}.", resolve.ADVICE)
    passed, function = True, target.removeprefix(PYTHON) if target.startswith(PYTHON) else ""
    allowed = Limits(seconds=seconds, memory=memory << 20)
    for step in smoke(said_hello(candidate, allowed), allowed, function):
        passed = step.passed
        click.echo(f"{'ok   ' if passed else 'WRONG'} {step.name}: {one_line(step.words, _LONGEST)}")
    return 0 if passed else 1
