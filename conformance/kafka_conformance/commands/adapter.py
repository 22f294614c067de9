"""`kafka-conformance adapter`: serves a built-in target or a function, or prints a template."""

from collections.abc import Callable
from functools import partial

import click
from kafka_tools.errors import UsageError
from kafka_tools.system import resources

from kafka_conformance.errors import ProtocolError
from kafka_conformance.serving import loop
from kafka_conformance.serving.functions import Served
from kafka_conformance.targets.folders import TEMPLATES
from kafka_conformance.targets.words import PYTHON, REFERENCE


@click.command(name="adapter")
@click.argument("name", required=False)
@click.option("--template", "language", type=click.Choice(list(TEMPLATES)), help="Print that template instead.")
def command(*, name: str | None, language: str | None) -> int:
    """Serve a target over the adapter protocol, on standard input and output.

    \b
    kafka-conformance adapter reference
    kafka-conformance adapter --template rust > adapter.rs

    NAME is `reference`, or python:module:function. `run` starts this command as a child process. A
    template is one file to copy; with it, a decoder in that language speaks the protocol.
    docs/your-decoder.md shows each.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if (name is None) == (language is None):
        raise UsageError("give either NAME or --template.", "For example: kafka-conformance adapter --template java")
    if language is not None:
        click.echo(TEMPLATES[language].read_text(encoding="utf-8"), nl=False)
        return 0
    return _serve(str(name))


def _reference() -> Served:
    from kafka_conformance.serving import reference  # noqa: PLC0415 - what the other kind of target does not need

    served = reference.reference()
    resources.collect_seldom()
    return served


def _function(name: str) -> Served:
    from kafka_conformance.serving import python_function  # noqa: PLC0415 - the same

    return python_function.load(name)


def _serve(name: str) -> int:
    if name == REFERENCE:
        load: Callable[[], Served] = _reference
    elif name.startswith(PYTHON):
        load = partial(_function, name.removeprefix(PYTHON))
    else:
        raise UsageError(f"there is no built-in target {name!r}.", "Built in: reference, or python:module:function.")
    try:
        loop.serve_standard_streams(load)
    except ProtocolError as error:
        raise UsageError(
            f"standard input {error}.", "This command is meant to be started by `run` or `smoke`."
        ) from None
    return 0
