"""Vectors put to a consumer by the thousand: a topic each, all in one client, served by one broker.

The bytes of one topic go into one answer, so a client that dies, dies of the topic that it had
last: that one is put again, alone, to a new process. If it dies again the vector is found, and has
been looked at twice. If not, it died of what its application was just doing with the records of
others, and half as many topics are served at once. Topics that a client is stuck at are gathered
and put again at the end, together, to a new process that has more time.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from typing import Final

from kafka_tools.server import BrokerSettings, running

from kafka_conformance.child.restarted import Restarted
from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.consumer.driver import Driver, ending_note
from kafka_conformance.kinds.consumer.play import Play
from kafka_conformance.kinds.consumer.questions import View
from kafka_conformance.kinds.consumer.round import HASTY, PATIENT, Patience, Round, stop_reason
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello

ROUND: Final = 100
"""Topics that are assigned at once. A client names all of them whenever it fetches."""

_CONNECTIONS: Final = 20
"""Connections for each topic: some clients have one for each, and open it anew when they meet an
error."""


class ConsumerSession:
    """A consumer that is started again when it dies, and its broker.

    Attributes:
        notes: what happened besides the replies, in words.
        unsteady: how it was lost on a topic that it stood in a fresh process; empty if it never
            was.
    """

    def __init__(self, start: Callable[[], Driver]) -> None:
        """Start the broker and the driver.

        Raises:
            TargetLostError: the driver does not come up.
        """
        self._stack = ExitStack()
        self._driver = Restarted(start, "reply")
        self._is_fresh, self._is_over = True, False
        self._numbers = count(1)
        settings = BrokerSettings(topics_per_fetch=1, most_connections=_CONNECTIONS * ROUND)
        self._broker = self._stack.enter_context(running(settings=settings))
        self.notes: list[str] = []
        self._endings: set[str] = set()
        self.unsteady = ""

    @property
    def hello(self) -> Hello:
        """What the target declares."""
        return self._driver.program.hello

    def ask(self, questions: Sequence[View]) -> Iterator[Reaction]:
        """Serve views, by isolation level, and yield what came of each, in any order.

        Raises:
            GaveUpError: the target was lost too often in a row, or does not come up again.
            StoppedError: the run was interrupted.
        """
        for isolation in dict.fromkeys(view.isolation for view in questions):
            chosen = [index for index, view in enumerate(questions) if view.isolation == isolation]
            stuck = yield from self._rounds(questions, chosen, HASTY)
            if stuck:
                self._is_over = True
                again = yield from self._rounds(questions, [play.index for play in stuck], PATIENT)
                yield from (_hang(play, 0.0) for play in again)

    def ask_afresh(self, questions: Sequence[View]) -> Iterator[Reaction]:
        """Serve each view to a process that has seen no other, and yield a word on each, in order.

        Raises:
            GaveUpError: the target does not come up again.
            StoppedError: the run was interrupted.
        """
        for index in range(len(questions)):
            self._driver.forget_losses()
            yield self._alone(questions, index)

    def close(self) -> None:
        """End the target and the broker; its last complaints join the notes."""
        self.notes += [*sorted(self._endings), *self._driver.complaints("driver")]
        self._stack.close()

    def _rounds(
        self, questions: Sequence[View], waiting: list[int], patience: Patience
    ) -> Generator[Reaction, None, list[Play]]:
        """Serve views, some at a time; return the topics that the client was stuck at."""
        stuck: list[Play] = []
        size = ROUND
        while waiting:
            played = self._play(questions, waiting[:size], patience)
            settled = played.settled_topics()
            yield from (play.word(played.seconds / len(settled)) for play in settled)
            if settled:
                self._driver.forget_losses()
            stuck += played.stuck
            over = {play.index for play in (*settled, *played.stuck)}
            # Who dies at once takes the others along, and of fewer some are settled.
            half = max(len(played.plays) // 2, 1)
            size = min(2 * size, ROUND) if settled or played.lost is None else half
            if played.lost is not None and len(over) == len(played.plays):
                self._endings.add(ending_note(played.lost.detail))
            elif played.lost is not None:
                word = self._suspect(questions, played, over)
                if word is not None:
                    yield word
                    over.add(word.question)
                if word is None or not isinstance(word.reply, Loss):
                    if word is not None:
                        self._driver.forget_losses()
                    self._note(played, played.lost)
                    size = half
                    waiting = [*(play.index for play in played.plays if play.topic.first_fetch), *waiting]
            waiting = [index for index in dict.fromkeys(waiting) if index not in over]
        return stuck

    def _suspect(self, questions: Sequence[View], played: Round, over: Container[int]) -> Reaction | None:
        """Put the topic alone whose bytes the client had last; None if it is over with that one."""
        last = played.last()
        return None if last.index in over else self._alone(questions, last.index)

    def _note(self, played: Round, lost: TargetLostError) -> None:
        """Note that a loss did not happen again, unless its topic is still to be found."""
        if len(played.plays) == 1 and lost.outcome is not Outcome.HUNG:  # one of many has less time
            self.unsteady = f"it {lost.detail}, and not again in a fresh process"

    def _alone(self, questions: Sequence[View], index: int) -> Reaction:
        """Serve a view to a process that has seen no other."""
        self._is_over = self._is_over or not self._is_fresh
        played = self._play(questions, [index], PATIENT)
        if played.lost is not None:
            return Reaction(index, Loss(played.lost.outcome, played.lost.detail), played.seconds, is_certain=True)
        return _hang(played.plays[0], played.seconds) if played.stuck else played.plays[0].word(played.seconds)

    def _play(self, questions: Sequence[View], indexes: Sequence[int], patience: Patience) -> Round:
        if self._is_over:
            self._restart()
        views = [(index, questions[index]) for index in indexes]
        plays = [Play(index, view, view.topic(f"t{next(self._numbers)}")) for index, view in views]
        played = Round(self._driver.program, self._broker, plays, patience)
        self._is_fresh = False
        played.play()
        self._is_over = played.lost is not None
        return played

    def _restart(self) -> None:
        self._driver.restart()
        self._is_fresh, self._is_over = True, False


def _hang(play: Play, seconds: float) -> Reaction:
    return Reaction(play.index, Loss(Outcome.HUNG, stop_reason(play, PATIENT)), seconds, is_certain=True)
