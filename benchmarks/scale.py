"""What the Spark run costs beside the bare decoder.

Call it as `python benchmarks/scale.py [SECTION...] [--batches N]`.

- `overhead`: processor time a batch, of worker and target together, over that of the bare decode
  loop; no Spark;
- `isolation`: what it costs to know which batch a child is at, and to go on after a crash;
- `start`: starting Spark with and without the class-data archive (which `scale --prepare` makes);
- `run`: a whole run of `--batches` on local[2]: rate, Spark's own loss, memory.

Processor time rather than wall time, because worker and target work at the same time. Bare loop and
harness take turns, on one core: two cores slow each other down, as they share a cache, and the bare
loop has no work for the second. The least of each counts, since whatever else a machine does only
adds to it.
"""

from __future__ import annotations

import argparse
import gc
import json
import mmap
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import numpy as np
from kafka_conformance.child.launch import Limits
from kafka_conformance.scale import work
from kafka_conformance.scale.ask.checker import Checker, Commands
from kafka_conformance.scale.batches import Batches
from kafka_conformance.scale.plan import Endurance, RunSettings, chunks
from kafka_conformance.scale.work import Job
from kafka_conformance.targets import resolve
from kafka_format import sampler
from kafka_tools.spark import archive
from kafka_tools.spark import driver as spark

TARGETS = ("kafka-python", "aiokafka")
PROFILES = {"even": 32_768, "mixed": 49_152, "tiny": 147_456}
"""Batches a round: some seconds of a decoder in pure Python."""

_MIXED = sampler.PROFILES["mixed"]
EVEN = replace(_MIXED, name="even", sizes=replace(_MIXED.sizes, records=np.arange(1, 21)))
"""1 to 20 records, each number as often; of the batches of `mixed`, every other one has a single
record."""

CHUNK = 16_384
ROUNDS = 5
SEED = 1
CRASHES = 20


@dataclass(frozen=True)
class Costs:
    """Microseconds of processor time a batch, in all and of each part; see bare_loop.py."""

    library: float
    fields: float
    records: float
    harness: float


def overhead() -> None:
    """Print what generating, comparing and counting add to decoding."""
    with one_core():
        for profile, batches in PROFILES.items():
            for target in TARGETS:
                rounds = [costs(target, profile, batches) for _ in range(ROUNDS)]
                print(f"{target}, {profile}: {told(rounds)}")
            both = min(task(TARGETS, profile, batches) for _ in range(ROUNDS))
            print(f"both in one run, {profile}: {both:.1f} us")


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and those that it starts, on one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def costs(target: str, profile: str, batches: int) -> Costs:
    """Measure one round."""
    return Costs(**bare(target, profile, batches), harness=task((target,), profile, batches))


def told(rounds: list[Costs]) -> str:
    """Tell the least of each, and what they make of one another."""
    least = {name: min(getattr(cost, name) for cost in rounds) for name in ("library", "fields", "records", "harness")}
    over = {name: least["harness"] / least[name] - 1 for name in ("fields", "records")}
    times = ", ".join(f"{name} {time:.1f} us" for name, time in least.items())
    return f"{times}: {over['fields']:+.0%} over all fields, {over['records']:+.0%} over plain records"


def bare(target: str, profile: str, batches: int) -> Mapping[str, float]:
    """Time the bare loops in the environment of the target, over the harness's own batches.

    A shorter time would be the quicker one by chance alone, on a machine whose speed comes and
    goes.
    """
    command = commands_of(target).piped
    block = generate(SEED, 0, batches, profile)
    with TemporaryDirectory() as folder:
        inputs = Path(folder) / "inputs"
        inputs.write_bytes(pickle.dumps([block.input(index) for index in range(len(block))]))
        program = Path(__file__).with_name("bare_loop.py")
        arguments = [command.arguments[0], str(program), command.arguments[1], str(inputs)]
        done = subprocess.run(
            arguments, env={**os.environ, **command.environment}, check=True, capture_output=True, text=True
        )
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds


def task(targets: tuple[str, ...], profile: str, batches: int) -> float:
    """Return the processor time a batch in a task, in microseconds, without the first chunk.

    In that, targets start.
    """
    job = Job(RunSettings(targets, batches, SEED, profile, CHUNK), tuple(map(commands_of, targets)), Limits())
    rows = [result.done[0] for result in work.run(job, chunks(job.settings), generate)][1:]
    return sum(row.cpu_seconds for row in rows) / sum(row.count for row in rows) * 1e6


def generate(seed: int, start: int, count: int, profile: str) -> sampler.Block:
    """Sample batches of a profile, or of `EVEN`."""
    return sampler.block(seed, start, count, EVEN if profile == EVEN.name else profile)


def isolation() -> None:
    """Print the cost of the page, and of a crash."""
    page = memoryview(mmap.mmap(-1, mmap.PAGESIZE)).cast("q")
    places = range(1_000_000)
    began = perf_counter()
    for place in places:
        page[0] = place
    written = perf_counter() - began
    began = perf_counter()
    for _ in places:
        pass
    print(f"writing the place of a batch: {(written - (perf_counter() - began)) * 1e3:.0f} ns")
    print(f"a crash, found and tried again: {crash() * 1e3:.0f} ms")


def crash() -> float:
    """Seconds that a crash costs: twenty in a block against none."""
    block = Batches(0, sampler.block(SEED, 0, 4096, "tiny"))
    deadly = {block.input(index) for index in range(100, 4000, 3900 // CRASHES)}
    with TemporaryDirectory() as folder, decoder(Path(folder), deadly) as target:
        times = []
        for asked in (block, Batches(4096, sampler.block(SEED, 4096, 4096, "tiny"))):
            began = perf_counter()
            target.send(asked)
            chunk = target.next_results()
            times.append((perf_counter() - began, len(chunk.results)))
    (with_crashes, crashes), (without, _) = times
    return (with_crashes - without) / crashes


@contextmanager
def decoder(folder: Path, deadly: set[bytes]) -> Iterator[Checker]:
    """The reference, except that it kills its process on some batches; started and warm."""
    (folder / "deadly.py").write_text(
        "import os, signal\nfrom kafka_format import records\n"
        f"DEADLY = {deadly!r}\n"
        f"def decode(data):\n    if data in DEADLY:\n        os.kill(os.getpid(), {int(signal.SIGSEGV)})\n"
        "    return records.decode(data)\n",
        encoding="ascii",
    )
    commands = Commands(*(replace(command, folder=folder) for command in commands_of("python:deadly:decode")))
    with closing(Checker("deadly", commands, Limits(), Endurance())) as target:
        target.send(Batches(9000, sampler.block(SEED, 9000, 100, "tiny")))
        target.next_results()
        yield target


def start() -> None:
    """Print how long Spark takes to its first result."""
    home = spark.java()
    if not archive.use(home):
        print("no archive: `kafka-conformance scale --prepare` makes it")
        return
    ways: Mapping[str, str] = {"without an archive": "", "with": archive.use(home)}
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS - 4):
        for name, options in ways.items():
            times[name].append(timed(lambda options=options: start_once(options)))
            sleep(1)
    print(", ".join(f"{name} {median(seconds):.1f} s" for name, seconds in times.items()), end="")
    print(f": {median(b / a for a, b in zip(*times.values(), strict=True)):.2f} of the time")


def start_once(options: str) -> None:
    """Start Spark and count something."""
    with (
        TemporaryDirectory() as folder,
        spark.start_context("local[2]", spark.java(), Path(folder) / "log", options) as context,
    ):
        context.parallelize(range(2), 2).count()


def timed(action: Callable[[], object]) -> float:
    """Seconds that something takes."""
    began = perf_counter()
    action()
    return perf_counter() - began


def run(batches: int) -> None:
    """Print what a whole run takes."""
    for target in TARGETS:
        with TemporaryDirectory() as folder:
            asked = [
                "scale",
                target,
                "--batches",
                str(batches),
                "--seed",
                "7",
                "--master",
                "local[2]",
                "--out",
                f"{folder}/out",
            ]
            subprocess.run([sys.executable, "-m", "kafka_conformance", *asked], capture_output=True, check=False)
            summary = json.loads(Path(folder, "out/summary.json").read_text(encoding="utf-8"))
        timing, counts = summary["timing"], summary["targets"][0]
        loss = 1 - timing["busy_seconds"] / timing["cores"] / timing["seconds"]
        memory = ", ".join(f"{name} {timing[f'{name}_memory'] >> 20} MiB" for name in ("worker", "java", "driver"))
        print(
            f"{target}, mixed: {counts['compared']:,} batches in {timing['seconds']:.0f} s ({timing['rate']:,.0f}/s), "
            f"{timing['cpu_seconds']:.0f} s of processor time; Spark's loss {loss:.1%}; {memory}; "
            f"{counts['findings']:,} findings"
        )


def commands_of(target: str) -> Commands:
    """How to start an installed target."""
    candidate = resolve.candidate(target)
    if candidate.command is None:
        raise SystemExit(f"{target} is {candidate.problem}")
    return Commands(candidate.command, candidate.isolated)


def main() -> None:
    """Do what is asked, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sections: Mapping[str, Callable[[], None]] = {"overhead": overhead, "isolation": isolation, "start": start}
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"{', '.join(sections)}, run; all by default")
    parser.add_argument("--batches", type=int, default=1_000_000)
    asked = parser.parse_args()
    gc.freeze()
    for name, section in (sections | {"run": lambda: run(asked.batches)}).items():
        if name in asked.sections or not asked.sections:
            print(f"{name}:")
            section()


if __name__ == "__main__":
    main()
