"""Confirmation of findings about conversations: a script consumes, the suite's broker plays.

The scripts are those that read: their arguments are the address of the broker and the topic. What
is printed is looked at up to a few lines, because what is found may be that there is no end.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from kafka_conformance.conversations import catalogue, stage
from kafka_conformance.findings.catalogue import Findings
from kafka_conformance.findings.confirmation import Confirmation, Program, program

_MOST_LINES: Final = 6


def confirm_conversations(findings: Findings) -> Iterator[Confirmation]:
    """Yield what a consumer's script prints in the smallest conversation of each finding.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script.
    """
    with tempfile.TemporaryDirectory() as folder:
        started = program(findings, Path(folder))
        for finding in findings.findings:
            if finding.gives is not None:
                yield Confirmation(finding, _first_lines(started, finding.smallest))


def _first_lines(started: Program, name: str) -> tuple[str, ...]:
    """Run a script in a conversation; return the first lines that it prints."""
    with stage.cluster(catalogue.conversations()[name]) as (broker, _):
        words = [*started.command, broker.address, stage.TOPIC, os.devnull]
        environment = {**os.environ, **dict(started.environment)}
        with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None  # noqa: S101 - it is a pipe
            try:
                return tuple(line.rstrip("\n") for line in islice(running.stdout, _MOST_LINES))
            finally:
                running.kill()
