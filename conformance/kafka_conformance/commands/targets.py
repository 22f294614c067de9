"""`kafka-conformance targets`: what is known, what is ready, and installing it."""

import click
from rich.console import Console
from rich.table import Table

from kafka_conformance.errors import NotReadyError, UsageError
from kafka_conformance.targets import resolve
from kafka_conformance.targets.installation import Installation


@click.command(name="targets")
@click.option("--install", is_flag=True, help="Install the named targets.")
@click.option("--all", "every", is_flag=True, help="With --install: every target, in every version.")
@click.argument("names", metavar="[NAME]...", nargs=-1)
def command(*, install: bool, every: bool, names: tuple[str, ...]) -> int:
    """List the known targets, ready or not; or install them.

    \b
    kafka-conformance targets
    kafka-conformance targets --install aiokafka kafka-clients@3.9.2
    kafka-conformance targets --install python     # every target that needs only Python
    kafka-conformance targets --install brokers    # every broker; `consumers`: every consumer
    kafka-conformance targets --install --all

    Each is installed into a directory of its own; nothing else on the machine changes. Exit status
    2 if one cannot be installed. With --all, targets whose toolchain is missing are listed and
    skipped.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if (names or every) and not install:
        raise UsageError("to install targets, write --install before their names.")
    return _install([*names, *([resolve.ALL] if every or not names else [])]) if install else _list()


def _list() -> int:
    """Print the table, and under it what brings each target that is not ready."""
    known = resolve.installations()
    missing = {found.name: reason for found in known if (reason := found.missing())}
    Console().print(_table(known, missing))
    for name, reason in missing.items():
        click.echo(f"{name}: {reason.missing}; to fix it: {reason.mend}")
    return 0


def _table(known: list[Installation], missing: dict[str, NotReadyError]) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("target", "version", "language", "formats", "codecs", "state"):
        table.add_column(column, no_wrap=column == "target")
    table.add_row("reference", "built in", "Python", "v07 v0 v1 v2", "all", "ready")
    for found in known:
        described = found.manifest
        codecs = "all" if len(described.codecs) == 5 else " ".join(described.codecs)
        state = "not ready" if found.name in missing else "ready"
        formats = " ".join(described.formats) or "requests and responses"
        table.add_row(found.name, found.version, described.language, formats, codecs, state)
    return table


def _install(names: list[str]) -> int:
    """Install each; one that cannot be is said so, and the others go on."""
    status = 0
    for found, is_asked_for in resolve.installable(names):
        try:
            found.install(lambda line: click.echo(f"  {line}", err=True))
        except NotReadyError as error:
            click.echo(f"{found.name}: left out, {error}", err=True)
            status = 2 if is_asked_for else status
        except UsageError as error:
            click.echo(f"{found.name}: {error}", err=True)
            status = 2
        else:
            click.echo(f"{found.name}: ready")
    return status
