"""`kafka-conformance targets`: what is known, what is ready, and installing it."""

from typing import TYPE_CHECKING

import click

from kafka_conformance.errors import NotReadyError

if TYPE_CHECKING:
    from rich.table import Table

    from kafka_conformance.targets.installation import Installation


@click.command(name="targets")
@click.option(
    "--install", "names", metavar="NAME", multiple=True, help="Install that target (or NAME@VERSION, or all)."
)
@click.argument("more", metavar="[NAME]...", nargs=-1)
def command(*, names: tuple[str, ...], more: tuple[str, ...]) -> int:
    """List the known targets, ready or not; or install them.

    \b
    kafka-conformance targets
    kafka-conformance targets --install aiokafka kafka-clients@3.9.2
    kafka-conformance targets --install all

    Each goes into a folder of its own; nothing else on the machine is touched. Exit status 2 if one cannot be
    installed.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    from kafka_conformance.errors import UsageError  # noqa: PLC0415

    if more and not names:
        raise UsageError("to install targets, write --install before their names.")
    return _install([*names, *more]) if names else _list()


def _list() -> int:
    """Print the table, and under it what brings each target that is not ready."""
    from rich.console import Console  # noqa: PLC0415

    from kafka_conformance.targets import manifest  # noqa: PLC0415
    from kafka_conformance.targets.installation import Installation  # noqa: PLC0415

    known = [Installation(one, version) for one in manifest.known().values() for version in one.all_versions]
    missing = {found.name: reason for found in known if (reason := _missing(found))}
    Console().print(_table(known, missing))
    for name, reason in missing.items():
        click.echo(f"{name}: {reason.missing}; to mend it: {reason.mend}")
    return 0


def _table(known: list["Installation"], missing: dict[str, NotReadyError]) -> "Table":
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for column in ("target", "version", "language", "formats", "codecs", "state"):
        table.add_column(column, no_wrap=column == "target")
    table.add_row("reference", "built in", "Python", "v0 v1 v2", "all", "ready")
    for found in known:
        described = found.manifest
        codecs = "all" if len(described.codecs) == 5 else " ".join(described.codecs)
        state = "not ready" if found.name in missing else "ready"
        table.add_row(found.name, found.version, described.language, " ".join(described.formats), codecs, state)
    return table


def _missing(found: "Installation") -> NotReadyError | None:
    try:
        found.check()
    except NotReadyError as reason:
        return reason
    return None


def _install(names: list[str]) -> int:
    """Install each; one that cannot be is said so, and the others go on."""
    from kafka_conformance.errors import UsageError  # noqa: PLC0415
    from kafka_conformance.targets import manifest, resolve  # noqa: PLC0415

    wanted = list(manifest.known()) if "all" in names else names
    status = 0
    for found in [resolve.installation(name) for name in wanted]:
        try:
            found.install(lambda line: click.echo(f"  {line}", err=True))
        except (NotReadyError, UsageError) as error:
            click.echo(f"{found.name}: {error}", err=True)
            status = 2
        else:
            click.echo(f"{found.name}: ready")
    return status
