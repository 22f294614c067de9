"""One vector in one Produce request: how it is asked for, and what the responses say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from kafka_conformance.child.session import Loss
from kafka_conformance.kinds.broker import requests
from kafka_conformance.kinds.broker.connection import Call
from kafka_conformance.kinds.broker.partitions import Partition
from kafka_conformance.kinds.broker.questions import Question
from kafka_conformance.kinds.broker.replies import Append, AppendReaction, FetchReply
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Reply, Status


class ProduceRequest(NamedTuple):
    """One Produce request: of which question, in which version, to where."""

    question: int
    version: int
    partition: Partition
    is_repeated: bool


def produce(questions: Sequence[Question], put: ProduceRequest) -> Call:
    """Return the request that sends a vector."""
    question, partition = questions[put.question], put.partition
    return requests.produce(put.version, partition.topic.name, partition.topic.id, partition.number, question.data)


def read_append(put: ProduceRequest, magic: int, answer: Any) -> Append:
    """Return what a response to Produce says; `magic` is that of entries in the topic."""
    append = Append(put.version, magic, put.partition.leader_epoch, put.is_repeated)
    if isinstance(answer, Loss):
        return replace(append, loss=answer)
    rows = [row for topic in answer.responses for row in topic.partition_responses]
    if [row.index for row in rows] != [put.partition.number]:
        detail = f"answered Produce {put.version} about partitions {[row.index for row in rows]}"
        return replace(append, loss=Loss(Outcome.BROKEN_PROTOCOL, detail))
    (row,) = rows
    return replace(
        append,
        error=row.error_code,
        message=getattr(row, "error_message", None) or "",
        base_offset=row.base_offset,
        append_time=getattr(row, "log_append_time_ms", -1),
    )


def read_fetch(version: int, offset: int, answer: Any) -> FetchReply:
    """Return what a response to a version of Fetch gives from an offset on."""
    if isinstance(answer, Loss):
        return FetchReply(version, offset, loss=answer)
    if error := getattr(answer, "error_code", 0):
        return FetchReply(version, offset, error)
    rows = [row for topic in answer.responses for row in topic.partitions]
    if len(rows) != 1:
        detail = f"answered Fetch {version} for one partition with {len(rows)}"
        return FetchReply(version, offset, loss=Loss(Outcome.BROKEN_PROTOCOL, detail))
    return FetchReply(version, offset, rows[0].error_code, bytes(rows[0].records or b""))


def reaction(index: int, appends: tuple[Append, ...], seconds: float, gap: str) -> AppendReaction:
    """Return the reaction to a question: what became of its vector, or why it was not put."""
    losses = [loss for append in appends for loss in append.losses]
    reply = losses[0] if losses else Reply(Status.ANSWER, b"")
    return AppendReaction(index, reply, seconds, is_certain=bool(losses), appends=appends, gap=gap)
