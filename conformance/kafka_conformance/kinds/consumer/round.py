"""A round: many topics assigned to a client at once, and polls until each is done or stuck.

Time alone proves nothing on a busy machine, so a client is held against itself. It has one topic
more than it is asked about, always empty, for which it asks again and again: its pulse. A topic for
which it asks no more while the pulse goes on is one that it is stuck at. A client without a pulse
has stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from kafka_tools.server import Broker, Topic

from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.consumer.driver import POLL_SECONDS, Driver, Got
from kafka_conformance.kinds.consumer.served_topic import ServedTopic
from kafka_conformance.outcomes import Outcome

PULSE: Final = "pulse"

NO_TOPIC: Final = "?"
"""The topic of an error that names none."""

_LAST_POLLS: Final = 2
"""Polls in which nothing may come before a topic is settled: records may wait in the client."""

_SAME_ERRORS: Final = 5
"""Polls in a row that bring nothing but an error of no topic: the client tells it for ever."""

_RECENT: Final = 8
"""Clients fetch ahead: an error may come when the bytes of so many topics are there."""

_FULL: Final = 500
"""A poll that brings so much may have left more."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client may take to go on.

    Attributes:
        seconds: time in which it asks no more for a topic, or for none.
        beats: how often it asks for another one meanwhile, or is polled.
        poll_seconds: time that one poll may take.
    """

    seconds: float
    beats: int
    poll_seconds: float


HASTY: Final = Patience(1.0, 10, POLL_SECONDS / 2)
"""Of many topics: those that it is stuck at, or may be lost at, are put again."""

PATIENT: Final = Patience(3.0, 20, POLL_SECONDS)


@dataclass(slots=True)
class _Still:
    """How long a client asked for nothing.

    Attributes:
        since: since when.
        polls: for how many polls.
        errors_in_a_row: how many of them brought an error of no topic, one after another.
    """

    since: float = field(default_factory=monotonic)
    polls: int = 0
    errors_in_a_row: int = 0
    _asked: int = -1

    def look(self, now: float, asked: int, *, has_error: bool) -> None:
        if asked != self._asked:
            self.since, self.polls, self.errors_in_a_row, self._asked = now, 0, 0, asked
            return
        self.polls += 1
        self.errors_in_a_row = self.errors_in_a_row + 1 if has_error else 0

    def is_over(self, patience: Patience) -> bool:
        return self.polls >= patience.beats and monotonic() - self.since > patience.seconds


class Round:
    """Topics that are served to one client at once.

    Attributes:
        all_served: the topics.
        stuck: those that the client was stuck at.
        lost: how the client was lost; None if it was not.
        seconds: how long it took.
    """

    def __init__(self, driver: Driver, broker: Broker, all_served: Sequence[ServedTopic], patience: Patience) -> None:
        """Make a round of some topics, all to be fetched with one isolation level."""
        self.all_served = all_served
        self.stuck: list[ServedTopic] = []
        self.lost: TargetLostError | None = None
        self.seconds = 0.0
        self._driver = driver
        self._broker = broker
        self._patience = patience
        self._pulse = Topic(PULSE)
        self._shared: set[str] = set()
        self._in_error: list[ServedTopic] = []

    def serve(self) -> None:
        """Assign the topics, poll until the client is done with each or lost, and forget them."""
        topics, began = self._broker.state.topics, monotonic()
        for topic in (self._pulse, *(served.topic for served in self.all_served)):
            topics.add(topic)
        try:
            self._assign()
            self._poll_until_done()
            self._driver.stop()
        except TargetLostError as lost:
            self.lost = lost
        for served in self.all_served:
            topics.remove(served.topic.name)
        self.seconds = monotonic() - began

    def settled_topics(self) -> list[ServedTopic]:
        """Return the topics that the client is done with, and of which nothing waits in it."""
        return [served for served in self.all_served if served.quiet >= _LAST_POLLS] + self._in_error

    def last(self) -> ServedTopic:
        """Return the topic whose bytes the client had last and was not done with, or the first."""
        had = [served for served in self.all_served if served.topic.first_fetch and not served.is_done]
        return max(had, key=lambda served: served.topic.first_fetch_number, default=self.all_served[0])

    def _recent(self) -> list[ServedTopic]:
        """Return the topics that an error without a name may be about: the last unsettled ones."""
        had = [served for served in self.all_served if served.topic.first_fetch and served.quiet < _LAST_POLLS]
        return sorted(had, key=lambda served: served.topic.first_fetch_number)[-_RECENT:]

    def _assign(self) -> None:
        places = [(served.topic.name, served.view.fetch_offset) for served in self.all_served]
        self._driver.assign(self._broker.address, self.all_served[0].view.isolation, [*places, (PULSE, 0)])
        for served in self.all_served:
            served.got = self._driver.got[served.topic.name]

    def _poll_until_done(self) -> None:
        open_topics, still = list(self.all_served), _Still()
        while open_topics:
            is_drained = self._driver.poll(self._patience.poll_seconds) < _FULL
            has_error = self._sort_errors()
            now, pulse = monotonic(), self._pulse.fetch_count
            for served in open_topics:
                served.look(now, pulse, is_drained=is_drained)
            open_topics = [served for served in open_topics if served.quiet < _LAST_POLLS]
            if self._is_stuck(open_topics, now, pulse):
                self._in_error = [served for served in open_topics if served.beside]
                self.stuck = [served for served in open_topics if not served.beside]
                return
            still.look(now, pulse + sum(served.topic.fetch_count for served in self.all_served), has_error=has_error)
            if open_topics and (still.is_over(self._patience) or still.errors_in_a_row >= _SAME_ERRORS):
                self._find_error_or_lose(open_topics[0])
                return

    def _find_error_or_lose(self, first: ServedTopic) -> None:
        """Find out why a client without a pulse stopped: an error that it repeats, or nothing.

        Raises:
            TargetLostError: it reports no error.
        """
        last = self.last()
        if not last.beside:
            raise self._driver.end_as_lost(Outcome.HUNG, stop_reason(first, self._patience))
        self._in_error = [last]

    def _is_stuck(self, all_served: Sequence[ServedTopic], now: float, pulse: int) -> bool:
        """Tell whether the client asks for none of these topics any more, and for the pulse."""
        patience = self._patience
        return bool(all_served) and all(
            not served.is_done
            and now - served.since[0] > patience.seconds
            and pulse - served.since[1] >= patience.beats
            for served in all_served
        )

    def _sort_errors(self) -> bool:
        """Take errors about no topic, or about all, from topics that are not meant; True if any.

        Some clients lose a whole answer to one entry in it, and report an error of every topic: of
        the pulse, too. Which topic is meant, its next fetch shows; those whose bytes came last get
        the words.
        """
        got = self._driver.got
        shared = got.pop(NO_TOPIC, Got()).errors + got.pop(PULSE, Got()).errors
        if len(self.all_served) == 1:
            self.all_served[0].got.errors += shared
            return False
        self._shared.update(shared, *(served.strays() for served in self.all_served))
        for served in self._recent() if shared else ():
            served.beside = served.beside or shared[0]
        for served in self.all_served if self._shared else ():
            served.got.errors = [text for text in served.got.errors if text not in self._shared]
        return bool(shared)


def stop_reason(served: ServedTopic, patience: Patience) -> str:
    """Say what a client does not do that has stopped, or is stuck at a topic."""
    what = "fetched no more, and reported no error" if served.topic.first_fetch else "never fetched"
    return f"{what}, and gave its application nothing for {patience.seconds:g} s"
