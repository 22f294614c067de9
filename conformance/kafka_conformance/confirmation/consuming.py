"""Confirmation of findings about consumers: a script consumes, and the suite's broker serves.

It plays a conversation, or serves a vector as a consumer fetches it, again and again. The scripts
are those that read: their arguments are the address of the broker, the topic and an isolation
level. What is printed is looked at up to a few lines, because what is found may be that there is no
end.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Timer
from typing import Final

from kafka_tools import server as broker
from kafka_tools.errors import UsageError
from kafka_tools.server import BrokerSettings, Serving, Topics
from kafka_tools.system.exit_text import exit_words

from kafka_conformance.confirmation.confirmation import Confirmation
from kafka_conformance.confirmation.programs import Program, program
from kafka_conformance.kinds.consumer import questions as views
from kafka_conformance.kinds.conversation import dialog
from kafka_conformance.kinds.conversation import questions as catalogue
from kafka_conformance.targets.catalogue import Findings
from kafka_conformance.vectors import conversations, directions, golden, loader

_MOST_LINES: Final = 6
_SECONDS: Final = 60.0
_EMPTY_SECONDS: Final = 1.0  # how long an empty answer to a fetch waits: one that comes at once has records


def confirm_consumers(findings: Findings) -> Iterator[Confirmation]:
    """Yield what a consumer's script prints in the smallest conversation of each finding.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script.
    """
    wanted = [finding for finding in findings.findings if finding.gives is not None]
    with tempfile.TemporaryDirectory() as folder:
        started = program(findings, Path(folder))
        for finding in wanted:
            yield Confirmation(finding, _first_lines(started, finding.smallest))


def view_of(name: str) -> views.View | None:
    """Return a vector as a consumer sees it; None if there is none of that id."""
    vectors = [*golden.load(patterns=(name,)), *loader.of_family(directions.DELIVER, (name,))]
    return views.view(vectors[0]) if vectors else None


@contextmanager
def _serve(name: str) -> Iterator[tuple[str, list[str]]]:
    """Hold a conversation or serve a vector; yield the address, and isolation level and group."""
    for vector in loader.of_family(conversations.FAMILY, (name,)):
        conversation = catalogue.conversation(vector)
        with dialog.cluster(conversation) as (playing, _):
            group = conversation.settings.get("group")
            yield playing.address, [conversation.isolation, *([group] if group else [])]
        return
    view = view_of(name)
    if view is None:
        raise UsageError(f"no consumer fetches {name}.", "`kafka-conformance vectors` lists the vectors.")
    topic = replace(view.topic(dialog.TOPIC), serving=Serving.AS_LOG)
    with broker.running(Topics([topic]), BrokerSettings(empty_seconds=_EMPTY_SECONDS)) as serving:
        yield serving.address, [view.isolation]


def _first_lines(started: Program, name: str) -> tuple[str, ...]:
    """Run a script; return the first lines that it prints, and how it ended if it failed."""
    with _serve(name) as (address, settings):
        words = [*started.command, address, dialog.TOPIC, os.devnull, *settings]
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
