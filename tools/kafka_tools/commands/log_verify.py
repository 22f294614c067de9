"""`kafka-format log verify`: every rule of partitions, data directories and files."""

from pathlib import Path

import click

from kafka_tools.commands.partition_answers import Unread, print_lines
from kafka_tools.commands.paths import PLACE
from kafka_tools.commands.release_option import chosen, release_option
from kafka_tools.logs import checks, verdicts
from kafka_tools.logs.verdict_summary import VerdictSummary


@click.command(name="verify")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=PLACE)
@click.option("--all", "show_all", is_flag=True, help="Show each broken rule, not only the first of its kind.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each broken rule.")
@release_option
def verify_command(*, paths: tuple[Path, ...], show_all: bool, as_json: bool, as_kafka: str | None) -> int:
    """Check every rule of partitions, data directories or files: what is broken, and what to do.

    \b
    kafka-format log verify data
    kafka-format log verify --all data/orders-0
    kafka-format log verify --json data/orders-0

    A copy of a running broker's directory breaks no rule: zeros after the newest indexes are room,
    not entries. Exit status 1 if a rule is broken.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    summary, before, unread, bare = VerdictSummary(), None, Unread(), list[Path]()
    for path in paths:
        with unread.noted(path):
            for breach in checks.breaches(path, chosen(as_kafka)):
                summary.add(breach)
                if as_json:
                    click.echo(verdicts.as_json(breach))
                elif show_all:
                    print_lines(verdicts.lines(breach, before))
                before = breach
            bare += checks.bare_folders(path)
    if not as_json and (summary.count or not unread):
        _print_summary(summary, with_examples=not show_all)
        print_lines(
            f"{folder} has nothing but segments: what belongs beside them was not looked for" for folder in bare
        )
    unread.tell()
    return 1 if summary.count else 0


def _print_summary(summary: VerdictSummary, *, with_examples: bool) -> None:
    print_lines(summary.table())
    for said in summary.examples() if with_examples else ():
        print_lines(said)
    print_lines([summary.ending() if with_examples else summary.ending().partition(";")[0]])
