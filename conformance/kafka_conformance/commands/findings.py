"""`kafka-conformance findings`: bugs of the known targets, listed and confirmed."""

from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final

import click
from kafka_tools.errors import UsageError

from kafka_conformance.confirmation import confirmation, consuming
from kafka_conformance.confirmation.confirmation import Confirmation
from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Findings, Part

_FINDINGS = 1

_CONFIRM: Final[Mapping[Part, Callable[[Findings], Iterator[Confirmation]]]] = {
    Part.DECODER: confirmation.confirm,
    Part.MESSAGES: confirmation.confirm_messages,
    Part.CONSUMER: consuming.confirm_consumers,
    Part.PRODUCER: confirmation.confirm_producers,
    Part.BROKER: confirmation.confirm_appends,
    Part.SCENARIO: confirmation.confirm_scenarios,
    Part.SERDE: confirmation.confirm_contents,
}
"""What confirms findings about a part. No program reads log directories without an adapter."""


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
    request or response. Consumers, producers and brokers are targets, too: consumer-NAME,
    producer-NAME, broker-NAME.
    Exit status 1 if a bug no longer reproduces.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    chosen = _choose(targets)
    if not confirm:
        for findings in chosen:
            _list(findings)
        return 0
    return max((_confirm(findings, is_asked_for=bool(targets)) for findings in chosen), default=0)


def _choose(targets: tuple[str, ...]) -> list[Findings]:
    """Return the findings about targets, of every part of their libraries."""
    every = catalogue.load_all()
    names = list(dict.fromkeys(findings.target for findings in every))
    unknown = [target for target in targets if target not in names]
    if unknown:
        near = get_close_matches(unknown[0], names, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"There are findings about {', '.join(names)}."
        raise UsageError(f"there are no findings about {unknown[0]!r}.", hint)
    return [findings for target in targets or names for findings in every if findings.target == target]


def _list(findings: Findings) -> None:
    click.echo(f"{findings.target} {findings.version}")
    for finding in findings.findings:
        state = "confirmed" if finding.gives is not None else "not confirmed"
        click.echo(f"  {finding.id} ({finding.kind}, {state}): {finding.title}; {finding.smallest}")


def _confirm(findings: Findings, *, is_asked_for: bool) -> int:
    """Print what came of each finding; 1 if anything is not what the finding says."""
    status = 0
    if not any(finding.gives for finding in findings.findings):
        click.echo(f"{findings.target}: no program confirms these findings; the file says of each why")
        return 0
    try:
        for result in _CONFIRM[findings.part](findings):
            words = "confirmed" if result.is_confirmed else "no longer reproduces"
            click.echo(f"{findings.target}/{result.finding.id}: {words}; {result.finding.smallest}")
            for line in result.printed:
                click.echo(f"    {line}")
            status = status if result.is_confirmed else _FINDINGS
    except NotReadyError as missing:
        click.echo(f"{findings.target}: left out, {missing}", err=True)
        return 2 if is_asked_for else 0
    return status
