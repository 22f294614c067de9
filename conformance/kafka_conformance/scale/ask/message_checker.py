"""One target among thousands of requests or responses, and what became of each."""

from collections import deque

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import AdapterSession, Loss, Reaction
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.questions import NOT_DECLARED
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.scale.ask.checker import Commands, end_with_parent
from kafka_conformance.scale.batches import Checked
from kafka_conformance.scale.message_batches import Messages
from kafka_conformance.scale.plan import Endurance


class MessageChecker:
    """A target under test that is asked about requests or responses. Always `close` it.

    Attributes:
        target: its name.
        problem: why it was given up; empty while it lives.
    """

    def __init__(self, target: str, commands: Commands, limits: Limits, endurance: Endurance) -> None:
        """Describe the target; it starts with the first messages."""
        self.target = target
        self.problem = ""
        self._command = end_with_parent(commands.piped)
        self._limits = limits
        self._patience = endurance.patience
        self._session: AdapterSession | None = None
        self._open: deque[Messages] = deque()

    def send(self, messages: Messages) -> None:
        """Keep messages that `next_results` is to ask about."""
        self._open.append(messages)

    def next_results(self) -> Checked:
        """Ask about the messages that were sent first, and judge what comes."""
        messages = self._open.popleft()
        session = self._alive()
        if session is None:
            return Checked({}, set(), set(range(len(messages))))
        form = session.hello.apis.get("form", "")
        if not form:
            return Checked({number: self._gap(messages, number) for number in range(len(messages))}, set(), set())
        return self._ask(session, messages, form)

    def take_notes(self) -> tuple[str, ...]:
        """Return notes since the last call, for instance on a crash that did not happen again."""
        session = self._session
        if session is None:
            return ()
        notes = tuple(filter(None, [*session.notes, session.unsteady]))
        session.notes, session.unsteady = [], ""
        return notes

    def close(self) -> None:
        """End the target."""
        if self._session is not None:
            self._session.close()

    def _alive(self) -> AdapterSession | None:
        """Return the running target, started if need be; None once it is given up."""
        if self._session is None and not self.problem:
            try:
                self._session = AdapterSession(lambda: AdapterClient(self._command, self._limits))
            except TargetLostError as lost:
                self.problem = f"did not come up: it {lost.detail}"
        return None if self.problem else self._session

    def _gap(self, messages: Messages, number: int) -> Result:
        return Result(str(messages.start + number), self.target, Outcome.UNSUPPORTED, detail=NOT_DECLARED)

    def _ask(self, session: AdapterSession, messages: Messages, form: str) -> Checked:
        checked = Checked({}, set(), set(range(len(messages))))
        try:
            for reaction in session.ask([messages.message(number) for number in range(len(messages))]):
                self._judge(messages, reaction, form, checked)
                if self.problem:
                    break
        except GaveUpError as given_up:
            self.problem = str(given_up)
        return checked

    def _judge(self, messages: Messages, reaction: Reaction, form: str, checked: Checked) -> None:
        checked.not_put.discard(reaction.question)
        if form == "bytes" and _is_same(reaction.reply, messages.input(reaction.question)):
            return
        result = judge(messages.question(reaction.question), self.target, form, reaction)
        if result.outcome is not Outcome.PASSED:
            checked.results[reaction.question] = result
        if isinstance(reaction.reply, Loss):
            self._patience -= reaction.seconds
            if self._patience < 0:
                self.problem = f"given up: it {reaction.reply.detail}, and so on; `--patience` gives it more time"


def _is_same(reply: Reply | Loss, data: bytes) -> bool:
    """Tell whether a target wrote the bytes that it was given.

    That is right, whatever the value.
    """
    return isinstance(reply, Reply) and reply.status == Status.ANSWER and reply.content == data
