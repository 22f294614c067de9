"""Runs in numbers, added up from rows that a test states."""

import io
from collections.abc import Iterable

from kafka_conformance.protocol.hello import Hello
from kafka_conformance.scale.plan import RunSettings
from kafka_conformance.scale.report import terminal
from kafka_conformance.scale.results.counts import Counts
from kafka_conformance.scale.results.rows import Done, TallyRow
from kafka_conformance.scale.results.summary import ScaleSummary, Timing
from rich.console import Console

HELLO = Hello("toy", "1", "Python", ("v2",), ("none",), ("offset",), checks_crc=True)
SETTINGS = RunSettings(("t",), 100, 7, "mixed", 50)
PASSED = TallyRow("v2", "none", "passed", "", 40, -1)
WRONG = TallyRow("v2", "gzip", "wrong-answer", "records[*].key", 3, 17)
REFUSED = TallyRow("v1", "gzip", "refused-valid", "[bold]Error[/bold] \x1b[2J", 7, 60)
UNDECLARED = TallyRow("v0", "none", "unsupported", "", 10, 2)
ACCEPTED = TallyRow("v2", "none", "accepted-invalid", "refused, because of r.b", 4, 9, "v2/b", "r.b")
HARMED = TallyRow("v2", "none", "passed", "", 30, -1, "v2/a", "r.a")
RIGHT = TallyRow("v2", "lz4", "passed", "", 6, -1, "v2/c", "r.b")
SKIPPED = TallyRow("v2", "none", "skipped", "", 7, 12, "v2/c", "r.b")
NOT_ASKED = TallyRow("v2", "none", "unsupported", "", 5, 3, "v2/crc", "r.crc")
TIMING = Timing(2, 3.0, 4.0, 100, 7.0, 1.0, 7.2, 5 << 20, 6 << 20, 7 << 20)


def done(chunk: int, tally: Iterable[TallyRow], **fields: object) -> Done:
    plain: dict[str, object] = {"problem": "", "notes": (), "cpu_seconds": 2.0, "memory": 1 << 20}
    rest = {"compared": 0, "findings": 0, "kept": 0, "seconds": 1.0, "generation_seconds": 0.5, "host": "h", "pid": 1}
    return Done(target="t", chunk=chunk, start=50 * chunk, count=50, tally=tuple(tally), **{**rest, **plain, **fields})


def summed(*rows: Done, gaps: tuple[str, ...] = (), interrupted: bool = False) -> ScaleSummary:
    counts = Counts(SETTINGS)
    for row in rows:
        counts.add(row)
    return ScaleSummary(SETTINGS, (counts.of_target("t", HELLO),), gaps, interrupted, TIMING)


def shown(result: ScaleSummary) -> str:
    screen = io.StringIO()
    terminal.show(result, Console(file=screen, width=100), "out")
    return screen.getvalue()
