"""`kafka-conformance scale`: millions of generated batches, with Spark."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kafka_conformance.child.launch import Limits
from kafka_conformance.commands.options import Seconds, Whole, endurance, limits
from kafka_conformance.errors import UsageError
from kafka_conformance.scale import plan
from kafka_conformance.serving import error_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kafka_conformance.targets.contestant import Contestant


@click.command(name="scale")
@click.argument("targets", metavar="TARGET...", nargs=-1)
@click.option(
    "--batches",
    metavar="N",
    type=Whole(1, plan.MOST_BATCHES),
    default=100_000,
    show_default=True,
    help="How many.",
)
@click.option(
    "--seed",
    metavar="S",
    type=Whole(0, plan.LARGEST_SEED),
    default=0,
    show_default=True,
    help="Which batches.",
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
@click.option("--chunk", metavar="N", type=Whole(1), help="Batches that are done or not done together.")
@click.option("--resume", is_flag=True, help="Go on with the run that is in --out.")
@click.option("--prepare", is_flag=True, help="Only make what lets runs start faster, once a machine.")
@click.option(
    "--index",
    metavar="I",
    type=Whole(0, plan.LARGEST_SEED),
    help="Only put batch I, and reduce it if it is a finding.",
)
@click.option("--reduce", "only_reduce", is_flag=True, help="Only reduce the findings of the run in --out.")
@click.option(
    "--reduce-seconds",
    metavar="S",
    type=Seconds(),
    default=60,
    show_default=True,
    help="Time to reduce findings at the end; 0 leaves them.",
)
@click.option("--promote", metavar="N", type=Whole(1), help="Make a vector of reduced finding N in --out.")
@click.option(
    "--vectors",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("vectors"),
    show_default=True,
    help="Where --promote finds the vectors of a checkout.",
)
@endurance
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
    index: int | None,
    only_reduce: bool,
    reduce_seconds: float,
    promote: int | None,
    vectors: Path,
    patience: float,
    deaths: int,
    seconds: float,
    memory: int,
) -> int:
    """Check one or more targets on generated batches, spread over cores or machines by Spark.

    \b
    kafka-conformance scale aiokafka --batches 1000000 --seed 7
    kafka-conformance scale python:my_module:decode --profile tiny
    kafka-conformance scale aiokafka --batches 1000000 --seed 7 --resume
    kafka-conformance scale aiokafka --seed 7 --index 1234
    kafka-conformance scale --reduce --reduce-seconds 600 --out scale-out
    kafka-conformance scale --promote 1 --out scale-out

    Batch I of seed S and profile P is the same bytes on every machine. Findings are written as Parquet, with seed,
    index and bytes. Several targets share the generated batches. At the end one finding of each kind is reduced: fewer
    records, smaller fields, no codec, and the target still fails in the same way.

    Needs Java 17 or newer and the extra `spark`: pip install 'kafka-format-conformance[spark]'
    """  # noqa: D301 - \b keeps the lines of a paragraph
    alone = {"--prepare": prepare, "--promote": promote is not None, "--reduce": only_reduce}
    _check_alone([name for name, asked in alone.items() if asked], targets, others=resume or index is not None)
    _check_installed()
    from rich.console import Console  # noqa: PLC0415

    from kafka_conformance.scale import display, run, spark, store  # noqa: PLC0415
    from kafka_conformance.targets import resolve  # noqa: PLC0415

    if prepare:
        return _prepare()
    if promote is not None:
        return _promote(promote, out, vectors)
    bounds = Limits(seconds=seconds, memory=memory << 20, patience=patience, deaths=deaths)
    settings = store.settings(out) if only_reduce else _settings(targets, batches, seed, profile, chunk)
    contestants = tuple(resolve.contestant(name) for name in settings.targets)
    if index is not None:
        return _one(contestants, settings, index, bounds, reduce_seconds)
    if not only_reduce:
        spark.java()
    with display.watching(Console(stderr=True)) as watcher:
        options = run.Options(
            settings,
            contestants,
            _master(master),
            out,
            resume=resume or only_reduce,
            limits=bounds,
            reduce_seconds=reduce_seconds,
            only_reduce=only_reduce,
        )
        summary = run.run(options, watcher)
    display.show(summary, Console(), str(out))
    return summary.status


def _master(asked: str | None) -> str:
    from kafka_conformance.scale import spark  # noqa: PLC0415

    return asked or ("" if spark.submitted() else "local[*]")


def _one(
    contestants: "Iterable[Contestant]", settings: plan.Settings, index: int, bounds: "Limits", seconds: float
) -> int:
    """Put one batch to each target; no Spark is needed for that."""
    from rich.console import Console  # noqa: PLC0415

    from kafka_conformance.errors import TargetLostError  # noqa: PLC0415
    from kafka_conformance.scale import display  # noqa: PLC0415
    from kafka_conformance.scale.reduce import text  # noqa: PLC0415
    from kafka_conformance.scale.reduce.model import Batch  # noqa: PLC0415
    from kafka_conformance.scale.reduce.run import reduce  # noqa: PLC0415
    from kafka_conformance.scale.reduce.search import Asker  # noqa: PLC0415

    status = 0
    for contestant in contestants:
        if contestant.command is None:
            raise UsageError(f"{contestant.name} is not ready: {contestant.problem}.")
        batch = Batch(contestant.name, settings.seed, index, settings.profile)
        try:
            with (
                Asker(contestant.name, contestant.command, bounds) as asker,
                display.watching(Console(stderr=True)) as watcher,
            ):
                found = reduce(batch, asker, seconds, watcher.detail)
        except TargetLostError as lost:
            raise UsageError(f"{contestant.name} did not come up: it {lost.detail.rstrip('.')}.") from None
        click.echo("\n".join(text.alone(found)))
        status |= found.is_finding
    return status


def _promote(number: int, out: Path, vectors: Path) -> int:
    from kafka_conformance.scale.reduce import model, promote  # noqa: PLC0415

    found = model.read(out)
    if number > len(found):
        raise UsageError(f"{out} has {len(found)} reduced findings.", "They are numbered from 1, as the summary shows.")
    for line in promote.next_steps(promote.promote(found[number - 1], vectors), vectors):
        click.echo(line)
    return 0


def _prepare() -> int:
    from kafka_conformance.scale import preparation  # noqa: PLC0415

    click.echo("Starting Spark and having Java write down what it loads; this takes a minute ...", err=True)
    click.echo(f"Made {preparation.archive_classes()}")
    if preparation.compile_loops():
        click.echo("Compiled the loops that generate batches.")
    else:
        click.echo("Compiled nothing, since numba is not here: pip install 'kafka-format-conformance[fast]'")
    return 0


def _check_alone(asked: list[str], targets: tuple[str, ...], *, others: bool) -> None:
    """See to it that what does something else than a run is not mixed with one."""
    if len(asked) > 1 or (asked and others):
        raise UsageError(f"{asked[0]} goes with no other deed.", "One command each.")
    if asked and targets:
        raise UsageError(f"{asked[0]} takes no targets.", "Those of a run stand in its folder, which --out names.")


def _check_installed() -> None:
    """See to it that what a run needs is here, and not broken: pyarrow is else missed when the first rows are there."""
    for module in ("numpy.typing", "pyspark", "pyarrow"):
        package = module.partition(".")[0]
        spec = find_spec(package)
        if spec is None:
            hint = "Install it: pip install 'kafka-format-conformance[spark]'"
            raise UsageError(f"`scale` needs the package {package}.", hint)
        try:
            import_module(module)
        except Exception as error:  # noqa: BLE001 - whatever a broken package raises
            hint = f"It is {spec.origin}: is that the one of this Python? PYTHONPATH comes first."
            raise UsageError(f"cannot import {module}: {error_text.told(error).decode()}.", hint) from None


def _settings(targets: tuple[str, ...], batches: int, seed: int, profile: str, chunk: int | None) -> plan.Settings:
    from kafka_format.sampler import PROFILES  # noqa: PLC0415

    if not targets:
        raise UsageError("name a target.", "For example: kafka-conformance scale reference")
    if profile not in PROFILES:
        raise UsageError(f"there is no profile {profile!r}.", f"Profiles: {', '.join(PROFILES)}.")
    least = plan.smallest_chunk(batches)
    if chunk is not None and chunk < least:
        told = f"{batches:,} batches in chunks of {chunk:,} are more than {plan.MOST_CHUNKS:,} chunks."
        raise UsageError(told, f"Say --chunk {least} or more, or leave it out.")
    return plan.Settings(tuple(dict.fromkeys(targets)), batches, seed, profile, chunk or plan.usual_chunk(batches))
