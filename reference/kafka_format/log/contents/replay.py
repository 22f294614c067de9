"""Replay of metadata records into an image, as a broker and a controller do it.

Both replay every record: MetadataLoader by the deltas of the image (metadata, package image), and
on a controller the QuorumController by its managers, which are stricter (package controller). What
one of them does not take is an error of that one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from kafka_format.log.contents.controller_checks import CHECKS, check_transaction
from kafka_format.log.contents.deltas import DELTAS
from kafka_format.log.contents.image import Image
from kafka_format.log.contents.kafka_error import KafkaError, Refused
from kafka_format.log.contents.releases import Release
from kafka_format.protocol.records import SchemaRecord

_RUNTIME: Final = "RuntimeException"
_TRANSACTIONS: Final = ("begin_transaction", "end_transaction", "abort_transaction")


class Contradiction(NamedTuple):
    """A record that contradicts what was before it.

    Attributes:
        loader: the error of the broker's side, MetadataLoader; None if that takes the record.
        controller: the error of a controller; None if that takes the record.
    """

    loader: KafkaError | None
    controller: KafkaError | None


class Replay:
    """An image as records are replayed into it, one after the other.

    Attributes:
        image: the image.
        release: the release that replays.
    """

    def __init__(self, known_by: Release, image: Image | None = None) -> None:
        """Begin with an image; with an empty one unless one is given."""
        self.image = image if image is not None else Image()
        self.release = known_by
        self._before: Image | None = None

    def settle(self) -> bool:
        """Abort a transaction that is open, as a new leader does: what was in it is gone.

        Returns:
            Whether there was one (ActivationRecordsGenerator).
        """
        if self._before is None:
            return False
        self._before.offset = self.image.offset
        self.image, self._before = self._before, None
        return True

    def add(self, record: SchemaRecord, offset: int, *, in_snapshot: bool = False) -> Contradiction | None:
        """Replay a record; return what it contradicts."""
        controller = _error(lambda: self._check(record, offset, in_snapshot=in_snapshot))
        loader = _error(lambda: self._apply(record, offset))
        self.image.offset = offset + 1
        return Contradiction(loader, controller) if loader or controller else None

    def _apply(self, record: SchemaRecord, offset: int) -> None:
        name = record.layout.removesuffix("_record")
        if name in _TRANSACTIONS:
            self._transaction(name, offset)
        elif name in DELTAS:
            DELTAS[name](self.image, record.value, self.release)

    def _transaction(self, name: str, offset: int) -> None:
        begun = self.image.transaction
        if name == "begin_transaction":
            if begun is not None:
                said = f"Encountered BeginTransactionRecord while already in a transaction at offset {begun}"
                raise Refused(_RUNTIME, said)
            self._before = self.image.copy()
            self.image.transaction = offset
            return
        if begun is None:
            kind = "EndTransactionRecord" if name == "end_transaction" else "AbortTransactionRecord"
            raise Refused(_RUNTIME, f"Encountered {kind} without having seen a BeginTransactionRecord")
        if name == "abort_transaction" and self._before is not None:
            self.image = self._before
        self.image.transaction, self._before = None, None

    def _check(self, record: SchemaRecord, offset: int, *, in_snapshot: bool) -> None:
        name = record.layout.removesuffix("_record")
        if name in _TRANSACTIONS:
            check_transaction(self.image, name, offset, in_snapshot=in_snapshot)
        elif name in CHECKS:
            CHECKS[name](self.image, record.value, self.release)


def _error(replay: Callable[[], None]) -> KafkaError | None:
    try:
        replay()
    except Refused as refused:
        return refused.error
    return None
