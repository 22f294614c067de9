"""`kafka-conformance targets`: what is known, what is ready, and installing it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import click
from kafka_tools.errors import UsageError
from rich.console import Console
from rich.table import Table

from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import resolve
from kafka_conformance.targets.installation import Installation
from kafka_conformance.targets.target_kind import TargetKind

_AT_A_TIME = 4
"""Targets of Python that are installed side by side."""

_TITLES = {
    TargetKind.DECODER: "Decoders and encoders",
    TargetKind.LOG_READER: "Readers of log directories",
    TargetKind.SERDE: "Readers of keys and values",
    TargetKind.CONSUMER: "Consumers",
    TargetKind.PRODUCER: "Producers",
    TargetKind.BROKER: "Brokers",
}

_OTHERS = {TargetKind.LOG_READER: "log directories", TargetKind.SERDE: "keys and values"}
"""What those read that read no records."""


@click.command(name="targets")
@click.option("--install", is_flag=True, help="Install the named targets.")
@click.option("--all", "every", is_flag=True, help="With --install: every decoder and log reader, in every version.")
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
    """Print a table for each kind, and under them what brings the targets that are not ready."""
    kinds = {title: resolve.installations(kind) for kind, title in _TITLES.items()}
    missing = {
        installation.name: reason
        for known in kinds.values()
        for installation in known
        if (reason := installation.missing())
    }
    for title, known in kinds.items():
        ours = title == _TITLES[TargetKind.DECODER]
        ready = sum(installation.name not in missing for installation in known) + ours
        click.echo(f"{title}: {ready} of {len(known) + ours} ready")
        Console().print(_table(known, missing, ours=ours))
        click.echo()
    for (words, mend), names in _group(missing).items():
        click.echo(f"{', '.join(names)}: {words}; to fix it: {mend}")
    return 0


def _group(missing: Mapping[str, NotReadyError]) -> Mapping[tuple[str, str], list[str]]:
    """Return the names of targets by what is missing, and what mends it."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, reason in missing.items():
        groups[reason.missing, reason.mend.removesuffix(f" {name}")].append(name)
    return {
        (words, mend if mend == missing[names[0]].mend else f"{mend} {' '.join(names)}"): names
        for (words, mend), names in groups.items()
    }


def _table(known: Sequence[Installation], missing: Mapping[str, NotReadyError], *, ours: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("target", "version", "language", "formats", "codecs", "state"):
        table.add_column(column, no_wrap=column == "target")
    if ours:
        table.add_row("reference", "built in", "Python", "v07 v0 v1 v2", "all", "ready")
    for installation in known:
        described = installation.manifest
        codecs = "all" if len(described.codecs) == 5 else " ".join(described.codecs)
        state = "not ready" if installation.name in missing else "ready"
        formats = " ".join(described.formats) or _OTHERS.get(described.kind, "requests and responses")
        table.add_row(installation.name, installation.version, described.language, formats, codecs, state)
    return table


def _install(names: list[str]) -> int:
    """Install each; one that cannot be is said so, and the others go on.

    Those of Python alone mostly wait for a registry and for the disk, so several are installed at a
    time. Compilers take all processors and much memory, so the others come one after another.
    """
    asked = list(resolve.installable(names))
    status = 0
    with _workers() as pool:
        light = {one.name: pool.submit(_attempt, one) for one, _ in asked if not one.manifest.needs}
        for installation, is_asked_for in asked:
            error = light[installation.name].result() if installation.name in light else _attempt(installation)
            if error is None:
                click.echo(f"{installation.name}: ready")
                continue
            left_out = isinstance(error, NotReadyError)
            click.echo(f"{installation.name}: {'left out, ' if left_out else ''}{error}", err=True)
            status = 2 if is_asked_for or not left_out else status
    return status


@contextmanager
def _workers() -> Iterator[ThreadPoolExecutor]:
    """Yield workers of which none begins anything more once the block has failed."""
    pool = ThreadPoolExecutor(_AT_A_TIME)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _attempt(installation: Installation) -> NotReadyError | UsageError | None:
    """Install one; return why it cannot be, or None."""
    try:
        installation.install(lambda line: click.echo(f"  {line}", err=True))
    except (NotReadyError, UsageError) as error:
        return error
    return None
