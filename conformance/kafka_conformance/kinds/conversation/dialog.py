"""One conversation with one client, from the assignment to its end.

Time alone proves nothing on a busy machine, so the client is held against itself: it has a topic
more, always empty, and only if it asks for that one again and again and nothing else changes, it
has come to a standstill.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Final

from kafka_tools.server import Broker, BrokerSettings, Topic, Topics, running
from kafka_tools.server.settings import ranges
from kafka_tools.server.state import BrokerState
from kafka_tools.server.topics import end_offset

from kafka_conformance.errors import TargetLostError
from kafka_conformance.kinds.consumer.driver import Driver, Got
from kafka_conformance.kinds.conversation.following import missing_at_close
from kafka_conformance.kinds.conversation.questions import PRODUCER
from kafka_conformance.kinds.conversation.requests_seen import RequestsSeen
from kafka_conformance.kinds.conversation.script import Conversation, Telling
from kafka_conformance.kinds.conversation.server import ConversationServer
from kafka_conformance.kinds.conversation.verdict import has_asked
from kafka_conformance.outcomes import Outcome

TOPIC: Final = "t1"
PULSE: Final = "pulse"

_LAST_POLLS: Final = 3
"""Polls in which nothing may come before a conversation is over: records may wait in the client."""

_BEATS: Final = 20
"""How often a client fetches while nothing changes, before it is taken to stand still."""

_SILENCE: Final = 10.0
"""Seconds without any request, after which a client has stopped."""

_SILENT_POLLS: Final = 60

_AFTER_AN_ERROR: Final = 2.0
"""Seconds without a fetch, after which a client that reported an error leaves the topic alone."""

_CLOSING: Final = 3.0
"""Seconds in which the last requests of a client that was closed may come."""

_MOMENT: Final = 0.02

_POLLS_WITHOUT: Final = 10
"""Polls after the last step of a conversation that says what must never come."""

_REPEATS: Final = 20
"""So often the same step counts as progress: a client may be refused without end."""

_MOST_REQUESTS: Final = 3000
"""A client that sends more in a conversation spins."""


def faults(state: BrokerState) -> list[str]:
    """Say what is wrong with requests, but for what every release of Kafka overlooks."""
    return [f"{fault.what}: {fault.detail}" for fault in state.notes.faults if not fault.is_overlooked]


def hold(driver: Driver, conversation: Conversation) -> RequestsSeen:
    """Have a client take part in a conversation, and return what it did.

    Raises:
        TargetLostError: the client was lost, but not after the end, when it was stopped.
    """
    with cluster(conversation) as (broker, server):
        places = [(TOPIC, conversation.fetch_offset), (PULSE, 0)]
        driver.assign(broker.address, conversation.isolation, places, conversation.settings)
        seen = server.seen
        _poll(driver, conversation, server)
        seen.got = _all_got(driver)
        seen.faults = faults(broker.state)
        seen.at_close = len(seen.requests)
        try:
            driver.stop()
        except TargetLostError as lost:
            seen.ending = lost.detail
        _await_close(conversation, seen)
    return seen


def _await_close(conversation: Conversation, seen: RequestsSeen) -> None:
    """Wait for the requests of a close that may still be on their way, while there is hope."""
    given_up = monotonic() + _CLOSING
    while missing_at_close(conversation, seen) is not None and monotonic() < given_up:
        sleep(_MOMENT)


@contextmanager
def cluster(conversation: Conversation) -> Iterator[tuple[Broker, ConversationServer]]:
    """Run the brokers of a conversation in a block; yield them, and what follows its steps."""
    log = conversation.vector.data
    end = end_offset(log)
    topic = Topic(TOPIC, log, conversation.first_offset, end, conversation.aborted, is_strict=True)
    topic.followers = tuple(conversation.broker.get("followers", ()))
    topic.leader_epoch = conversation.broker.get("leader_epoch", 0)
    topic.last_stable_offset = conversation.broker.get("last_stable_offset")
    with running(Topics([topic, Topic(PULSE)]), _settings(conversation)) as broker:
        if "committed" in conversation.broker:
            broker.state.groups.commit(conversation.settings["group"], TOPIC, *conversation.broker["committed"])
        if "assign" in conversation.broker:
            broker.state.members.target = frozenset(conversation.broker["assign"])
        broker.state.members.standby = frozenset(conversation.broker.get("standby", ()))
        broker.state.members.warmup = frozenset(conversation.broker.get("warmup", ()))
        if "taken" in conversation.broker:
            group, taken = conversation.settings["group"], conversation.broker["taken"]
            broker.state.shares.give_other(group, topic.topic_id, taken)
        broker.state.meddler = server = ConversationServer(conversation, topic)
        yield broker, server


def _settings(conversation: Conversation) -> BrokerSettings:
    special = conversation.broker
    return BrokerSettings(
        versions=ranges(chosen=conversation.versions),
        has_sessions=special.get("sessions", False),
        nodes=special.get("nodes", 1),
        checks_producers=conversation.client == PRODUCER,
        session_ms=special.get("session_ms"),
        features=special.get("features", {}),
        falls_back_silently=special.get("empty_fallback", False),
        has_topic_ids=not special.get("no_topic_ids", False),
    )


def _all_got(driver: Driver) -> Got:
    """Return what the application got of the topic, with errors that name none."""
    texts = [text for name, got in driver.got.items() if name != TOPIC for text in got.errors]
    mine = driver.got[TOPIC]
    return Got(mine.records, [*mine.errors, *texts], mine.hung, mine.position)


def _poll(driver: Driver, conversation: Conversation, server: ConversationServer) -> None:
    """Poll until the conversation is over, or the client stands still."""
    watch = _Watch(conversation, server.seen)
    while True:
        if deed := server.next_deed():
            driver.do(deed)
        driver.poll()
        server.seen.got, server.seen.events = _all_got(driver), tuple(driver.events)
        if server.seen.got.hung:
            raise driver.end_as_lost(Outcome.HUNG, server.seen.got.hung)
        if watch.is_over(has_arrived=_has_arrived(conversation, server)):
            return


class _Watch:
    """Watches if a client gets anywhere, poll after poll."""

    def __init__(self, conversation: Conversation, seen: RequestsSeen) -> None:
        self._patience = conversation.patience
        self._steps = conversation.steps
        self._course = seen
        forbids = conversation.untold or any(step.never for step in conversation.steps)
        self._last_polls = _POLLS_WITHOUT if forbids else _LAST_POLLS
        self._arrived = 0
        self._state: tuple[object, ...] = ()
        self._changed = _Since()
        self._sent = _Since()
        self._fetched = _Since()

    def is_over(self, *, has_arrived: bool) -> bool:
        """Look once more; True if there is nothing to wait for."""
        seen = self._course
        told = (len(seen.got.records), len(seen.got.errors) > 0, len(seen.events))
        state = (self._progress(), seen.position, *told)
        self._arrived = self._arrived + 1 if has_arrived and state == self._state else 0
        asked = len(seen.requests)
        self._state = state
        self._changed.look(state, asked)
        self._sent.look(asked, asked)
        self._fetched.look(sum(request.is_about for request in seen.requests), asked)
        if self._arrived >= self._last_polls:
            return True
        seen.stop_reason = self._standstill(asked)
        return bool(seen.stop_reason)

    def _progress(self) -> int:
        """Return how many steps were played; one that is refused for ever gets nobody further."""
        times = Counter(played.step for played in self._course.steps)
        return sum(min(count, 1 if self._steps[number].until else _REPEATS) for number, count in times.items())

    def _standstill(self, asked: int) -> str:
        if asked > _MOST_REQUESTS:
            return f"sent {asked} requests, and got nowhere"
        if self._sent.is_long(max(_SILENCE, self._patience), _SILENT_POLLS):
            return f"sent nothing for {_SILENCE:g} s"
        if self._course.got.errors and self._fetched.is_long(_AFTER_AN_ERROR, _SILENT_POLLS // 4):
            return "fetched no more"
        if self._changed.is_long(self._patience, 0) and asked - self._changed.asked >= _BEATS:
            return "stood still"
        return ""


class _Since:
    """Since when something is as it is: in seconds, polls, and requests that had come by then."""

    def __init__(self) -> None:
        self.asked = 0
        self._what: object = None
        self._at, self._polls = monotonic(), 0

    def look(self, what: object, asked: int) -> None:
        self._polls += 1
        if what != self._what:
            self._what, self._at, self._polls, self.asked = what, monotonic(), 0, asked

    def is_long(self, seconds: float, polls: int) -> bool:
        return self._polls >= polls and monotonic() - self._at > seconds


def _has_arrived(conversation: Conversation, server: ConversationServer) -> bool:
    """Tell whether the client did what it must, as far as a poll can see."""
    seen = server.seen
    if conversation.broker.get("sessions") and seen.fetches() and seen.has_no_session:
        return True  # there is nothing to see
    if conversation.telling is Telling.MUST and not seen.got.errors:
        return False
    if conversation.telling is Telling.MUST and conversation.position is None:
        return True
    return (
        server.is_over
        and conversation.position in {None, seen.position}
        and len(seen.got.records) >= len(conversation.records)
        and has_asked(conversation, seen)
        and _fetched_since(seen)
    )


def _fetched_since(seen: RequestsSeen) -> bool:
    """Tell whether the client fetched the topic behind the last step."""
    return not seen.steps or bool(seen.fetches(seen.steps[-1].request_count))
