"""Vectors put to a consumer by the thousand: a topic each, all in one client, served by one broker.

A round assigns many topics. The broker serves each one's bytes once, a few topics in an answer, and sees what the
client asks for next; the application says what it got. A topic is done when the client fetched it again or its
application was told an error. A client that dies, or stops fetching, is started anew: topics whose bytes it had and
was not done with are suspect, and are served one at a time; who is alone with it then has done it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count
from time import monotonic
from typing import Final

from kafka_format.records import Record

from kafka_conformance.broker import Settings, Topic, running
from kafka_conformance.child.session import Exchange, Loss
from kafka_conformance.consumers.driver import Driver, Got
from kafka_conformance.consumers.views import View
from kafka_conformance.errors import GaveUpError, TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status, partial_reply

ROUND: Final = 500
"""Topics that are assigned at once."""

QUIET_SECONDS: Final = 3.0
QUIET_POLLS: Final = 20
"""A client that asks and says nothing for so long, and for so many polls, has stopped."""

_HASTE: Final = 3
"""With many topics, it is suspected of that so many times sooner: they are all put again."""

_LAST_POLLS: Final = 2
"""Polls in which nothing may come before a round is over: records may wait in the client."""

GIVE_UP: Final = 8
"""Starts in a row after which nothing was done."""

_MANY: Final = 16
"""Topics whose bytes one fetch answer has."""

_NO_TOPIC: Final = "?"
"""The topic of an error that names none. It is told of the one that is served alone."""


@dataclass(slots=True)
class _Play:
    """A topic of a round.

    Attributes:
        index: which question it is.
        view: the question.
        topic: its topic.
        is_settled: True once it was done and the application had got all that waited in the client.
    """

    index: int
    view: View
    topic: Topic
    is_settled: bool = False

    def is_done(self, got: Got) -> bool:
        return bool(self.topic.fetched_after or got.errors)


class ConsumerSession:
    """A consumer that is started again when it dies, and its broker.

    Attributes:
        notes: what happened besides the replies, in words.
        unsteady: always empty; that a consumer dies of many topics and of none alone is told of the topics.
    """

    def __init__(self, start: Callable[[], Driver]) -> None:
        """Start the broker and the driver.

        Raises:
            TargetLostError: the driver does not come up.
        """
        self._start = start
        self._stack = ExitStack()
        self._driver = start()
        self._fresh = True
        self._starts = 0
        self._numbers = count(1)
        settings = Settings(topics_per_fetch=_MANY, most_connections=4 * ROUND)
        self._broker = self._stack.enter_context(running(settings=settings))
        self.notes: list[str] = []
        self.unsteady = ""

    @property
    def hello(self) -> Hello:
        """What the target declares."""
        return self._driver.hello

    def ask(self, questions: Sequence[View]) -> Iterator[Exchange]:
        """Serve views, those of one isolation level together, and yield a word on each, in any order.

        Raises:
            GaveUpError: the target was lost too often in a row, or does not come up again.
            StoppedError: the run was interrupted.
        """
        for isolation in dict.fromkeys(view.isolation for view in questions):
            waiting = [index for index, view in enumerate(questions) if view.isolation == isolation]
            while waiting:
                left = yield from self._round(questions, waiting[:ROUND], _MANY)
                waiting = left + waiting[ROUND:]

    def ask_afresh(self, questions: Sequence[View]) -> Iterator[Exchange]:
        """Serve each view to a process that has seen no other, and yield a word on each, in order.

        Raises:
            GaveUpError: the target does not come up again.
            StoppedError: the run was interrupted.
        """
        for index in range(len(questions)):
            self._starts = 0
            if not self._fresh:
                self._restart()
            yield from self._round(questions, [index], 1)

    def close(self) -> None:
        """End the target and the broker; its last complaints join the notes."""
        self.notes += [f"the driver {complaint}" for complaint in self._driver.close()]
        self._stack.close()

    def _round(
        self, questions: Sequence[View], indexes: list[int], at_once: int
    ) -> Generator[Exchange, None, list[int]]:
        """Serve some views; return those that were not put."""
        began = monotonic()
        plays = [self._play(index, questions[index]) for index in indexes]
        self._broker.state.settings = replace(self._broker.state.settings, topics_per_fetch=at_once)
        lost = self._serve(plays)
        got = self._driver.got
        done = [play for play in plays if play.is_settled]
        for play in plays:
            self._broker.state.topics.remove(play.topic.name)
        yield from (_word(play, got[play.topic.name], (monotonic() - began) / len(plays)) for play in done)
        self._starts = 0 if done else self._starts
        if lost is None:
            return []
        self._restart()
        suspects = [play.index for play in plays if play.topic.served and not play.is_done(got[play.topic.name])]
        rest = [play.index for play in plays if not play.is_settled and play.index not in suspects]
        if len(plays) == 1 or (len(suspects) == 1 and not got[_NO_TOPIC].errors):
            yield Exchange((suspects or rest)[0], Loss(lost.outcome, lost.detail), monotonic() - began)
            self._starts = 0
            return rest if suspects else []
        if suspects and at_once > 1:
            return (yield from self._one_at_a_time(questions, suspects)) + rest
        if suspects or not done:  # few of them, or nothing was fetched at all
            halves = [suspects[:1], suspects[1:]] if suspects else [rest[: len(rest) // 2], rest[len(rest) // 2 :]]
            rest = rest if suspects else []
            for half in filter(None, halves):
                rest += yield from self._round(questions, half, 1)
        return rest

    def _one_at_a_time(self, questions: Sequence[View], waiting: list[int]) -> Generator[Exchange, None, list[int]]:
        """Serve one topic an answer, until the client stands what is left; return what was not put."""
        while waiting:
            before = len(waiting)
            waiting = yield from self._round(questions, waiting, 1)
            if len(waiting) == before:
                return waiting
        return waiting

    def _serve(self, plays: Sequence[_Play]) -> TargetLostError | None:
        """Assign topics and poll until all are done; return how the target was lost, if it was."""
        self._fresh = False
        names = [(play.topic.name, play.view.fetch_offset) for play in plays]
        try:
            self._driver.assign(self._broker.address, plays[0].view.isolation, names)
            self._poll(plays)
            self._driver.stop()
        except TargetLostError as lost:
            return lost
        return None

    def _poll(self, plays: Sequence[_Play]) -> None:
        got, quiet, since, before = self._driver.got, 0, monotonic(), (-1, -1, -1)
        while True:
            done = [play for play in plays if play.is_done(got[play.topic.name])]
            self._driver.poll()
            if len(plays) == 1:
                got[plays[0].topic.name].errors += got.pop(_NO_TOPIC, Got()).errors
            open_plays = [play for play in plays if not play.is_done(got[play.topic.name])]
            served = sum(play.topic.served is not None for play in plays)
            seen = (len(open_plays), served, sum(len(one.records) for one in list(got.values())))
            if seen != before:
                before, quiet, since = seen, 0, monotonic()
                continue
            for play in done:
                play.is_settled = True
            quiet += 1
            if not open_plays and quiet >= _LAST_POLLS:
                return
            haste = 1 if len(plays) == 1 else _HASTE
            if quiet * haste >= QUIET_POLLS and (monotonic() - since) * haste > QUIET_SECONDS:
                raise self._driver.lost(Outcome.HUNG, _stopped(open_plays))

    def _play(self, index: int, view: View) -> _Play:
        topic = view.topic(f"t{next(self._numbers)}")
        self._broker.state.topics.put(topic)
        return _Play(index, view, topic)

    def _restart(self) -> None:
        self._starts += 1
        if self._starts > GIVE_UP:
            raise GaveUpError(f"given up after {GIVE_UP} starts without a single reply")
        self._driver.close()
        try:
            self._driver = self._start()
        except TargetLostError as lost:
            raise GaveUpError(f"it did not come up again: it {lost.detail}") from None
        self._fresh = True


def _stopped(plays: Sequence[_Play]) -> str:
    """Say what a client does not do that has stopped."""
    served = [play for play in plays if play.topic.served]
    what = "fetched no more, told no error" if served else "never fetched"
    return f"{what}, and gave its application nothing for {QUIET_SECONDS:g} s"


def _word(play: _Play, got: Got, seconds: float) -> Exchange:
    """Make of what was seen and said a reply, as if a decoder had given it."""
    offsets, start = play.topic.next_offsets, play.view.fetch_offset
    after = offsets[-1] if offsets else None
    moved = after is not None and after != start
    if got.errors:
        text = f"{got.errors[0]}; it {_goes_on(after, start)}"
        return Exchange(play.index, _refused(got.records, text), seconds, after)
    reached = after in play.view.next_offsets or (moved and not play.view.records)
    if got.records or reached or moved:
        return Exchange(play.index, _answer(play, got.records, after), seconds, after)
    return Exchange(play.index, _refused([], "told no error, and asks for the same offset again"), seconds, after)


def _goes_on(after: int | None, start: int) -> str:
    if after is None:
        return "fetches no more"
    return "asks for the same offset again" if after == start else f"goes on at {after}"


def _answer(play: _Play, records: Sequence[Record], after: int | None) -> Reply:
    """Make an answer; of bytes that break a rule, no more than what came before it is as good as an error."""
    due = play.view.records
    stays = after is not None and (after in play.view.next_offsets or after == play.view.fetch_offset)
    if play.view.vector.fault is not None and stays and len(records) <= len(due):
        return _refused(records, f"told no error, and asks for {after} again")
    return Reply(Status.ANSWER, answers.to_bytes(records))


def _refused(records: Sequence[Record], text: str) -> Reply:
    if records:
        return partial_reply(answers.to_bytes(records), text.encode())
    return Reply(Status.REFUSED, text.encode())
