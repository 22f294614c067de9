"""`kafka-conformance findings`: what is known to be wrong in the known targets, and confirming it."""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kafka_conformance.errors import NotReadyError, UsageError
from kafka_conformance.protocol.hello import Direction

if TYPE_CHECKING:
    from kafka_conformance.findings.catalogue import Finding, Findings
    from kafka_conformance.findings.confirmation import Program

_FINDINGS = 1


@click.command(name="findings")
@click.option("--confirm", is_flag=True, help="Run each through the library's own API and compare.")
@click.argument("targets", metavar="[TARGET]...", nargs=-1)
def command(*, confirm: bool, targets: tuple[str, ...]) -> int:
    """List the known bugs of third-party decoders, or check whether they still occur.

    \b
    kafka-conformance findings aiokafka
    kafka-conformance findings --confirm aiokafka     # needs the target installed
    kafka-conformance findings --confirm              # all targets that are ready

    Confirming does without the suite's adapters: a short script calls the library's public API against a broker that
    serves the smallest vector, or takes what is produced. Exit status 1 if something came out otherwise.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    chosen = _chosen(targets)
    if not confirm:
        for findings in chosen:
            _list(findings)
        return 0
    return max((_confirm(findings, is_asked_for=bool(targets)) for findings in chosen), default=0)


def _chosen(targets: tuple[str, ...]) -> list["Findings"]:
    from kafka_conformance.findings import catalogue  # noqa: PLC0415

    known = catalogue.known()
    unknown = [target for target in targets if target not in known]
    if unknown:
        raise UsageError(f"there are no findings about {unknown[0]!r}.", f"About: {', '.join(known)}.")
    return [known[target] for target in targets or known]


def _list(findings: "Findings") -> None:
    click.echo(f"{findings.target} {findings.version}")
    for finding in findings.findings:
        state = "confirmed" if finding.gives is not None else "not confirmed"
        click.echo(f"  {finding.id} ({finding.kind}, {state}): {finding.title}; {finding.smallest}")


def _confirm(findings: "Findings", *, is_asked_for: bool) -> int:
    from kafka_conformance.findings import confirmation  # noqa: PLC0415

    wanted = [finding for finding in findings.findings if finding.gives is not None]
    status = 0
    for direction in dict.fromkeys(finding.direction for finding in wanted):
        with tempfile.TemporaryDirectory() as folder:
            try:
                program = confirmation.program(findings, Path(folder), direction)
            except NotReadyError as missing:
                click.echo(f"{findings.target}: left out, {missing}", err=True)
                return 2 if is_asked_for else 0
            status = max(status, *(_show(one, program) for one in wanted if one.direction == direction))
    return status


def _show(finding: "Finding", program: "Program") -> int:
    """Print what came of one finding; 1 if it is not what the finding says."""
    from kafka_conformance.findings import confirmation  # noqa: PLC0415
    from kafka_conformance.vectors import golden  # noqa: PLC0415

    run = confirmation.sent_lines if finding.direction is Direction.ENCODE else confirmation.lines
    printed = run(program, golden.choose(patterns=(finding.smallest,))[0])
    is_confirmed = confirmation.is_confirmed(finding, printed)
    click.echo(f"{finding.target}/{finding.id}: {'confirmed' if is_confirmed else 'OTHERWISE NOW'}; {finding.smallest}")
    for line in printed:
        click.echo(f"    {line}")
    return 0 if is_confirmed else _FINDINGS
