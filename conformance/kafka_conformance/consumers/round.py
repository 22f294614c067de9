"""A round: many topics assigned to a client at once, and polls until it is done with each or has stopped.

Time alone proves nothing on a busy machine, so a client is held against itself. It has one topic more than it is asked
about, always empty, for which it asks again and again: its pulse. A topic for which it asks no more while the pulse
goes on is one that it is stuck at. A client without a pulse has stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Final

from kafka_conformance.broker import Broker, Topic
from kafka_conformance.consumers.driver import Driver, Got
from kafka_conformance.consumers.play import Play
from kafka_conformance.errors import TargetLostError
from kafka_conformance.outcomes import Outcome

PULSE: Final = "pulse"

NO_TOPIC: Final = "?"
"""The topic of an error that names none."""

_LAST_POLLS: Final = 2
"""Polls in which nothing may come before a topic is settled: records may wait in the client."""

_FULL: Final = 500
"""A poll that brings so much may have left more."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client may take to go on.

    Attributes:
        seconds: time in which it asks no more for a topic, or for none.
        beats: how often it asks for another one meanwhile, or is polled.
    """

    seconds: float
    beats: int


HASTY: Final = Patience(1.0, 10)
"""Of many topics: those that it is stuck at are put again."""

PATIENT: Final = Patience(3.0, 20)


class Round:
    """Topics that are served to one client at once.

    Attributes:
        plays: the topics.
        stuck: those that the client was stuck at.
        lost: how the client was lost; None if it was not.
        seconds: how long it took.
    """

    def __init__(self, driver: Driver, broker: Broker, plays: Sequence[Play], patience: Patience) -> None:
        """Make a round of some topics, all to be fetched with one isolation level."""
        self.plays = plays
        self.stuck: list[Play] = []
        self.lost: TargetLostError | None = None
        self.seconds = 0.0
        self._driver = driver
        self._broker = broker
        self._patience = patience
        self._pulse = Topic(PULSE)

    def play(self) -> None:
        """Assign the topics, poll until the client is done with each or lost, and forget them."""
        topics, began = self._broker.state.topics, monotonic()
        for topic in (self._pulse, *(play.topic for play in self.plays)):
            topics.put(topic)
        try:
            self._assign()
            self._poll_until_done()
            self._driver.stop()
        except TargetLostError as lost:
            self.lost = lost
        for play in self.plays:
            topics.remove(play.topic.name)
        self.seconds = monotonic() - began

    def settled(self) -> list[Play]:
        """Return the topics that the client is done with, and of which nothing waits in it."""
        return [play for play in self.plays if play.quiet >= _LAST_POLLS]

    def last(self) -> Play:
        """Return the topic whose bytes the client had last and was not done with; the first one, if there is none."""
        had = [play for play in self.plays if play.topic.served and not play.is_done]
        return max(had, key=lambda play: play.topic.served_at, default=self.plays[0])

    def _assign(self) -> None:
        places = [(play.topic.name, play.view.fetch_offset) for play in self.plays]
        self._driver.assign(self._broker.address, self.plays[0].view.isolation, [*places, (PULSE, 0)])
        for play in self.plays:
            play.got = self._driver.got[play.topic.name]

    def _poll_until_done(self) -> None:
        open_plays, quiet, since, beat = list(self.plays), 0, monotonic(), -1
        while open_plays:
            is_drained = self._driver.poll() < _FULL
            self._blame()
            now, pulse = monotonic(), self._pulse.asked
            for play in open_plays:
                play.look(now, pulse, is_drained=is_drained)
            open_plays = [play for play in open_plays if play.quiet < _LAST_POLLS]
            if self._is_stuck(open_plays, now, pulse):
                self.stuck = open_plays
                return
            asked = sum(play.topic.asked for play in self.plays) + pulse
            quiet, since, beat = (0, now, asked) if asked != beat else (quiet + 1, since, beat)
            if open_plays and quiet >= self._patience.beats and now - since > self._patience.seconds:
                raise self._driver.lost(Outcome.HUNG, stopped(open_plays[0], self._patience))

    def _is_stuck(self, plays: Sequence[Play], now: float, pulse: int) -> bool:
        """Tell whether the client asks for none of these topics any more, and for the pulse."""
        patience = self._patience
        return bool(plays) and all(
            not play.is_done and now - play.since[0] > patience.seconds and pulse - play.since[1] >= patience.beats
            for play in plays
        )

    def _blame(self) -> None:
        """Tell an error that names no topic of the one whose bytes the client had last."""
        errors = self._driver.got.pop(NO_TOPIC, Got()).errors
        blamed = self.last()
        if errors and (len(self.plays) == 1 or (blamed.topic.served and not blamed.is_done)):
            blamed.got.errors += errors


def stopped(play: Play, patience: Patience) -> str:
    """Say what a client does not do that has stopped, or is stuck at a topic."""
    what = "fetched no more, told no error" if play.topic.served else "never fetched"
    return f"{what}, and gave its application nothing for {patience.seconds:g} s"
