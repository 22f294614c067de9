"""The target's word on bytes, judged by what the reference makes of them. A target that dies is started again."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import monotonic
from typing import Self

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import v07

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.session import Exchange, Loss
from kafka_conformance.errors import TargetLostError
from kafka_conformance.judging import judge
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply
from kafka_conformance.scale.checker import tied
from kafka_conformance.scale.rows import symptom
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.golden import Fault, Vector, Verdict


@dataclass(frozen=True, slots=True)
class Kind:
    """How a target fails; two batches that it fails on alike have this in common.

    Attributes:
        outcome: what it does.
        about: the field that differs, the error text or the rule that it does not keep; numbers and quotations as `*`.
    """

    outcome: Outcome
    about: str


def kind_of(result: Result) -> Kind:
    """Return how a target failed. A crash is a crash, whatever it says when it dies."""
    if result.outcome is Outcome.ACCEPTED_INVALID:
        return Kind(result.outcome, result.expected)
    told = result.outcome in {Outcome.WRONG_ANSWER, Outcome.REFUSED_VALID}
    return Kind(result.outcome, symptom(result) if told else "")


class Asker:
    """A target that can be asked about any bytes. Use it as a context manager.

    Attributes:
        calls: how often it was asked.
        limits: time and memory that it may take.
    """

    def __init__(self, target: str, command: Command, limits: Limits) -> None:
        """Describe the target; it starts with the first question."""
        self.calls = 0
        self._target = target
        self._command = tied(command)
        self.limits = limits
        self._client: AdapterClient | None = None

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the target."""
        self.close()

    @contextmanager
    def limited(self, seconds: float) -> Iterator[None]:
        """Give it less time for a while, if that is less; it is started anew for that."""
        before = self.limits
        if seconds >= before.seconds:
            yield
            return
        self.close()
        self.limits = replace(before, seconds=seconds)
        try:
            yield
        finally:
            self.close()
            self.limits = before

    def close(self) -> None:
        """End the target; a question starts it again."""
        if self._client is not None:
            self._client.close()
        self._client = None

    def ask(self, vector: Vector) -> Result:
        """Put the bytes of a vector, and judge what comes.

        Raises:
            TargetLostError: it does not come up.
        """
        client = self._alive()
        reason = judge.gap(vector, client.hello)
        if reason:
            return Result(vector.id, self._target, Outcome.UNSUPPORTED, detail=reason)
        self.calls += 1
        began = monotonic()
        word = Exchange(0, self._reply(client, vector), monotonic() - began)
        return judge.judge_decode(vector, client.hello, self._target, word)

    @property
    def hello(self) -> Hello:
        """What the target declares; it is started for that, see `ask`."""
        return self._alive().hello

    def _alive(self) -> AdapterClient:
        if self._client is None:
            self._client = AdapterClient(self._command, self.limits)
        return self._client

    def _reply(self, client: AdapterClient, vector: Vector) -> Reply | Loss:
        question = judge.decode_question(vector)
        try:
            client.put_decode([question.data], question.input_kind)
            return client.take()[1][0]
        except TargetLostError as lost:
            self._client = None
            return Loss(lost.outcome, lost.detail)


def vector_of(data: bytes, version: str, codecs: tuple[str, ...], flag: str = "") -> Vector:
    """Return bytes with what the reference says of them, as `judge` takes them.

    With a flag, bytes that only a decoder with that leniency reads are lenient.
    """
    made = Vector("", "", version, "scale", (version,), codecs, (), Verdict.VALID, data)
    read = v07.decode if version == "v07" else records.decode
    try:
        return replace(made, answer=tuple(json_answers.to_json(read(data))))
    except FormatError as error:
        fault = Fault(error.stage.value, error.rule, error.offset, error.path)
    made = replace(made, verdict=Verdict.INVALID, rules=(fault.rule,), fault=fault)
    try:
        answer = tuple(json_answers.to_json(read(data, flags=frozenset({flag})))) if flag else None
    except FormatError:
        answer = None
    return made if answer is None else replace(made, verdict=Verdict.LENIENT, flag=flag, answer=answer)
