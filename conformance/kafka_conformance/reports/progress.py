"""Progress bars of a run on standard error; on anything but a terminal rich shows none."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from kafka_conformance.judging.result import Result
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.text import plural


@contextmanager
def progress_bars(targets: Sequence[str], vectors: int) -> Iterator[Callable[[Result], None]]:
    """Show a bar for each target during the block; yield the function to call with each result."""
    plain = partial(TextColumn, markup=False)
    columns = (plain("{task.description}"), BarColumn(), MofNCompleteColumn(), plain("{task.fields[found]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bars = {name: progress.add_task(name, total=vectors, found="") for name in targets}
        findings = dict.fromkeys(bars, 0)

        def on_result(result: Result) -> None:
            if result.direction is Direction.ENCODE:  # asked of some vectors only, at the end
                return
            findings[result.target] += result.is_finding
            count = findings[result.target]
            progress.update(bars[result.target], advance=1, found=plural(count, "finding") if count else "")

        yield on_result
