"""Draw random variants, foretell their starts, start Kafka, and compare.

`python -m kafka_generator.recordings.starts.held_out SEED [--count N]` goes on where it stopped;
`--judge` compares what is written down with what the reference foretells now. OUT/SEED.jsonl has a
line a variant: its edits, what was foretold before Kafka was started, and what came.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from kafka_generator.recordings.starts.__main__ import start
from kafka_generator.recordings.starts.held_out import bases as rich
from kafka_generator.recordings.starts.held_out import drawing, judging
from kafka_generator.start_vectors import files

_AT_ONCE: Final = 3
Line = dict[str, Any]


def main() -> int:
    """Run variants of a seed, and say how many agree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument(
        "--count", type=int, default=100, help="the variants 0 to COUNT-1; those that are there are left"
    )
    parser.add_argument("--judge", action="store_true", help="start nothing")
    parser.add_argument("--at-once", type=int, default=_AT_ONCE, help="nodes that run side by side")
    parser.add_argument("--out", type=Path, default=rich.FOLDER.parent / "held-out-runs")
    given = parser.parse_args()
    bases = {**files.bases(), **rich.load()}
    path: Path = given.out / f"{given.seed}.jsonl"
    if not given.judge:
        _run(path, given.seed, given.count, given.at_once, bases)
    return 1 if report(files.read(path), bases) else 0


def _run(path: Path, seed: int, count: int, at_once: int, bases: Mapping[str, dict[str, bytes]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    known = {line["id"] for line in files.read(path)}
    todo = [number for number in range(count) if f"start/held-out/{seed}/{number}" not in known]
    with ThreadPoolExecutor(at_once) as pool, path.open("a", encoding="utf-8") as out:
        for line in pool.map(lambda number: _ask(seed, number, bases), todo):
            out.write(f"{json.dumps(line, separators=(',', ':'))}\n")
            out.flush()


def _ask(seed: int, number: int, bases: Mapping[str, dict[str, bytes]]) -> Line:
    line = drawing.draw(seed, number, bases).line()
    line["foretold"] = {release: judging.foretell(line, bases, release) for release in line["releases"]}
    line["kafka"] = {release: start(line, dict(bases), release) for release in line["releases"]}
    return line


def report(lines: Iterable[Line], bases: Mapping[str, dict[str, bytes]]) -> int:
    """Print the variants that differ, and how many starts agree by kind; return how many do not."""
    starts, differ = Counter[str](), Counter[str]()
    for line in lines:
        found = list(judging.differences(line, bases))
        releases = {each.partition(":")[0] for each in found}
        for kind in (*dict.fromkeys(line["title"].split(" + ")), "all"):
            starts[kind] += len(line["kafka"])
            differ[kind] += len(releases)
        for each in found:
            sys.stdout.write(f"{line['id']} ({line['base']}, {line['title']}) {each}\n")
    for kind, count in sorted(starts.items()):
        sys.stdout.write(f"{kind:24} {count - differ[kind]:5} of {count:5} agree\n")
    return differ["all"]


if __name__ == "__main__":
    sys.exit(main())
