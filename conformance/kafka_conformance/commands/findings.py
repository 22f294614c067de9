"""`kafka-conformance findings`: bugs of the known targets, listed and confirmed."""

from collections.abc import Callable, Iterator
from difflib import get_close_matches

import click

from kafka_conformance.confirmation import confirmation, consuming
from kafka_conformance.confirmation.confirmation import Confirmation
from kafka_conformance.errors import NotReadyError, UsageError
from kafka_conformance.findings import catalogue
from kafka_conformance.findings.catalogue import Findings

_FINDINGS = 1

Run = Callable[[Findings], Iterator[Confirmation]]
"""Confirms the findings about a target."""


@click.command(name="findings")
@click.option("--confirm", is_flag=True, help="Run each through the library's own API and compare.")
@click.argument("targets", metavar="[TARGET]...", nargs=-1)
def command(*, confirm: bool, targets: tuple[str, ...]) -> int:
    """List the known bugs of third-party clients and brokers, or check whether they still occur.

    \b
    kafka-conformance findings aiokafka
    kafka-conformance findings --confirm aiokafka     # needs the target installed
    kafka-conformance findings --confirm              # all targets that are ready

    --confirm does not use the suite's adapters: a short script calls the library's public API
    against a broker that serves the smallest vector, or takes what is produced; or it reads a
    request or response. Consumers and producers are targets, too: consumer-NAME, producer-NAME.
    Exit status 1 if a bug no longer reproduces.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    chosen = _choose(targets)
    if not confirm:
        for findings, _ in chosen:
            _list(findings)
        return 0
    return max((_confirm(*about, is_asked_for=bool(targets)) for about in chosen), default=0)


def _choose(targets: tuple[str, ...]) -> list[tuple[Findings, Run]]:
    """Return the findings about targets, of every kind, with what confirms them."""
    every = (
        (catalogue.load_all(), confirmation.confirm),
        (catalogue.load_messages(), confirmation.confirm_messages),
        (catalogue.load_consumers(), consuming.confirm_consumers),
        (catalogue.load_producers(), confirmation.confirm_producers),
        (catalogue.load_brokers(), confirmation.confirm_appends),
    )
    names = list(dict.fromkeys(name for known, _ in every for name in known))
    unknown = [target for target in targets if target not in names]
    if unknown:
        near = get_close_matches(unknown[0], names, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"There are findings about {', '.join(names)}."
        raise UsageError(f"there are no findings about {unknown[0]!r}.", hint)
    return [(known[target], run) for target in targets or names for known, run in every if target in known]


def _list(findings: Findings) -> None:
    click.echo(f"{findings.target} {findings.version}")
    for finding in findings.findings:
        state = "confirmed" if finding.gives is not None else "not confirmed"
        click.echo(f"  {finding.id} ({finding.kind}, {state}): {finding.title}; {finding.smallest}")


def _confirm(findings: Findings, run: Run, *, is_asked_for: bool) -> int:
    """Print what came of each finding; 1 if anything is not what the finding says."""
    status = 0
    try:
        for result in run(findings):
            words = "confirmed" if result.is_confirmed else "no longer reproduces"
            click.echo(f"{findings.target}/{result.finding.id}: {words}; {result.finding.smallest}")
            for line in result.printed:
                click.echo(f"    {line}")
            status = status if result.is_confirmed else _FINDINGS
    except NotReadyError as missing:
        click.echo(f"{findings.target}: left out, {missing}", err=True)
        return 2 if is_asked_for else 0
    return status
