"""All questions put to a reader: a program that is started again when it dies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.errors import ProtocolError, TargetLostError
from kafka_conformance.log_readers import hello
from kafka_conformance.log_readers.hello import ReaderHello
from kafka_conformance.log_readers.judge import LogResult, is_asked, judge
from kafka_conformance.log_readers.line_process import LineProcess
from kafka_conformance.log_readers.questions import LogQuestion
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
        results = []
        for question in asked:
            results.append(reader.answer(question))
            on_result(results[-1])
        return LogRun(target, reader.hello, tuple(results))
    finally:
        reader.close()


class _Reader:
    """A reader that is started again when it dies."""

    def __init__(self, command: Command, limits: Limits) -> None:
        self._command, self._limits = command, limits
        self._process = self._start()

    def _start(self) -> LineProcess:
        process = LineProcess(self._command, self._limits)
        try:
            self.hello: ReaderHello = hello.parse(process.ask({"ask": "hello"}, self._limits.start_seconds))
        except ProtocolError as error:
            raise process.end_as_lost(Outcome.BROKEN_PROTOCOL, str(error)) from None
        return process

    def answer(self, question: LogQuestion) -> LogResult:
        """Put a question, with its files in a folder of their own."""
        if not is_asked(question.ask, self.hello.parts):
            return LogResult(question, Outcome.UNSUPPORTED, "not declared")
        if not question.formats() <= set(self.hello.formats):
            return LogResult(question, Outcome.UNSUPPORTED, "it does not declare the format")
        try:
            with TemporaryDirectory() as folder:
                document = question.document(Path(folder), self.hello.parts)
                answer = self._process.ask(document, self._limits.seconds)
            return judge(question, answer, self.hello.parts)
        except ProtocolError as error:
            return self._again(question, self._process.end_as_lost(Outcome.BROKEN_PROTOCOL, str(error)))
        except TargetLostError as lost:
            return self._again(question, lost)

    def _again(self, question: LogQuestion, lost: TargetLostError) -> LogResult:
        """Start the reader again; return how it was lost."""
        self._process = self._start()
        return LogResult(question, lost.outcome, lost.detail)

    def close(self) -> None:
        """End it."""
        self._process.close()
