"""Questions to a reader of log directories, each with files of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kafka_conformance.child.losses import scattered
from kafka_conformance.child.session import AdapterSession, Reaction
from kafka_conformance.kinds.log_reader.questions import LogQuestion
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import JsonInput


class LogSession:
    """A reader that is asked one question at a time, since it may change the files.

    Attributes:
        notes: what happened besides the reactions, in words.
    """

    def __init__(self, session: AdapterSession) -> None:
        """Ask through a session, whose adapter has come up."""
        self._session: Final = session
        self.notes = session.notes

    @property
    def unsteady(self) -> str:
        """Always empty: nothing is put in blocks."""
        return self._session.unsteady

    @property
    def hello(self) -> Hello:
        """What the reader declares."""
        return self._session.hello

    def ask(self, questions: Sequence[LogQuestion]) -> Iterator[Reaction]:
        """Put the questions, and yield a reaction to each, in any order; see `ask_alone`."""
        return self._put(questions, self._session.ask_alone)

    def ask_afresh(self, questions: Sequence[LogQuestion]) -> Iterator[Reaction]:
        """Put each question to a new process; see `AdapterSession.ask_afresh`."""
        return self._put(questions, lambda asked: next(self._session.ask_afresh([asked])))

    def close(self) -> None:
        """End the reader."""
        self._session.close()

    def _put(self, questions: Sequence[LogQuestion], put: Callable[[JsonInput], Reaction]) -> Iterator[Reaction]:
        for number in scattered(len(questions)):
            with TemporaryDirectory() as folder:
                document = questions[number].document(Path(folder), self.hello.logs)
                reaction = put(JsonInput(json.dumps(document).encode()))
            yield replace(reaction, question=number)
