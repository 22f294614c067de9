"""The summary of an audit on the terminal; what matters most stands last, at the prompt."""

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from kafka_tools.audit.summary import AuditSummary
from kafka_tools.logs.effects import effect
from kafka_tools.text import one_line, plural, size_text

_SHOWN = 10
_WIDEST = 10_000
_LENGTH = 300


def show(summary: AuditSummary, console: Console) -> None:
    """Print the broken rules, the replicas that differ, and the counts."""
    if not console.is_terminal:
        console.width = _WIDEST  # there is no edge to cut lines at
    if summary.rules:
        console.print(_rules(summary, console))
    for line in (*_examples(summary), *_replicas(summary), *_counts(summary)):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _rules(summary: AuditSummary, console: Console) -> Table:
    table = Table(box=SIMPLE_HEAD if console.is_terminal else None, pad_edge=False, show_edge=False)
    table.add_column("rule", no_wrap=True)
    for title in ("findings", "partitions"):
        table.add_column(title, justify="right")
    for count in summary.rules:
        table.add_row(count.rule, f"{count.findings:,}", f"{count.partitions:,}")
    return table


def _examples(summary: AuditSummary) -> Iterator[str]:
    for count in summary.rules[:_SHOWN]:
        first = count.first
        at = "" if first.position is None else f", byte {first.position}"
        yield f"\n{first.path}{at}: {one_line(first.detail, _LENGTH)} [{first.rule}]"
        if consequence := effect(count.rule):
            yield f"  Kafka: {consequence.kafka}"
            yield f"  To do: {consequence.advice}"
    if summary.rules:
        yield ""


def _replicas(summary: AuditSummary) -> Iterator[str]:
    for row in summary.differing[:_SHOWN]:
        yield f"{row.partition} in {row.directory} differs from {row.trusted}, which Kafka trusts"
        yield f"  from offset {row.first_offset}: {row.first_kind}; {plural(row.differences, 'difference')}"
        lost = row.end_offset - row.cut_offset
        yield f"  as a follower it is cut at offset {row.cut_offset}" + (
            f", {plural(lost, 'offset')} go" if lost else ""
        )
        if row.silent:
            yield f"  KAFKA DOES NOT NOTICE {plural(row.silent, 'difference')} below the cut; see `log compare`"
    if len(summary.differing) > _SHOWN:
        yield f"and {plural(len(summary.differing) - _SHOWN, 'more replica')} that differ, see replicas/"
    if summary.replicas and not summary.differing:
        yield f"{plural(len(summary.replicas), 'replica')} compared: none differs from the one that Kafka trusts"


def _counts(summary: AuditSummary) -> Iterator[str]:
    for problem in summary.problems[:_SHOWN]:
        yield f"COULD NOT BE READ: {problem}"
    cost = summary.cost
    rate = f", {size_text(int(cost.scanned / cost.seconds))} a second" if cost.scanned and cost.seconds else ""
    yield (
        f"{plural(len(summary.partitions), 'partition')}, {plural(summary.total('segments'), 'segment')}, "
        f"{size_text(summary.total('bytes'))} in {cost.seconds:.1f} s{rate}"
    )
    judged = summary.total("judged")
    if judged:
        yield f"{plural(judged, 'doubtful segment')} read again"
    yield f"{plural(summary.breach_count, 'broken rule')}" if summary.breach_count else "no rule is broken"
    yield f"rows and page: {summary.options.out}"
