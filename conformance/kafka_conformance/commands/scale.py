"""`kafka-conformance scale`: millions of generated batches, with Spark."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kafka_conformance.commands.options import limits
from kafka_conformance.errors import UsageError

if TYPE_CHECKING:
    from kafka_conformance.scale.plan import Settings

LARGEST_SEED = 2**63 - 1


@click.command(name="scale")
@click.argument("targets", metavar="TARGET...", nargs=-1)
@click.option("--batches", metavar="N", type=click.IntRange(1), default=100_000, show_default=True, help="How many.")
@click.option(
    "--seed", metavar="S", type=click.IntRange(0, LARGEST_SEED), default=0, show_default=True, help="Which batches."
)
@click.option("--profile", metavar="NAME", default="mixed", show_default=True, help="What sort of batches.")
@click.option("--master", metavar="URL", help="Spark master. [default: local[*], or that of spark-submit]")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("scale-out"),
    show_default=True,
    help="Write rows and summary there.",
)
@click.option("--chunk", metavar="N", type=click.IntRange(1), help="Batches that are done or not done together.")
@click.option("--resume", is_flag=True, help="Go on with the run that is in --out.")
@click.option("--prepare", is_flag=True, help="Only make the archive that lets Spark start faster, once a machine.")
@limits
def command(
    *,
    targets: tuple[str, ...],
    batches: int,
    seed: int,
    profile: str,
    master: str | None,
    out: Path,
    chunk: int | None,
    resume: bool,
    prepare: bool,
    seconds: float,
    memory: int,
) -> int:
    """Check one or more targets on generated batches, spread over cores or machines by Spark.

    \b
    kafka-conformance scale aiokafka --batches 1000000 --seed 7
    kafka-conformance scale python:my_module:decode --profile tiny
    kafka-conformance scale aiokafka --batches 1000000 --seed 7 --resume

    Batch I of seed S and profile P is the same bytes on every machine. Findings are written as Parquet, with seed,
    index and bytes. Several targets share the generated batches.

    Needs Java 17 or newer and the extra `spark`: pip install 'kafka-format-conformance[spark]'
    """  # noqa: D301 - \b keeps the lines of a paragraph
    _check_installed()
    from rich.console import Console  # noqa: PLC0415

    from kafka_conformance.launch import Limits  # noqa: PLC0415
    from kafka_conformance.scale import display, run, spark  # noqa: PLC0415
    from kafka_conformance.targets import resolve  # noqa: PLC0415

    if prepare:
        return _prepare()
    settings = _settings(targets, batches, seed, profile, chunk)
    spark.java()
    contestants = tuple(resolve.contestant(name) for name in settings.targets)
    bounds = Limits(seconds=seconds, memory=memory << 20)
    with display.watching(Console(stderr=True)) as watcher:
        options = run.Options(settings, contestants, _master(master), out, resume=resume, limits=bounds)
        summary = run.run(options, watcher)
    display.show(summary, Console(), str(out))
    return summary.status


def _master(asked: str | None) -> str:
    from kafka_conformance.scale import spark  # noqa: PLC0415

    return asked or ("" if spark.submitted() else "local[*]")


def _prepare() -> int:
    from kafka_conformance.scale import preparation  # noqa: PLC0415

    click.echo("Starting Spark and having Java write down what it loads; this takes a minute ...", err=True)
    click.echo(f"Made {preparation.prepare()}")
    return 0


def _check_installed() -> None:
    for package in ("pyspark", "pyarrow", "numpy"):
        if find_spec(package) is None:
            hint = "Install it: pip install 'kafka-format-conformance[spark]'"
            raise UsageError(f"`scale` needs the package {package}.", hint)


def _settings(targets: tuple[str, ...], batches: int, seed: int, profile: str, chunk: int | None) -> "Settings":
    from kafka_format.sampler import PROFILES  # noqa: PLC0415

    from kafka_conformance.scale.plan import Settings, usual_chunk  # noqa: PLC0415

    if not targets:
        raise UsageError("name a target.", "For example: kafka-conformance scale reference")
    if profile not in PROFILES:
        raise UsageError(f"there is no profile {profile!r}.", f"Profiles: {', '.join(PROFILES)}.")
    return Settings(tuple(dict.fromkeys(targets)), batches, seed, profile, chunk or usual_chunk(batches))
