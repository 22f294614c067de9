"""The whole of a run: look at the targets, start Spark, write rows, check for gaps, sum up."""

from collections.abc import Sequence
from importlib.metadata import version

from kafka_tools.errors import UsageError
from kafka_tools.spark import files
from kafka_tools.spark.progress import Watcher
from kafka_tools.spark.start import Start, start_spark
from kafka_tools.system.distribution import DISTRIBUTION
from kafka_tools.system.interruption import interruptible

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.scale.arrivals import Arrivals
from kafka_conformance.scale.execution import execute
from kafka_conformance.scale.options import ScaleOptions
from kafka_conformance.scale.reduce.run import reduce_run
from kafka_conformance.scale.report import page
from kafka_conformance.scale.results import run_folder, summary_json
from kafka_conformance.scale.results.counts import Counts
from kafka_conformance.scale.results.reductions import Reductions
from kafka_conformance.scale.results.run_folder import RunFolder
from kafka_conformance.scale.results.summary import ScaleSummary, TargetSummary, Timing
from kafka_conformance.targets.candidate import Candidate


def run(options: ScaleOptions, watcher: Watcher, start: Start | None = None) -> ScaleSummary:
    """Check every target on every batch; write rows and summary to the folder; return the summary.

    Raises:
        UsageError: a target is not ready, the folder is in use, Spark does not start or breaks;
            what is done by then is in the folder.
    """
    hellos = [_hello(candidate, options.limits) for candidate in options.candidates]
    with files.alone(options.out), interruptible():
        folder = RunFolder(options.out, options.settings, hellos, version(DISTRIBUTION), resume=options.resume)
        try:
            return _run(options, hellos, folder, watcher, start or start_spark)
        except KeyboardInterrupt:
            hint = "The same command with --resume goes on."
            raise UsageError(f"interrupted; what was done by then is in {options.out}.", hint) from None


def _run(
    options: ScaleOptions, hellos: Sequence[Hello], folder: RunFolder, watcher: Watcher, start: Start
) -> ScaleSummary:
    counts = Counts(options.settings)
    for row in folder.resume():
        counts.add(row)
    arrivals, timing, todo = Arrivals(folder, counts, watcher), Timing(), counts.remaining()
    interrupted = options.only_reduce and bool(todo)
    if todo and not options.only_reduce:
        watcher.stage(f"starting Spark ({options.master or 'as submitted'})")
        timing, interrupted = execute(options, todo, arrivals, watcher, start)
    targets = [counts.of_target(*pair) for pair in zip(options.settings.targets, hellos, strict=True)]
    reductions = Reductions() if interrupted and not options.only_reduce else _reduce(options, targets, watcher)
    result = ScaleSummary(options.settings, tuple(targets), tuple(counts.gaps()), interrupted, timing, reductions)
    files.write_json(options.out / run_folder.SUMMARY, summary_json.document(result))
    files.write_text(options.out / run_folder.PAGE, page.page(result))
    return result


def _hello(candidate: Candidate, limits: Limits) -> Hello:
    """Start a target once, before anything costly, and hear what it declares."""
    if candidate.command is None:
        raise UsageError(
            f"{candidate.name} is not ready: {candidate.problem}.", "`kafka-conformance targets` lists them all."
        )
    try:
        with AdapterClient(candidate.command, limits) as client:
            return client.hello
    except TargetLostError as lost:
        hint = "`kafka-conformance smoke` looks into it step by step."
        raise UsageError(f"{candidate.name} did not come up: it {lost.detail.rstrip('.')}.", hint) from None


def _reduce(options: ScaleOptions, target_summaries: Sequence[TargetSummary], watcher: Watcher) -> Reductions:
    commands = {candidate.name: candidate.command for candidate in options.candidates if candidate.command is not None}
    seconds = options.reduce_seconds
    return reduce_run(options.out, target_summaries, commands, options.limits, seconds, watcher)
