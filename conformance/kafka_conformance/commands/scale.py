"""`kafka-conformance scale`: millions of generated batches, with Spark."""

from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from click.core import ParameterSource
from kafka_tools.commands.number_types import Seconds, Whole
from kafka_tools.errors import UsageError
from kafka_tools.spark.installed import check_installed

from kafka_conformance.child.launch import Limits
from kafka_conformance.commands.options import endurance, limits
from kafka_conformance.scale import plan


class Mode(NamedTuple):
    """One of the things that `scale` does.

    Attributes:
        function: its name in `scale.modes`.
        heading: what it does, for `--help`.
        own: arguments of the function that stand below the heading.
        others: its further arguments.
        ignored: options that may be given and have no effect.
    """

    function: str
    heading: str
    own: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


_TIMES: Final = ("reduce_seconds", "seconds", "memory")

CHECK: Final = Mode(
    function="check",
    heading="Check targets on generated batches, with Spark, and reduce the findings",
    own=("batches", "seed", "profile", "out", "resume", "master", "chunk", *_TIMES, "patience", "deaths"),
    others=("targets",),
)

MODES: Final = {
    "index": Mode(
        function="check_one",
        heading="Check targets on one batch, without Spark, and reduce it if it is a finding",
        own=("index",),
        others=("targets", "seed", "profile", *_TIMES),
        ignored=("batches", "out", "master", "chunk", "patience", "deaths"),  # just add --index to the command of a run
    ),
    "reduce": Mode(
        function="reduce_findings",
        heading="Reduce findings of an earlier run",
        others=("out", *_TIMES),
    ),
    "prepare": Mode(function="prepare", heading="Prepare this machine"),
}
"""By the option that asks for them. Without any of these options it is `CHECK`."""


class ScaleCommand(click.Command):
    """A command whose `--help` lists the options by mode."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each mode: its own options, and names of others that fit."""
        options = {param.name: param for param in self.get_params(ctx) if isinstance(param, click.Option)}
        for asked, mode in {"": CHECK, **MODES}.items():
            with formatter.section(mode.heading):
                names = dict.fromkeys(filter(None, (asked, *mode.own)))
                records = [options.pop(name).get_help_record(ctx) for name in names]
                formatter.write_dl([record for record in records if record])
                if mode.others and mode is not CHECK:
                    formatter.write_text(f"With {', '.join(map(_spell, mode.others))}.")
        with formatter.section("Other options"):
            formatter.write_dl([record for param in options.values() if (record := param.get_help_record(ctx))])


@click.command(name="scale", cls=ScaleCommand)
@click.argument("targets", metavar="TARGET...", nargs=-1)
@click.option(
    "--batches",
    metavar="N",
    type=Whole(1, plan.MOST_BATCHES),
    default=100_000,
    show_default=True,
    help="How many batches.",
)
@click.option(
    "--seed",
    metavar="S",
    type=Whole(0, plan.LARGEST_SEED),
    default=0,
    show_default=True,
    help="Seed of the batches: the same on every machine.",
)
@click.option(
    "--profile",
    metavar="NAME",
    default="mixed",
    show_default=True,
    help="Kind of batches; or `requests` or `responses`.",
)
@click.option("--master", metavar="URL", help="Spark master. [default: local[*], or that of spark-submit]")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("scale-out"),
    show_default=True,
    help="Directory of the run: rows, summary, reduced findings.",
)
@click.option(
    "--chunk", metavar="N", type=Whole(1), help="Batches per chunk. A chunk is done as a whole or not at all."
)
@click.option("--resume", is_flag=True, help="Go on with the run in --out, with the same targets and options.")
@click.option("--prepare", is_flag=True, help="Make Spark start faster. Once per machine is enough.")
@click.option("--index", metavar="I", type=Whole(0, plan.LARGEST_SEED), help="Number of the batch.")
@click.option("--reduce", is_flag=True, help="Reduce what is not reduced yet, for --reduce-seconds.")
@click.option(
    "--reduce-seconds",
    metavar="S",
    type=Seconds(),
    default=60,
    show_default=True,
    help="Time for reducing findings, in seconds; 0 reduces none.",
)
@endurance
@limits
@click.pass_context
def command(context: click.Context, /, **values: Any) -> int:  # noqa: ANN401 - as click has parsed them
    """Check decoders on generated batches, spread over cores or machines by Spark.

    \b
    kafka-conformance scale aiokafka --batches 1000000 --seed 7
    kafka-conformance scale python:my_module:decode --profile tiny
    kafka-conformance scale aiokafka --batches 1000000 --seed 7 --resume
    kafka-conformance scale aiokafka --seed 7 --index 1234
    kafka-conformance scale --reduce --reduce-seconds 600 --out scale-out

    Batch I of seed S and profile P is the same bytes on every machine. Findings are written as
    Parquet, with seed, index and bytes. Several targets share the generated batches. At the end one
    finding of each kind is reduced: fewer records, smaller fields, no codec, and the target still
    fails in the same way.

    Needs Java 17 or newer and the extra `spark`: pip install 'kafka-format-conformance[spark]'
    """  # noqa: D301 - \b keeps the lines of a paragraph
    mode = _mode([name for name in values if context.get_parameter_source(name) is ParameterSource.COMMANDLINE])
    check_installed("scale")
    from kafka_conformance.scale import modes  # noqa: PLC0415 - Spark is an extra

    taken = {name: values[name] for name in (*mode.own, *mode.others)}
    if "seconds" in taken:
        taken["limits"] = Limits(seconds=taken.pop("seconds"), memory=taken.pop("memory") << 20)
    if "deaths" in taken:
        taken["endurance"] = plan.Endurance(taken.pop("patience"), taken.pop("deaths"))
    status: int = getattr(modes, mode.function)(**taken)
    return status


def _mode(given: list[str]) -> Mode:
    """Return the mode that the given parameters ask for; refuse those that do not go with it."""
    asked = next((name for name in MODES if name in given), "")
    mode = MODES.get(asked, CHECK)
    allowed = (asked, *mode.own, *mode.others, *mode.ignored)
    wrong = next((name for name in given if name not in allowed), "")
    if wrong:
        raise _refusal(asked, wrong)
    return mode


def _refusal(asked: str, wrong: str) -> UsageError:
    """Say why a parameter cannot be given with an option that asks for a mode, or without one."""
    if wrong == "targets":
        return UsageError(f"`{_spell(asked)}` takes no targets.", "Leave them out; a run in --out knows its own.")
    advice = f"Leave out `{_spell(wrong)}`"
    if not asked:
        owner = _spell(next(name for name, mode in MODES.items() if wrong in mode.own))
        return UsageError(f"`{_spell(wrong)}` needs `{owner}`.", f"{advice}, or add `{owner}`.")
    hint = "Give them in two commands." if wrong in MODES else f"{advice}."
    return UsageError(f"`{_spell(asked)}` cannot be combined with `{_spell(wrong)}`.", hint)


def _spell(parameter: str) -> str:
    """A parameter as the user writes it."""
    return "TARGET..." if parameter == "targets" else f"--{parameter.replace('_', '-')}"
