"""Judging of a producer: its requests, its batches, and the records that they have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Record
from kafka_tools.text import plural

from kafka_conformance.child.session import Loss
from kafka_conformance.judging import encoded_fields, miswritten
from kafka_conformance.judging.difference import Difference, first_difference
from kafka_conformance.judging.result import Result, produced
from kafka_conformance.kinds.producer import verdict
from kafka_conformance.kinds.producer.questions import Order
from kafka_conformance.kinds.producer.sending import Sending
from kafka_conformance.kinds.producer.session import OrderReaction
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import CODECS, Direction, Hello
from kafka_conformance.protocol.messages import EncodeInput


def judge_sending(order: Order, hello: Hello, target: str, reaction: OrderReaction) -> Result:
    """Compare what a producer sent with its order.

    Bytes that break a rule count for most; then the format, the records, the batches around them,
    and the requests around those. A producer that is always idempotent need not be asked to be.
    """
    order = replace(order, idempotent=True) if "always_idempotent" in (hello.settings or ()) else order
    blank = Result(order.vector.id, target, Outcome.PASSED, Direction.ENCODE, seconds=reaction.seconds)
    if isinstance(reaction.reply, Loss):
        return replace(blank, outcome=reaction.reply.outcome, detail=reaction.reply.detail)
    sending = reaction.sending
    wrong = _first_wrong(order, sending)
    if wrong is not None:
        place = ("" if wrong.request is None else produced(wrong.request)) + wrong.path
        detail = f"{place or 'the bytes'}: {wrong.got}, not {wrong.expected} ({wrong.why})"
        result = blank.differing(Outcome.WRONG_ANSWER, wrong, detail)
        return replace(result, answer=_answer(order, sending), miswritten=_miswritten(order, sending))
    complaints = [*sending.failures, *sending.faults]
    if complaints:
        sent = "sent all, and" if sending.produced_records else "sent nothing, and"
        return replace(blank, outcome=Outcome.REFUSED_VALID, detail=f"{sent} reported: {complaints[0]}")
    return replace(blank, detail=_requests_text(sending), answer=_answer(order, sending))


def _answer(order: Order, sending: Sending) -> tuple[Record, ...] | None:
    """Return the records that were sent, as an application knows them; None if a rule is broken."""
    if verdict.format_error(sending):
        return None
    return tuple(verdict.as_chosen(verdict.sent_records(sending), order.vector.records()))


def _miswritten(order: Order, sending: Sending) -> str:
    """Say which one field of batches is wrong; empty if they keep all rules, or it is not one."""
    broken = next((request.records for request in sending.produced_records if not _is_readable(request.records)), b"")
    due = order.vector.records()

    def is_right(data: bytes) -> bool:
        got = records.decode(data) if _is_readable(data) else []
        runs = (due[first : first + len(got)] for first in range(len(due)) if got)
        return any([*verdict.as_chosen(got, run)] == run for run in runs if len(run) == len(got))

    return miswritten.what(broken, is_right, is_right)


def _is_readable(data: bytes) -> bool:
    try:
        records.decode(data)
    except FormatError:
        return False
    return True


def _first_wrong(order: Order, sending: Sending) -> Difference | None:
    """Return the first thing that is wrong with what was sent; None if nothing is, or came."""
    if unlike := next(_of_brokers(sending), None):
        return unlike
    if error := verdict.format_error(sending):
        return Difference(error.path_text, "bytes that keep the rules", str(error), error.rule)
    got = verdict.sent_records(sending)
    if not got and (sending.failures or sending.faults):
        return None
    return next(_all_wrong(order, sending, got), None)


def _of_brokers(sending: Sending) -> Iterator[Difference]:
    with suppress(FormatError):  # is told of the records
        yield from verdict.of_brokers(sending)


def _requests_text(sending: Sending) -> str:
    versions = sorted({request.version for request in sending.produced_records})
    return f"{plural(len(sending.produced_records), 'request')}, Produce {', '.join(map(str, versions))}"


def _all_wrong(order: Order, sending: Sending, got: list[Record]) -> Iterator[Difference]:
    yield from verdict.of_formats(order, sending)
    yield from verdict.of_repeats(order, sending)
    difference = first_difference(order.vector.records(), got, verdict.CHOSEN)
    if difference is not None:
        yield difference._replace(why="what was asked for")
    yield from verdict.of_batches(order, sending)
    yield from _fields(sending)
    yield from verdict.of_requests(order, sending)


def _fields(sending: Sending) -> Iterator[Difference]:
    """Yield fields that no record shows and that differ from the reference's."""
    for batch in verdict.batches(sending):
        data = verdict.with_offset(batch)
        asked = records.decode(data)
        if not asked:
            continue
        codec = asked[0].codec
        wanted = EncodeInput(batch.magic, codec, answers.to_bytes(asked))
        unlike = encoded_fields.difference(wanted, data)
        if unlike is not None:
            path, why = f"{batch.place}.{unlike.path}", f"encoding, {CODECS[codec]}"
            yield unlike._replace(path=path, why=why, request=batch.request)
