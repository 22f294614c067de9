"""A topic of a round: the vector that it serves, what came of it so far, and the reaction to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from kafka_format.records import Record
from kafka_tools.server import Topic

from kafka_conformance.child.session import Loss, Reaction
from kafka_conformance.kinds.consumer.driver import Got
from kafka_conformance.kinds.consumer.questions import View
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.messages import Reply, Status, partial_reply

_SAME_OFFSETS: Final = 3
"""A client that asks so often for the offset where it began does not go on."""


@dataclass(frozen=True, slots=True)
class DeliveryReaction(Reaction):
    """What came of a vector that was served.

    Attributes:
        next_offset: where the consumer goes on; None if it does not fetch again.
    """

    next_offset: int | None = None


@dataclass(slots=True)
class ServedTopic:
    """A topic of a round.

    Attributes:
        index: which question it is.
        view: the question.
        topic: its topic.
        got: what the application got of it.
        quiet: polls since it was done that brought no news of it.
        beside: an error that names no topic, and came right after this one's bytes.
        since: when the client last asked for it, and how often it had asked for other topics by
            then.
    """

    index: int
    view: View
    topic: Topic
    got: Got = field(default_factory=Got)
    quiet: int = 0
    beside: str = ""
    since: tuple[float, int] = (0.0, 0)
    _seen_errors: list[str] = field(default_factory=list)
    _seen: tuple[int, int, bool] = (-1, -1, False)

    @property
    def is_done(self) -> bool:
        """True once the client asked for what comes next, or gave its application an error.

        To ask for the same offset once more is not enough: a client may send its next fetch before
        it has looked at the answer.
        """
        offsets = self.topic.next_offsets
        has_asked = any(offset != self.view.fetch_offset for offset in offsets) or len(offsets) >= _SAME_OFFSETS
        return bool(has_asked or self.got.errors or self.got.hung)

    def look(self, now: float, pulse: int, *, is_drained: bool) -> None:
        """Take note of what is new after a poll.

        Args:
            now: the time, in seconds.
            pulse: how often the client asked for the topic that is always there.
            is_drained: True if the poll left nothing in the client.
        """
        seen = (self.topic.fetch_count, len(self.got.records), bool(self.got.errors))
        if seen[0] != self._seen[0]:
            self.since = (now, pulse)
        is_quiet = self.is_done and is_drained and seen[1:] == self._seen[1:]
        self.quiet = self.quiet + 1 if is_quiet else 0
        self._seen = seen

    def strays(self) -> list[str]:
        """Return errors that cannot be about its bytes: from before they came, or long after."""
        known = self._seen_errors
        self._seen_errors = list(self.got.errors)
        if self.topic.first_fetch and not (self.quiet and not known):
            return []
        return [text for text in self.got.errors if text not in known]

    def reaction(self, seconds: float) -> DeliveryReaction:
        """Make of what was seen and said a reply, as if a decoder had given it."""
        if self.got.hung:
            reason = f" after {self.got.errors[0]}" if self.got.errors else ""
            return DeliveryReaction(self.index, Loss(Outcome.HUNG, self.got.hung + reason), seconds)
        offsets, start = self.topic.next_offsets, self.view.fetch_offset
        after = offsets[-1] if offsets else None
        moved = after is not None and after != start
        records = self.got.records
        # Of bytes that are right, an error that names no topic does not count: where the client
        # goes on shows all.
        errors = self.got.errors or ([self.beside] if self.beside and self.view.vector.fault is not None else [])
        if errors:
            text = f"{errors[0]}; it {_goes_on(after, start)}"
            return DeliveryReaction(self.index, _refusal(records, text), seconds, next_offset=after)
        reached = after in self.view.next_offsets or (moved and not self.view.records)
        if records or reached or moved:
            return DeliveryReaction(self.index, self._answer(after), seconds, next_offset=after)
        text = f"{self.beside}; it" if self.beside else "reported no error, and"
        return DeliveryReaction(
            self.index, _refusal([], f"{text} {_goes_on(after, start)}"), seconds, next_offset=after
        )

    def _answer(self, after: int | None) -> Reply:
        """Make an answer.

        For bytes that break a rule, nothing beyond what came before counts as an error. So does,
        for bytes that are right, to ask again for records that did not come: some clients give
        first what is before an error, and meet the error in the next answer, which is empty here.
        """
        view, records = self.view, self.got.records
        stays = after is not None and (after in view.next_offsets or after == view.fetch_offset)
        if view.vector.fault is not None and stays and len(records) <= len(view.records):
            return _refusal(records, f"reported no error, and asks for {after} again")
        if view.vector.fault is None and after is not None and self._asks_for_the_rest(after):
            return _refusal(records, f"reported no error, and asks for {after}, from where records did not come")
        return Reply(Status.ANSWER, answers.to_bytes(records))

    def _asks_for_the_rest(self, after: int) -> bool:
        """Tell whether the first records came, and an offset is before all others."""
        came = [record.offset for record in self.got.records]
        due = [record.offset for record in self.view.records]
        rest = due[len(came) :]
        return bool(rest) and came == due[: len(came)] and after <= min(rest)


def _goes_on(after: int | None, start: int) -> str:
    if after is None:
        return "fetches no more"
    return "asks for the same offset again" if after == start else f"goes on at {after}"


def _refusal(records: Sequence[Record], text: str) -> Reply:
    if records:
        return partial_reply(answers.to_bytes(records), text.encode())
    return Reply(Status.REFUSED, text.encode())
