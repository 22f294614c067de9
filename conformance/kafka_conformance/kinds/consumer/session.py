"""Vectors put to a consumer by the thousand: a topic each, all in one client, served by one broker.

The bytes of one topic go into one answer, so a client that dies, dies of the topic that it had
last: that one is put again, alone, to a new process. If it dies again the vector is found, and has
been looked at twice. If not, it died of what its application was just doing with the records of
others, and half as many topics are served at once. If it dies of all that has something, such as
headers, the others that have it are not asked. Topics that a client is stuck at are gathered
and put again at the end, together, to a new process that has more time.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from typing import Final

from kafka_tools.server import BrokerSettings, running

from kafka_conformance.child.deaths import Deaths
from kafka_conformance.child.losses import Losses, from_all_places
from kafka_conformance.child.restarted import Restarted
from kafka_conformance.child.session import Loss
from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.consumer.driver import Driver, ending_note
from kafka_conformance.kinds.consumer.questions import View
from kafka_conformance.kinds.consumer.round import HASTY, PATIENT, Patience, Round, stop_reason
from kafka_conformance.kinds.consumer.served_topic import DeliveryReaction, ServedTopic
from kafka_conformance.kinds.consumer.traits import DeadlyTraits
from kafka_conformance.kinds.decoder.kind import DEATHS
from kafka_conformance.kinds.decoder.questions import group_of
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
        self._losses = Losses("reply")
        self._driver = Restarted(start, self._losses)
        self._is_fresh, self._is_over = True, False
        self._numbers = count(1)
        settings = BrokerSettings(topics_per_fetch=1, most_connections=_CONNECTIONS * ROUND)
        self._broker = self._stack.enter_context(running(settings=settings))
        self.notes: list[str] = []
        self._endings: set[str] = set()
        self._deaths = Deaths(DEATHS)
        self._traits = DeadlyTraits()
        self.unsteady = ""

    @property
    def hello(self) -> Hello:
        """What the target declares."""
        return self._driver.program.hello

    def ask(self, questions: Sequence[View]) -> Iterator[DeliveryReaction]:
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
                again = yield from self._rounds(questions, [served.index for served in stuck], PATIENT)
                yield from (_hang(served, 0.0) for served in again)

    def ask_afresh(self, questions: Sequence[View]) -> Iterator[DeliveryReaction]:
        """Serve each view to a new process, and yield a reaction to each, in order.

        Raises:
            GaveUpError: the target does not come up again.
            StoppedError: the run was interrupted.
        """
        for index in range(len(questions)):
            yield self._alone(questions, index)

    def close(self) -> None:
        """End the target and the broker; its last complaints join the notes."""
        self.notes += [*sorted(self._endings), *self._driver.complaints("driver")]
        self._stack.close()

    def _rounds(
        self, questions: Sequence[View], waiting: list[int], patience: Patience
    ) -> Generator[DeliveryReaction, None, list[ServedTopic]]:
        """Serve views, some at a time; return the topics that the client was stuck at."""
        stuck: list[ServedTopic] = []
        size = ROUND
        while waiting := (yield from self._leave_out(questions, waiting)):
            self._losses.check()
            round_ = self._serve(questions, waiting[:size], patience)
            settled = round_.settled_topics()
            yield from (served.reaction(round_.seconds / len(settled)) for served in settled)
            self._count(settled)
            stuck += round_.stuck
            over = {served.index for served in (*settled, *round_.stuck)}
            if not self._losses.has_answered:
                over |= yield from self._look_elsewhere(questions, [each for each in waiting if each not in over])
            # Who dies at once takes the others along, and of fewer some are settled.
            half = max(len(round_.all_served) // 2, 1)
            size = min(2 * size, ROUND) if settled or round_.lost is None else half
            if round_.lost is not None and not (yield from self._locate(questions, round_, over)):
                size = half
                waiting = [*(served.index for served in round_.all_served if served.topic.first_fetch), *waiting]
            waiting = [index for index in dict.fromkeys(waiting) if index not in over]
            if self._losses.is_at_a_bad_place:
                waiting = [*waiting[ROUND:], *waiting[:ROUND]]
        return stuck

    def _count(self, settled: Sequence[ServedTopic]) -> None:
        """Count what a client stood, or that it was lost or stuck and stood nothing."""
        for served in settled:
            self._deaths.add(group_of(served.view.vector), None)
            self._traits.add(served.view, is_death=False)
        if settled:
            self._losses.answered(len(settled))
        else:
            self._losses.add()

    def _locate(
        self, questions: Sequence[View], round_: Round, over: set[int]
    ) -> Generator[DeliveryReaction, None, bool]:
        """Find out at which topic a client was lost; False if it stands that one alone.

        The topic is added to those that it is over with. A client that is through with all was only
        lost at its end.
        """
        assert round_.lost is not None  # noqa: S101 - who calls has looked
        if all(served.index in over for served in round_.all_served):
            self._endings.add(ending_note(round_.lost.detail))
            return True
        self._losses.check()
        suspect = round_.last()
        if suspect.index not in over:
            reaction = self._alone(questions, suspect.index)
            yield reaction
            over.add(suspect.index)
            if isinstance(reaction.reply, Loss):
                if reaction.reply.outcome is not Outcome.HUNG and self._traits.has_stood_any:
                    self._losses.forgive()  # what it dies of is found, however often, and costs no waiting
                return True
        self._note(round_, round_.lost)
        return False

    def _look_elsewhere(
        self, questions: Sequence[View], waiting: Sequence[int]
    ) -> Generator[DeliveryReaction, None, set[int]]:
        """Put a few views alone to a client that has stood none; return those that were put."""
        put = set()
        for index in from_all_places(waiting):
            if not self._losses.has_answered:
                self._losses.check()
                put.add(index)
                yield self._alone(questions, index)
        return put

    def _leave_out(
        self, questions: Sequence[View], waiting: Sequence[int]
    ) -> Generator[DeliveryReaction, None, list[int]]:
        """Yield reactions to what is not asked, as the client hung on its like; return the rest."""
        reasons = {index: self._reason(questions[index]) for index in waiting}
        for index, reason in reasons.items():
            if reason:
                yield DeliveryReaction(index, Loss(Outcome.NOT_ASKED, reason), 0.0, is_certain=True)
        return [index for index in waiting if not reasons[index]]

    def _reason(self, view: View) -> str:
        """Return why a view is not asked; empty if it is."""
        return self._deaths.reason(group_of(view.vector)) or self._traits.reason(view)

    def _note(self, round_: Round, lost: TargetLostError) -> None:
        """Note that a loss did not happen again, unless its topic is still to be found."""
        if len(round_.all_served) == 1 and lost.outcome is not Outcome.HUNG:  # one of many has less time
            self.unsteady = f"it {lost.detail}, and not again in a fresh process"

    def _alone(self, questions: Sequence[View], index: int) -> DeliveryReaction:
        """Serve a view to a process that has seen no other."""
        if not self._is_over and not self._is_fresh:
            self._renew()
        round_ = self._serve(questions, [index], PATIENT)
        if round_.stuck:
            self._losses.add()
        elif round_.lost is None:
            self._losses.answered()
        else:
            self._losses.add(is_hang=round_.lost.outcome is Outcome.HUNG)
            self._deaths.add(group_of(questions[index].vector), round_.lost.outcome)
            self._traits.add(questions[index], is_death=True)
            return DeliveryReaction(
                index, Loss(round_.lost.outcome, round_.lost.detail), round_.seconds, is_certain=True
            )
        return (
            _hang(round_.all_served[0], round_.seconds)
            if round_.stuck
            else round_.all_served[0].reaction(round_.seconds)
        )

    def _serve(self, questions: Sequence[View], indexes: Sequence[int], patience: Patience) -> Round:
        if self._is_over:
            self._renew()
        self._driver.program.losses = self._losses
        views = [(index, questions[index]) for index in indexes]
        all_served = [ServedTopic(index, view, view.topic(f"t{next(self._numbers)}")) for index, view in views]
        round_ = Round(self._driver.program, self._broker, all_served, patience)
        self._is_fresh = False
        round_.serve()
        self._is_over = round_.lost is not None
        return round_

    def _renew(self) -> None:
        self._driver.renew()
        self._is_fresh, self._is_over = True, False


def _hang(served: ServedTopic, seconds: float) -> DeliveryReaction:
    return DeliveryReaction(served.index, Loss(Outcome.HUNG, stop_reason(served, PATIENT)), seconds, is_certain=True)
