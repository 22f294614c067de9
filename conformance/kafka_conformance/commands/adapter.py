"""`kafka-conformance adapter`: serves a built-in target or a function, or prints a template."""

from collections.abc import Callable
from functools import partial

import click
from kafka_tools.errors import UsageError
from kafka_tools.system import resources

from kafka_conformance.errors import ProtocolError
from kafka_conformance.serving import loop
from kafka_conformance.serving.functions import Served
from kafka_conformance.targets.folders import KINDS, TEMPLATES
from kafka_conformance.targets.words import PYTHON, REFERENCE


@click.command(name="adapter")
@click.argument("name", required=False)
@click.option("--template", "kind", type=click.Choice(KINDS), help="Print a template for such a target instead.")
@click.option("--language", type=click.Choice(list(TEMPLATES)), help="The language of the template.")
def command(*, name: str | None, kind: str | None, language: str | None) -> int:
    """Serve a target over the adapter protocol, on standard input and output.

    \b
    kafka-conformance adapter reference
    kafka-conformance adapter --template decoder --language rust > adapter.rs
    kafka-conformance adapter --template consumer --language go > consumer.go

    NAME is `reference`, or python:module:function. `run` starts this command as a child process. A
    template is one file to copy; with it, a program in that language speaks the protocol.
    docs/your-decoder.md and docs/your-client.md show each.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if name is not None and kind is None and language is None:
        return _serve(name)
    if name is not None or kind is None or language is None:
        example = "For example: kafka-conformance adapter --template consumer --language java"
        raise UsageError("give either NAME, or --template and --language.", example)
    if kind not in TEMPLATES[language]:
        there = ", ".join(other for other, kinds in TEMPLATES.items() if kind in kinds)
        raise UsageError(f"there is no template for a {kind} in {language}.", f"There is one in {there}.")
    click.echo(TEMPLATES[language][kind].read_text(encoding="utf-8"), nl=False)
    return 0


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
