"""Hold `log dump` against kafka-dump-log, line for line.

`python -m kafka_generator.recordings.log_directories.dump_parity` runs the tool of several
releases, from Maven's jars, on the files of all packed directories of brokers, of all vectors of
directories and files, and on segments of Kafka's own topics with a record of every type and
version. It counts the dumps that are the same. What the tool prints on standard error is not
compared.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from kafka_format.errors import FormatError
from kafka_format.spec.layout.release_table import numbers
from kafka_tools.commands.log_dump_options import parse
from kafka_tools.logs.dump import dump

from kafka_generator import real_broker
from kafka_generator.log_vectors import archives, files, oracle
from kafka_generator.recordings.log_directories import topic_samples
from kafka_generator.recordings.log_directories.answers import ROOT, TOOLS

_HERE: Final = Path(__file__).parent
_PACKED: Final = ROOT / "tests" / "kafka_format" / "log" / "directories"
KEPT: Final = ROOT / "tests" / "kafka_tools" / "logs" / "dumps.json.gz"
_TOOLS: Final = TOOLS | {"4.4.0": TOOLS["4.3.1"]}
_SEGMENTS: Final = (".log", ".checkpoint")
_INDEXES: Final = (".index", ".timeindex")
_OTHERS: Final = (".txnindex", ".snapshot")
_DECODERS: Final = {
    "__consumer_offsets": "--offsets-decoder",
    "__transaction_state": "--transaction-log-decoder",
    "__cluster_metadata": "--cluster-metadata-decoder",
    "__share_group_state": "--share-group-state-decoder",
    "__remote_log_metadata": "--remote-log-metadata-decoder",
}
_TOLD_ON_ERROR: Final = ".snapshot"
"""The tool reports what it cannot read of these on standard error, and goes on."""

_METADATA: Final = "--cluster-metadata-decoder"
_SHARES: Final = "--share-group-state-decoder"
_SHARES_SINCE: Final = (4, 0)


class Run(NamedTuple):
    """One run of the tool: its options, and the file."""

    options: tuple[str, ...]
    file: Path


class ToolOutput(NamedTuple):
    """What the tool printed, and the error that ended it; empty if none did."""

    lines: list[str]
    error: str


def main() -> int:
    """Compare, print what is counted and what differs; 1 if a dump differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*", default=list(_TOOLS), help="default: all")
    parser.add_argument("--keep", action="store_true", help="keep what the tool prints of Kafka's topics, for tests")
    parser.add_argument("--shown", type=int, default=10, help="differing dumps that are shown of a release (10)")
    asked, status = parser.parse_args(), 0
    if asked.keep:
        keep(asked.releases)
        return 0
    for release in asked.releases:
        with TemporaryDirectory() as scratch:
            differing = list(report(release, plan(unpack(Path(scratch), _short(release)), release)))
        sys.stdout.write("".join(f"{each}\n" for each in differing[: asked.shown]))
        status |= bool(differing)
    return status


def keep(releases: Iterable[str]) -> None:
    """Write the segments of Kafka's topics, and what each release prints of them, to `KEPT`."""
    kept = []
    for release in releases:
        with TemporaryDirectory() as scratch:
            topic_samples.write(Path(scratch), _short(release))
            planned = plan([Path(scratch)], release)
            runs = [run for run in planned if run.options and set(run.options) <= set(_DECODERS.values())]
            for run, output in zip(runs, tool_outputs(release, runs), strict=True):
                topic, content = run.file.parent.name, base64.b64encode(run.file.read_bytes()).decode()
                lines = [line.replace(str(run.file), run.file.name) for line in output.lines]
                kept.append({
                    "release": release, "topic": topic, "segment": content, "options": run.options, "lines": lines,
                    "ended_by": output.error,
                })  # fmt: skip
    KEPT.write_bytes(gzip.compress(json.dumps(kept, separators=(",", ":")).encode(), mtime=0))


def report(release: str, planned: Iterable[Run]) -> Iterator[str]:
    """Print the counts of a release; yield each dump that differs, in words."""
    runs = list(planned)
    counts, differing = Counter[tuple[str, str]](), list[str]()
    for run, output in zip(runs, tool_outputs(release, runs), strict=True):
        difference = differs(run, output, release)
        word = "differs" if difference else "same up to where the tool stops" if output.error else "same"
        counts[" ".join(run.options) or "(none)", word] += 1
        if difference:
            differing.append(f"  {' '.join(run.options)} {run.file}\n{difference}")
    sys.stdout.write(f"kafka-dump-log {release}: {len(runs)} dumps\n")
    for (options, word), count in sorted(counts.items()):
        sys.stdout.write(f"  {count:6} {word:32} {options}\n")
    return iter(differing)


def differs(run: Run, output: ToolOutput, release: str) -> str:
    """Return the first line in which we differ from the tool; empty if none does."""
    ours, error = ours_of(run, release)
    kafkas = output.lines
    if output.error:  # a line that it did not get to the end of is no line
        kafkas = kafkas[:-1] if kafkas and ours[: len(kafkas)] != kafkas else kafkas
        ours = ours[: len(kafkas)]
    elif error and run.file.suffix != _TOLD_ON_ERROR:
        return f"    we stop: {error}"
    for number, (our, kafka) in enumerate(zip_longest(ours, kafkas)):
        if our != kafka:
            return f"    line {number}\n    kafka: {kafka}\n    ours:  {our}"
    return ""


def ours_of(run: Run, release: str) -> tuple[list[str], str]:
    """Return our lines of a file, and the error that ended them; empty if none did."""
    lines, problem = list[str](), ""
    options = parse(run.options, _short(release))
    try:
        lines += dump(run.file, str(run.file), options)
    except FormatError as error:
        problem = str(error)
    return "\n".join(lines).split("\n"), problem


def tool_outputs(release: str, runs: Iterable[Run]) -> Iterator[ToolOutput]:
    """Yield the output of the tool of a release for each run."""
    artifact, tool = _TOOLS[release]
    jars = real_broker.jars(release, ROOT / ".targets" / "wild", artifact)
    with TemporaryDirectory() as scratch:
        listed = Path(scratch) / "list"
        listed.write_text("".join("\t".join((*run.options, "--files", str(run.file))) + "\n" for run in runs))
        java = ["java", "-Xmx512m", "-Dfile.encoding=UTF-8", "-cp", f"{jars}/*", str(_HERE / "DumpFiles.java")]
        done = subprocess.run([*java, tool, str(listed)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    for line in done.stdout.decode().splitlines():
        end, _, content = line.partition(" ")
        text = base64.b64decode(content).decode("utf-8", "replace").removesuffix("\n")
        yield ToolOutput(text.split("\n") if text else [], "" if end == "ended" else end)


def plan(folders: Iterable[Path], release: str) -> Iterator[Run]:
    """Yield the runs: every file with the options that concern it."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in _SEGMENTS:
                yield from (Run(options, path) for options in _options(path, release))
            elif path.suffix in _INDEXES:
                yield from (Run(options, path) for options in ((), ("--index-sanity-check",), ("--verify-index-only",)))
            elif path.suffix in _OTHERS:
                yield Run((), path)


def _options(path: Path, release: str) -> Iterator[tuple[str, ...]]:
    topic = path.parent.name.rpartition("-")[0]
    yield ()
    yield ("--deep-iteration",)
    yield ("--print-data-log",)
    yield "--print-data-log", "--skip-record-metadata"
    yield "--deep-iteration", "--max-bytes", "500"
    decoder = _DECODERS.get(topic)
    if decoder is None:
        yield "--value-decoder-class", "org.apache.kafka.tools.api.IntegerDecoder"
    elif not ((decoder == _SHARES and numbers(release) < _SHARES_SINCE) or _is_newer(path, decoder, release)):
        yield (decoder,)
        yield decoder, "--skip-record-metadata"


def _is_newer(path: Path, decoder: str, release: str) -> bool:
    """Tell whether metadata is of a broker newer than the tool, which makes of it what it can."""
    writer = path.parent.parent.name.removeprefix("kafka-").partition("-")[0]
    return decoder == _METADATA and writer[:1].isdigit() and numbers(writer) > numbers(release)


def unpack(scratch: Path, release: str) -> Iterator[Path]:
    """Write the directories below a folder, and yield them; records of topics are of a release."""
    for packed in sorted(_PACKED.glob("*.zip")):
        yield archives.unpack(packed, scratch / packed.stem)
    vectors = ROOT / "vectors" / files.FOLDER
    for number, vector in enumerate(files.read(vectors / files.DIRECTORIES).values()):
        contents = {path: bytes.fromhex(content) for path, content in vector["files"].items()}
        yield oracle.write(contents, scratch / f"directory-{number}")
    for number, vector in enumerate(files.read(vectors / files.FILES).values()):
        if "hex" in vector:
            yield oracle.write({vector["file"]: bytes.fromhex(vector["hex"])}, scratch / f"file-{number}")
    topics = scratch / "topics"
    topic_samples.write(topics, release)
    yield topics


def _short(release: str) -> str:
    return ".".join(release.split(".")[:2])


if __name__ == "__main__":
    sys.exit(main())
