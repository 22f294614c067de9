"""Confirmation of findings about consumers: a script consumes, and the suite's broker serves.

It plays a conversation, or serves a vector as a consumer fetches it, again and again. The scripts
are those that read: their arguments are the address of the broker, the topic, a file that is not
read, an isolation level, and the settings of a conversation as `name=value`. The first lines that
they print are looked at, because what is found may be that there is no end.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from threading import Timer
from typing import Final

from kafka_tools import server
from kafka_tools.errors import UsageError
from kafka_tools.server import BrokerSettings, Serving, Topics
from kafka_tools.system.exit_text import exit_words

from kafka_conformance.confirmation import conversing
from kafka_conformance.confirmation.confirmation import Confirmation
from kafka_conformance.confirmation.programs import Program, scripts
from kafka_conformance.kinds.consumer import questions as views
from kafka_conformance.kinds.conversation import dialog
from kafka_conformance.targets.catalogue import Finding, Findings
from kafka_conformance.vectors import directions, golden, loader

_MOST_LINES: Final = 6
_SECONDS: Final = 60.0
_EMPTY_SECONDS: Final = 1.0  # how long an empty answer to a fetch waits: one that comes at once has records


def confirm_consumers(findings: Findings) -> Iterator[Confirmation]:
    """Yield what a consumer's script prints in the smallest conversation of each finding.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script.
    """
    with scripts(findings) as started:
        for finding in findings.findings:
            if finding.gives is not None:
                yield Confirmation(finding, _lines(started(finding), finding))


def view_of(name: str) -> views.View | None:
    """Return a vector as a consumer sees it; None if there is none of that id."""
    vectors = [*golden.load(patterns=(name,)), *loader.of_family(directions.DELIVER, (name,))]
    return views.view(vectors[0]) if vectors else None


def _lines(started: Program, finding: Finding) -> tuple[str, ...]:
    """Hold a conversation or serve a vector; return what a script prints and its broker saw."""
    playing = conversing.conversation_of(finding.smallest)
    if playing is not None:
        with dialog.cluster(playing) as (broker, player):
            arguments = [playing.isolation, *conversing.settings_of(playing)]
            printed = _first_lines(started, broker.address, arguments)
            return (*printed, *conversing.request_lines(player.seen.requests, finding.requests))
    view = view_of(finding.smallest)
    if view is None:
        raise UsageError(f"no consumer fetches {finding.smallest}.", "`kafka-conformance vectors` lists the vectors.")
    topic = replace(view.topic(dialog.TOPIC), serving=Serving.AS_LOG)
    with server.running(Topics([topic]), BrokerSettings(empty_seconds=_EMPTY_SECONDS)) as serving:
        return _first_lines(started, serving.address, [view.isolation])


def _first_lines(started: Program, address: str, arguments: Sequence[str]) -> tuple[str, ...]:
    """Run a script; return the first lines that it prints, and how it ended if it failed."""
    words = [*started.command, address, dialog.TOPIC, os.devnull, *arguments]
    environment = {**os.environ, **dict(started.environment)}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as running:
        watch = Timer(_SECONDS, running.kill)
        watch.start()
        assert running.stdout is not None  # noqa: S101 - it is a pipe
        try:
            first_lines = tuple(line.rstrip("\n") for line in islice(running.stdout, _MOST_LINES))
            if len(first_lines) < _MOST_LINES and running.wait() != 0:
                return (*first_lines, f"error: the program {exit_words(running.returncode)}")
            return first_lines
        finally:
            watch.cancel()
            running.kill()
