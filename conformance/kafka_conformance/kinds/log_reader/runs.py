"""All questions put to a reader: a program that is started again when it dies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.restarted import Restarted
from kafka_conformance.errors import GaveUpError, ProtocolError, TargetLostError
from kafka_conformance.kinds.log_reader import hello
from kafka_conformance.kinds.log_reader.hello import ReaderHello
from kafka_conformance.kinds.log_reader.judge import LogResult, is_asked, judge
from kafka_conformance.kinds.log_reader.line_process import LineProcess
from kafka_conformance.kinds.log_reader.questions import LogQuestion
from kafka_conformance.outcomes import Outcome


class LogRun(NamedTuple):
    """The results of one reader.

    Attributes:
        target: how the user calls it.
        hello: what it declares.
        results: a result a question.
    """

    target: str
    hello: ReaderHello
    results: tuple[LogResult, ...]

    @property
    def findings(self) -> list[LogResult]:
        """The results where the reader is wrong."""
        return [result for result in self.results if result.is_finding]


def run(
    target: str,
    command: Command,
    asked: Iterable[LogQuestion],
    limits: Limits,
    on_result: Callable[[LogResult], object] = lambda _: None,
) -> LogRun:
    """Put questions to a reader.

    Raises:
        TargetLostError: it does not come up, or says no hello.
    """
    reader = _Reader(command, limits)
    try:
        results: list[LogResult] = []
        gave_up = ""
        for question in asked:
            try:
                result = reader.answer(question) if not gave_up else LogResult(question, Outcome.NOT_ASKED, gave_up)
            except GaveUpError as error:
                gave_up = str(error)
                result = LogResult(question, Outcome.NOT_ASKED, gave_up)
            results.append(result)
            on_result(result)
        return LogRun(target, reader.hello, tuple(results))
    finally:
        reader.close()


class _Reader:
    """A reader that is started again when it dies."""

    def __init__(self, command: Command, limits: Limits) -> None:
        self._command, self._limits = command, limits
        self._child = Restarted(self._start, "answer")
        self._is_lost = False

    def _start(self) -> LineProcess:
        process = LineProcess(self._command, self._limits)
        try:
            self.hello: ReaderHello = hello.parse(process.ask({"ask": "hello"}, self._limits.start_seconds))
        except ProtocolError as error:
            raise process.end_as_lost(Outcome.BROKEN_PROTOCOL, str(error)) from None
        return process

    def answer(self, question: LogQuestion) -> LogResult:
        """Put a question, with its files in a folder of their own.

        Raises:
            GaveUpError: the reader was lost too often in a row, or does not come up again.
        """
        if not is_asked(question.ask, self.hello.parts):
            return LogResult(question, Outcome.UNSUPPORTED, "not declared")
        if not question.formats() <= set(self.hello.formats):
            return LogResult(question, Outcome.UNSUPPORTED, "it does not declare the format")
        if self._is_lost:
            self._child.restart()
            self._is_lost = False
        try:
            with TemporaryDirectory() as folder:
                document = question.document(Path(folder), self.hello.parts)
                answer = self._child.program.ask(document, self._limits.seconds)
            result = judge(question, answer, self.hello.parts)
        except ProtocolError as error:
            return self._lose(question, self._child.program.end_as_lost(Outcome.BROKEN_PROTOCOL, str(error)))
        except TargetLostError as lost:
            return self._lose(question, lost)
        self._child.forget_losses()
        return result

    def _lose(self, question: LogQuestion, lost: TargetLostError) -> LogResult:
        """Return how the reader was lost; the next question starts it again."""
        self._is_lost = True
        return LogResult(question, lost.outcome, lost.detail)

    def close(self) -> None:
        """End it."""
        self._child.program.close()
