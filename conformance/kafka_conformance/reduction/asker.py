"""A target that is asked about one input at a time."""

from collections.abc import Callable
from typing import Final, Self

from kafka_format import records
from kafka_format.records import Record
from kafka_format.records.formats import MAGICS
from kafka_format.records.model import CREATE_TIME, NO_TIMESTAMP

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.errors import TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.decoder import judge
from kafka_conformance.kinds.decoder.questions import DecodeCase, decode_input, missing
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply

_PLAIN: Final = (Record(0, NO_TIMESTAMP, -1, None, b"a"), *[Record(0, 0, CREATE_TIME, None, b"a")] * 2)
"""A plain record, by magic."""


class Asker:
    """A target that is asked one input at a time, and started again when it dies.

    A context manager.

    Attributes:
        target: its name.
        calls: questions so far.
        seconds: time limit of a question.
    """

    def __init__(self, target: str, command: Command, limits: Limits) -> None:
        """Describe the target; it starts with the first question."""
        self.calls, self.seconds = 0, limits.seconds
        self.target, self._command, self._limits = target, command, limits
        self._client: AdapterClient | None = None
        self._is_warm, self._may_warm = False, True

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the target."""
        if self._client is not None:
            self._client.close()

    @property
    def hello(self) -> Hello:
        """What the target declares. Starts it if needed, and raises like `ask`."""
        return self._running().hello

    def ask(self, case: DecodeCase) -> Result:
        """Have the target decode the bytes of a case, and judge its reply.

        Raises:
            TargetLostError: the target does not start.
        """
        client = self._running()
        if reason := missing(case, client.hello):
            return Result(case.id, self.target, Outcome.UNSUPPORTED, detail=reason)
        question = decode_input(case)
        reply = self.reply(lambda client: client.put_decode([question.data], question.input_kind))
        return judge.judge_decode(case, client.hello, self.target, Reaction(0, reply, 0))

    def reply(self, put: Callable[[AdapterClient], int]) -> Reply | Loss:
        """Put one question with `put`, and return what the target says to it.

        Raises:
            TargetLostError: the target does not start.
        """
        client = self._warm(self._running())
        self.calls += 1
        try:
            put(client)
            return client.receive(self.seconds)[1][0]
        except TargetLostError as lost:
            self._client = None
            return Loss(lost.outcome, lost.detail)

    def _running(self) -> AdapterClient:
        if self._client is None:
            self._client, self._is_warm = AdapterClient(self._command, self._limits), False
        return self._client

    def _warm(self, client: AdapterClient) -> AdapterClient:
        """Have a new process decode a plain record, if the next question has less than its time.

        Some targets load half their library with the first question, and would look hung.
        """
        magic = max((number for name, number in MAGICS.items() if name in client.hello.formats), default=None)
        if self._is_warm or not self._may_warm or magic is None or self.seconds >= self._limits.seconds:
            return client
        self._is_warm = True
        try:
            client.put_decode([records.encode([_PLAIN[magic]], magic=magic)])
            client.receive()
        except TargetLostError:
            self._client, self._may_warm = None, False
            return self._running()
        return client
