"""What a broker said of one vector: an append for each version of Produce, and what it serves."""

from __future__ import annotations

from dataclasses import dataclass

from kafka_conformance.child.session import Loss, Reaction


@dataclass(frozen=True, slots=True)
class FetchReply:
    """One answer to a fetch.

    Attributes:
        version: version of Fetch.
        offset: what was asked for.
        error: the error code.
        data: the records, as they came.
        loss: how the broker was lost on it; None if it was not.
    """

    version: int
    offset: int
    error: int = 0
    data: bytes = b""
    loss: Loss | None = None


@dataclass(frozen=True, slots=True)
class Append:
    """What came of one Produce request.

    Attributes:
        version: version of Produce.
        magic: the newest magic that the topic keeps.
        leader_epoch: epoch of the partition's leader; None if the broker does not tell.
        is_repeated: True if the same batch of the same producer was appended there before.
        error: the error code.
        message: the error's text; empty if there is none.
        base_offset: the offset of the first record, as the broker tells it.
        append_time: the broker's time, as it tells it; -1 if it does not.
        fetches: what Fetch got, by the versions that were asked.
        loss: how the broker was lost on it; None if it was not.
    """

    version: int
    magic: int = 2
    leader_epoch: int | None = None
    is_repeated: bool = False
    error: int = 0
    message: str = ""
    base_offset: int = -1
    append_time: int = -1
    fetches: tuple[FetchReply, ...] = ()
    loss: Loss | None = None

    @property
    def is_kept(self) -> bool:
        """True if the broker says that it appended it."""
        return not self.error and self.loss is None and self.base_offset >= 0

    @property
    def losses(self) -> list[Loss]:
        """How the broker was lost, here and at fetches."""
        losses = [self.loss, *(served.loss for served in self.fetches)]
        return [loss for loss in losses if loss is not None]


@dataclass(frozen=True, slots=True)
class AppendReaction(Reaction):
    """What a broker said, or did, on one question.

    Attributes:
        appends: what came of each Produce request.
        gap: why it could not be put; empty if it was.
    """

    appends: tuple[Append, ...] = ()
    gap: str = ""
