"""What a target did with the answer to a fetch, held against what a wrong consumer does with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from kafka_format.errors import Stage
from kafka_format.records import Record

from kafka_conformance.diagnosis.groups import FindingGroup
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.consumer.driver import Got
from kafka_conformance.kinds.consumer.fetched import Fetched, FetchedEntry, fetched
from kafka_conformance.kinds.consumer.judge import judge_delivery
from kafka_conformance.kinds.consumer.questions import View, view
from kafka_conformance.kinds.consumer.served_topic import ServedTopic
from kafka_conformance.kinds.consumer.wrong_consumers import Consumed, Way
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.vectors import directions, json_answers
from kafka_conformance.vectors.vector import Subject, Vector, Verdict

_LARGEST: Final = 1 << 16
"""Bytes of a vector that is looked at: the smaller ones show the same."""

_TWICE: Final = 3
"""So often a client asks for the offset where it began, if it does not go on."""

_LOOKED_AT: Final = (Outcome.PASSED, Outcome.WRONG_ANSWER, Outcome.REFUSED_VALID, Outcome.PARTIAL_ANSWER)
_ENDED: Final = (*_LOOKED_AT, Outcome.ACCEPTED_INVALID, Outcome.HUNG)
_POSITIONS: Final = ("next_offset", "position")
_NEXT: Final = ".next.offset"
"""How the path ends of a fetch in a conversation that is at the wrong offset."""

_ABOUT_ANSWERS: Final = ("progress", "transactions")
"""Conversations that are about what is in answers."""

_OF_CONSUMERS: Final = "deliver/"
"""How the ids begin of vectors that only consumers are served."""

_POSITION: Final = FindingGroup("consumer/position-wrong", "goes on at wrong offsets after an answer")
_ORDER: Final = FindingGroup("consumer/order-wrong", "delivers records in another order than that of their offsets")
_REPEATS: Final = FindingGroup("consumer/repeats", "delivers records more than once")
_ABORTED: Final = FindingGroup("consumer/aborted-some-delivered", "delivers some records of aborted transactions")
_DAMAGED: Final = FindingGroup("consumer/damage-passed-over", "passes over what is damaged, and tells no error")
_UNCHECKED: Final = FindingGroup("consumer/checksum-unchecked", "gives records whose checksum is wrong: it checks none")
_MARKERS: Final = FindingGroup("consumer/some-markers-delivered", "delivers some markers of transactions as messages")
_BEFORE: Final = FindingGroup(
    "consumer/some-before-fetch-offset", "delivers some records that are before the offset that it asked for"
)


class ConsumerAnswer(NamedTuple):
    """A vector that was served to a target, and what came of it.

    Attributes:
        answer: what is in the bytes.
        result: what came of it.
        hello: what the target declares.
        is_conversation: True if it was served in a conversation, in parts.
    """

    answer: Fetched
    result: Result
    hello: Hello
    is_conversation: bool

    def is_damaged(self, offset: int) -> bool:
        """Tell whether an offset is one of an entry that breaks a rule."""
        return any(entry.error is not None and entry.first <= offset <= entry.last for entry in self.answer.entries)

    def takes_wrong_checksum(self, came: Sequence[int]) -> bool:
        """Tell whether records came that only a checksum shows to be damaged."""
        wrong = [entry for entry in self.answer.entries if entry.error is not None]
        unchecked = [entry for entry in wrong if entry.error and entry.error.stage is Stage.CHECKSUM]
        return bool(wrong) and wrong == unchecked and any(map(self.is_damaged, came))


def read(vector: Vector, result: Result, hello: Hello) -> ConsumerAnswer | None:
    """Return what came of a vector with what is in it; None if that tells nothing."""
    if len(vector.data) > _LARGEST or vector.is_large or result.outcome not in _ENDED:
        return None
    seen = _conversation(vector) if vector.subject is Subject.CONVERSATION else view(vector)
    if seen is None or not seen.vector.data:
        return None
    return ConsumerAnswer(_fetched(seen), result, hello, vector.subject is Subject.CONVERSATION)


_cached: dict[str, Fetched] = {}


def _fetched(seen: View) -> Fetched:
    if (kept := _cached.get(seen.vector.id)) is None or kept.view.vector.data != seen.vector.data:
        kept = _cached[seen.vector.id] = fetched(seen)
    return kept


def _conversation(vector: Vector) -> View | None:
    """Return the log of a conversation as if it came in one answer, as it is at the end.

    None if it is not read so.
    """
    document = vector.document
    expected = document["expect"]
    position = expected.get("position")
    if position is None:
        return None
    records = tuple(json_answers.from_json(expected["records"]))
    steps = document.get("steps", ())
    log = next((step["change"]["log"] for step in reversed(steps) if "log" in step.get("change", {})), None)
    said = [pair for step in steps for pair in step.get("partition", {}).get("aborted_transactions") or ()]
    aborted = directions.aborted_transactions(document) or tuple(dict.fromkeys((int(a), int(b)) for a, b in said))
    isolation, offset = document["isolation"], int(document["fetch_offset"])
    at_the_end = vector if log is None else replace(vector, data=bytes.fromhex(log))
    return View(at_the_end, offset, isolation, aborted, records, frozenset({int(position)}))


def is_explained(asked: ConsumerAnswer, way: Way) -> bool | None:
    """Tell whether a wrong consumer does what the target did; None if it would do what is right."""
    consumed = way(asked.answer)
    right = [record for group in asked.answer.right for record in group]
    if consumed is None:
        return None
    if consumed == Consumed(right, asked.answer.next_offset):
        return None
    if asked.is_conversation:
        return _explains_talk(asked, consumed, right)
    if asked.answer.is_sound and _offsets(consumed.records) != _offsets(asked.result.answer or ()):
        return False  # most of what is compared: without a look at the rest
    said = _judged(asked, consumed)
    return None if not said.is_finding else _manner(said) == _manner(asked.result)


def _judged(asked: ConsumerAnswer, consumed: Consumed) -> Result:
    """Return what comes of a vector that is read so, as of a client that was served."""
    seen = asked.answer.view
    got = Got(list(consumed.records), ["an error"] * consumed.is_error)
    served = ServedTopic(0, seen, seen.topic("t"), got)
    stays = consumed.next_offset == seen.fetch_offset
    served.topic.next_offsets += [consumed.next_offset] * (_TWICE if stays else 1)
    return judge_delivery(seen, asked.hello, "", served.reaction(0.0))


def _manner(result: Result) -> tuple[object, ...]:
    """Return what tells two answers apart: how it failed, which records came, and where it went."""
    offsets = tuple(record.offset for record in result.answer or ())
    where = result.got if result.path in _POSITIONS else ""
    return result.outcome, offsets, where


def _explains_talk(asked: ConsumerAnswer, consumed: Consumed, right: list[Record]) -> bool | None:
    """Tell whether records or the end of a conversation are those of a wrong consumer.

    The log comes in parts there, so only what does not hang on that is compared. A conversation
    that went well tells nothing.
    """
    result = asked.result
    if not result.is_finding:
        return None
    due, said, came = (_offsets(records) for records in (right, consumed.records, result.answer or ()))
    if due and not said:
        return not came and result.path == "records"  # it got to the end
    if said != due:
        return came == said or _is_more(came, said, due) or _is_less(came, said, due)
    if result.outcome is Outcome.HUNG:
        return came == due and consumed.next_offset < asked.answer.next_offset
    step = _step(result)
    return step is not None and step == consumed.next_offset - asked.answer.next_offset


def _is_more(came: Sequence[int], said: Sequence[int], due: Sequence[int]) -> bool:
    """Tell whether more came than is due, and nothing but what a wrong consumer gives.

    The rest of the log may not have come, where a conversation ended early.
    """
    more = set(came) - set(due)
    return bool(more) and set(came) <= set(said)


def _is_less(came: Sequence[int], said: Sequence[int], due: Sequence[int]) -> bool:
    """Tell whether what came lacks what a wrong consumer loses, and no more, up to its end."""
    if not came or not set(came) < set(due):
        return False
    until = max(came)
    return came != [offset for offset in due if offset <= until] and came == [each for each in said if each <= until]


def _step(result: Result) -> int | None:
    """Return how far a position is from the right one; None if it is not about that."""
    if result.path not in _POSITIONS and not result.path.endswith(_NEXT):
        return None
    try:
        return int(result.got) - int(result.expected)
    except ValueError:
        return None


def steps(wrong: Iterable[ConsumerAnswer]) -> list[int]:
    """Return how far positions are from the right ones, if mostly as far, and by more than one."""
    found = Counter(step for answer in wrong if (step := _step(answer.result)) is not None)
    return [step for step, _ in found.most_common(1) if abs(step) > 1]


def lost_records(wrong: Iterable[ConsumerAnswer]) -> tuple[list[Record], list[int]]:
    """Return the records that did not come, and how many came of each answer that lacks some."""
    lost: list[Record] = []
    kept: list[int] = []
    for answer in wrong:
        if answer.answer.is_sound and not answer.is_conversation:
            came = {record.offset for record in answer.result.answer or ()}
            missing = [record for group in answer.answer.right for record in group if record.offset not in came]
            lost += missing
            kept += [len(came)] * bool(missing)
    return lost, kept


def tells_alone(asked: ConsumerAnswer) -> bool:
    """Tell whether an answer says by itself which wrong consumer it is.

    Most conversations are about something else, and end early for many reasons.
    """
    return not asked.is_conversation or any(f"/{name}/" in asked.result.vector for name in _ABOUT_ANSWERS)


def sort_of(asked: ConsumerAnswer) -> FindingGroup | None:
    """Return what sort of finding one is: about the position, the order, or repeats; else None."""
    if asked.result.path in _POSITIONS:
        return _POSITION
    due = _offsets(record for group in asked.answer.right for record in group)
    came = _offsets(asked.result.answer or ())
    if asked.is_conversation:
        return None
    if asked.answer.view.vector.verdict is not Verdict.VALID:
        return _sort_of_taken(asked, came)
    if came == due:
        return None
    if set(came) != set(due):
        return _sort_of_more(asked, set(due)) if set(came) > set(due) else None
    return _ORDER if len(came) == len(due) else _REPEATS if len(came) > len(due) else None


def _sort_of_taken(asked: ConsumerAnswer, came: Sequence[int]) -> FindingGroup | None:
    """Return what bytes are that break a rule and were taken, but for what decoders take, too."""
    if asked.result.outcome not in {Outcome.ACCEPTED_INVALID, Outcome.WRONG_ANSWER}:
        return None
    if asked.result.vector.startswith(_OF_CONSUMERS) and asked.takes_wrong_checksum(came):
        return _UNCHECKED
    return None if any(map(asked.is_damaged, came)) else _DAMAGED


def _sort_of_more(asked: ConsumerAnswer, due: set[int]) -> FindingGroup | None:
    """Return what records are that came beside those that are due."""
    more = [record for record in asked.result.answer or () if record.offset not in due]
    entries = [_entry_of(asked, record) for record in more]
    if None in entries:
        return None
    found = [entry for entry in entries if entry is not None]
    if all(entry.is_control for entry in found):
        return _MARKERS
    if all(entry.is_aborted for entry in found):
        return _ABORTED
    return _BEFORE if all(record.offset < asked.answer.view.fetch_offset for record in more) else None


def _entry_of(asked: ConsumerAnswer, record: Record) -> FetchedEntry | None:
    """Return the entry that a record is of; None if it is of none."""
    alike = (
        entry
        for entry in asked.answer.entries
        for own in entry.records
        if (own.offset, own.key, own.value) == (record.offset, record.key, record.value)
    )
    return next(alike, None)


def _offsets(records: Iterable[Record]) -> list[int]:
    return [record.offset for record in records]
