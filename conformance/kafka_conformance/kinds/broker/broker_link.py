"""A connection that is made anew when the broker hangs up, hangs or dies, and what it was lost on.

A request without a response is sent once more, alone, over a new connection. If that goes wrong
again, the broker was lost on it; if not, on something that came before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic, sleep
from typing import Any, Final, TypeVar

from kafka_conformance.child.launch import Limits
from kafka_conformance.child.losses import Losses
from kafka_conformance.child.session import Loss
from kafka_conformance.errors import GaveUpError, StoppedError, TargetLostError
from kafka_conformance.kinds.broker import versions
from kafka_conformance.kinds.broker.connection import Call, Connection
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets.broker_launch import RunningBroker

_WAIT_SECONDS: Final = 0.1

_Thing = TypeVar("_Thing")


class RestartedError(Exception):
    """The broker died of a request, and was started again: what it kept before may be gone.

    Attributes:
        loss: how it died.
        at: of which thing of those that were asked about.
    """

    def __init__(self, loss: Loss) -> None:
        """Keep how it died."""
        super().__init__(loss.detail)
        self.loss = loss
        self.at = 0


class BrokerLink:
    """The way to a broker.

    Attributes:
        notes: what the broker did wrong that is not about a vector, in words.
        restarts: how often the broker was started again.
        death: how it died before that.
        unsteady: how it was lost on a request that it stood when it came again; empty if it never
            was.
    """

    def __init__(self, place: RunningBroker, limits: Limits, stopped: Callable[[], bool] = lambda: False) -> None:
        """Start the broker if it is ours, and connect.

        Raises:
            TargetLostError: nobody answers.
            StoppedError: the run was interrupted.
        """
        self._place, self._limits, self._stopped = place, limits, stopped
        self._losses = Losses("response")
        self._losses.answered()  # it listens, and may hang up on what comes first
        self._knows_versions = False
        self.notes: list[str] = []
        self.restarts = 0
        self.unsteady = self.death = ""
        place.start()
        try:
            self._connection = self.open()
        except OSError as error:
            words = f"is not to be reached at {place.address}: {error.strerror or error}"
            raise TargetLostError(Outcome.CRASHED, words) from None

    def open(self) -> Connection:
        """Make a connection beside this one.

        Raises:
            OSError: nobody listens.
        """
        return self._open(self._stopped)

    def open_unstopped(self) -> Connection:
        """Make a connection on which an interrupt ends nothing: for what must be done at the end.

        Raises:
            OSError: nobody listens.
        """
        return self._open(lambda: False)

    def _open(self, stopped: Callable[[], bool]) -> Connection:
        place = self._place
        return Connection(place.address, self._limits.seconds, stopped, self._take_note, place.security)

    def versions(self) -> tuple[versions.Versions, bool]:
        """Ask which versions the broker has; the second is False if it does not know the question.

        Raises:
            TargetLostError: it answers nonsense, or nothing.
        """
        try:
            shared = versions.ask(self._connection)
        except TargetLostError as lost:
            if lost.outcome is Outcome.BROKEN_PROTOCOL:
                raise
            self.renew()
            return versions.before_0_10(), False
        self._knows_versions = True
        return shared, True

    def ask(self, call: Call) -> Any:
        """Send one request that is not about a vector, twice if need be.

        Raises:
            TargetLostError: there is no response, or none that can be read.
            GaveUpError: the broker is gone for good.
            StoppedError: the run was interrupted.
        """
        try:
            return self._connection.ask(call)
        except TargetLostError:
            self.renew()
            return self._connection.ask(call)

    def ask_once(self, call: Call) -> Any:
        """Send one request; after a loss, `renew` goes on.

        Raises:
            TargetLostError: there is no response, or none that can be read.
            StoppedError: the run was interrupted.
        """
        body = self._connection.ask(call)
        self._losses.answered()
        return body

    def forget_losses(self) -> None:
        """Count losses anew, since the broker brought something to an end."""
        self._losses.answered()

    def ask_all(self, things: Sequence[_Thing], call: Callable[[_Thing], Call]) -> list[Any]:
        """Send a request for each thing; return the bodies of the responses, or how it was lost.

        Raises:
            RestartedError: it died of one of them, and was started again, without its topics.
            GaveUpError: the broker was lost too often in a row, or is gone for good.
            StoppedError: the run was interrupted.
        """
        answers: list[Any] = []
        while len(answers) < len(things):
            try:
                for body in self._connection.ask_all(call(thing) for thing in things[len(answers) :]):
                    answers.append(body)
                    self._losses.answered()
            except TargetLostError as lost:
                try:
                    answers.append(self._alone(call(things[len(answers)]), lost))
                except RestartedError as restarted:
                    restarted.at = len(answers)
                    raise
        return answers

    def _look_alive(self) -> None:
        """Forget the losses of a broker that answers something else.

        Kafka 1.1 hangs up on hundreds of vectors in a row, and is not gone.
        """
        if not self._knows_versions:
            return
        try:
            versions.ask(self._connection)
        except TargetLostError:
            self.renew()
        else:
            self._losses.answered()

    def renew(self) -> bool:
        """Connect anew; False if the broker had to be waited for, or started again.

        Raises:
            GaveUpError: it does not come back, or was lost too often in a row.
            StoppedError: the run was interrupted.
        """
        self.close()
        self._losses.add()
        self._losses.check()
        with suppress(OSError):
            self._connection = self.open()
            return True
        if words := self._place.restart():
            self.restarts += 1
            self.death = words
        until = monotonic() + self._limits.start_seconds
        while monotonic() < until:
            if self._stopped():
                raise StoppedError
            with suppress(OSError):
                self._connection = self.open()
                return False
            sleep(_WAIT_SECONDS)
        raise GaveUpError(f"nobody listens at {self._place.address} any more")

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def _take_note(self, words: str) -> None:
        """Keep what was not said of the same response already."""
        start = words.partition(":")[0]
        if not any(note.startswith(start) for note in self.notes):
            self.notes.append(words)

    def _alone(self, call: Call, first: TargetLostError) -> Any:
        """Send a request again that the broker was lost on, over a new connection."""
        before = self.restarts
        is_alive = self.renew()
        if self.restarts > before:
            raise RestartedError(Loss(Outcome.CRASHED, f"{self.death}, at {call.name}"))
        try:
            body = self._connection.ask(call)
        except TargetLostError as lost:
            is_alive = self.renew() and is_alive
            if self.restarts > before:
                raise RestartedError(Loss(Outcome.CRASHED, f"{self.death}, at {call.name}")) from None
            if lost.outcome is Outcome.CRASHED and is_alive:
                self._look_alive()
                return Loss(Outcome.BROKEN_PROTOCOL, lost.detail)  # it hung up, and lives
            return Loss(lost.outcome if is_alive else Outcome.CRASHED, lost.detail)
        self._losses.answered()
        self.unsteady = f"it {first.detail}, and not when the request came again"
        return body
