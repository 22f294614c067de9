"""A broker that is asked, and left as it was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.broker import abilities
from kafka_conformance.kinds.broker.broker_link import BrokerLink
from kafka_conformance.kinds.broker.connection import Call
from kafka_conformance.kinds.broker.own_topics import OwnTopics
from kafka_conformance.targets.broker_launch import RunningBroker


class BrokerVisit:
    """What the sessions with a broker have in common: how it is reached, and how it is left.

    Attributes:
        hello: what it declares by the versions that it has.
        notes: what happened besides the answers, in words.
    """

    def __init__(self, place: RunningBroker, limits: Limits, stopped: Callable[[], bool] = lambda: False) -> None:
        """Connect, and ask which versions the broker has.

        Raises:
            TargetLostError: nobody is there, or it answers nonsense.
            StoppedError: the run was interrupted.
        """
        self._place, self._limits = place, limits
        self._link = BrokerLink(place, limits, stopped)
        self.notes = self._link.notes
        self._versions, self._knows_versions = self._link.versions()
        self.hello = abilities.hello(place, self._versions)
        self._topics = OwnTopics(place.address, self._versions, limits.start_seconds, place.run)

    @property
    def unsteady(self) -> str:
        """How it was lost on a request that it stood when it came again; empty if it never was."""
        return self._link.unsteady

    @property
    def apis(self) -> list[str]:
        """The APIs that it offers and the specification has, in some version that both have."""
        return sorted(name for name, numbers in self._versions.ranges.items() if numbers)

    def close(self) -> None:
        """Hang up, delete what was made, and end a broker that the suite started."""
        self._link.close()
        if not self._place.is_ours:
            self._leave()
        self._place.stop()

    def made(self) -> list[str]:
        """Return the names of what was made and not deleted."""
        return self._topics.names

    def delete(self, ask: Callable[[Call], Any]) -> str:
        """Delete what was made; return why something stays, in words; empty if nothing does.

        Raises:
            TargetLostError: the broker is lost.
        """
        return self._topics.delete(ask)

    def _leave(self) -> None:
        """Delete over a connection of its own: others may have much on the way, or be stopped."""
        if not self.made():
            return
        try:
            connection = self._link.open_unstopped()
        except (OSError, TargetLostError) as error:
            left = f"it is not to be reached: {error}"
        else:
            try:
                left = self.delete(connection.ask)
            except TargetLostError as lost:
                left = f"it {lost.detail}"
            finally:
                connection.close()
        if left:
            self.notes.append(f"these stay on the broker, delete them yourself: {', '.join(self.made())} ({left})")
