"""`kafka-conformance messages`: the vectors of the protocol against targets."""

from pathlib import Path

import click

from kafka_conformance.child.launch import Limits
from kafka_conformance.child.resources import collect_seldom
from kafka_conformance.commands.options import Whole, limits
from kafka_conformance.errors import UsageError
from kafka_conformance.judging.message_question import MessageQuestion
from kafka_conformance.reports import messages as report
from kafka_conformance.runs import generated_messages, messages
from kafka_conformance.targets import resolve
from kafka_conformance.vectors import golden, protocol


@click.command(name="messages")
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True)
@click.option(
    "--vectors", "patterns", metavar="PATTERN", multiple=True, help="Only vectors whose id fits, as in a shell."
)
@click.option("--api", "apis", metavar="NAME", multiple=True, help="Only these APIs, for example fetch.")
@click.option("--generated", metavar="N", type=Whole(1), help="Instead of vectors, so many that the sampler makes.")
@click.option("--profile", type=click.Choice(list(generated_messages.PROFILES)), default="requests", show_default=True)
@click.option("--seed", metavar="S", type=Whole(0), default=1, show_default=True, help="Of what the sampler makes.")
@click.option("--start", metavar="I", type=Whole(0), default=0, show_default=True, help="Index of its first.")
@click.option("--report", "file", metavar="FILE", type=click.Path(path_type=Path), help="Write all results as JSON.")
@limits
def command(
    *,
    targets: tuple[str, ...],
    patterns: tuple[str, ...],
    apis: tuple[str, ...],
    generated: int | None,
    profile: str,
    seed: int,
    start: int,
    file: Path | None,
    seconds: float,
    memory: int,
) -> int:
    """Put requests and responses in every version to targets that read them.

    \b
    kafka-conformance messages reference --api fetch
    kafka-conformance messages kio --vectors 'metadata-*/typical'
    kafka-conformance messages 'cmd:./my-adapter' --report messages.json
    kafka-conformance messages 'cmd:./my-adapter' --generated 1000000 --profile responses

    With --generated the requests or responses are random ones of every API and version; that of index I and seed S is
    the same wherever it is made.

    Exit status 1 if a target does otherwise than the vectors say.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    collect_seldom()
    contestants = resolve.contestants(targets, every=False, ready=False)
    limited = Limits(seconds=seconds, memory=memory << 20)
    if generated is None:
        asked = _asked(patterns, apis)
        runs = [messages.run(contestant, asked, limited) for contestant in contestants]
    else:
        if patterns or apis:
            raise UsageError("--vectors and --api choose vectors; --generated takes none.", "Leave them out.")
        runs = [
            generated_messages.run(contestant, profile, limited, seed=seed, start=start, count=generated)
            for contestant in contestants
        ]
    for line in report.lines(runs):
        click.echo(line)
    if file is not None:
        file.write_text(report.text(runs), encoding="utf-8")
        click.echo(f"report: {file}")
    if all(not one.results and not one.passed for one in runs):
        return 2
    return int(any(result.is_finding for one in runs for result in one.results) or any(one.problem for one in runs))


def _asked(patterns: tuple[str, ...], apis: tuple[str, ...]) -> list[MessageQuestion]:
    """Return the vectors that are wanted, as questions."""
    vectors = protocol.load(families=apis)
    chosen = [one for one in vectors if golden.fits(one.id, one.rules, one.verdict, patterns=patterns)]
    asked = messages.questions(chosen)
    if not asked:
        raise UsageError(
            "no vector fits.", "Ids look like fetch-request/4/typical; vectors/protocol/index.json has the APIs."
        )
    return asked
