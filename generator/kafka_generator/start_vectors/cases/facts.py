"""What variants need to know of a base: offsets, ids, and where batches are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from kafka_format.log.batches import Batch, batches
from kafka_format.log.text import meta_properties
from kafka_format.protocol.records import SchemaRecord, decode_value

from kafka_generator.start_vectors.cases.case import DATA, QUORUM

LOG: Final = f"{QUORUM}/{0:020}.log"
_TOPIC: Final = "__cluster_metadata"


class Facts:
    """A base, and what its metadata log says."""

    def __init__(self, name: str, files: dict[str, bytes]) -> None:
        """Remember its files."""
        self.name = name
        self.files = files

    def batches(self, path: str = LOG) -> list[Batch]:
        """Return the batches of a segment or snapshot."""
        return list(batches(self.files[path]))

    def end(self, path: str = LOG) -> int:
        """Return the offset after the last one of a segment."""
        return self.batches(path)[-1].next_offset

    @cached_property
    def snapshots(self) -> list[str]:
        """The paths of its snapshots, the newest last."""
        return sorted(path for path in self.files if path.startswith(QUORUM) and path.endswith(".checkpoint"))

    @property
    def snapshot(self) -> str:
        """The path of its newest snapshot."""
        return self.snapshots[-1]

    @property
    def snapshot_end(self) -> int:
        """The offset that its newest snapshot stands before."""
        return int(self.snapshot.rpartition("/")[2].partition("-")[0])

    def records(self, path: str = LOG) -> Iterator[tuple[int, SchemaRecord]]:
        """Yield offset and content of the records of metadata in a segment or snapshot."""
        for batch in self.batches(path):
            if not batch.has("is_control"):
                yield from ((each.offset, decode_value(_TOPIC, each.value or b"")) for each in batch.records())

    def last(self, layout: str) -> Any:
        """Return the last record of a kind."""
        return [record.value for _, record in self.records() if record.layout == layout][-1]

    @cached_property
    def broker_epoch(self) -> int:
        """The epoch of its broker's registration."""
        return int(self.last("register_broker_record").broker_epoch)

    @cached_property
    def topic_ids(self) -> dict[str, bytes]:
        """The ids of its topics, by name, those that were removed as well."""
        return {
            record.value.name: record.value.topic_id for _, record in self.records() if record.layout == "topic_record"
        }

    @property
    def directory_id(self) -> str:
        """The id of its data directory, as text."""
        return meta_properties.decode(self.files[f"{DATA}/meta.properties"]).directory_id or ""

    @property
    def properties(self) -> str:
        """Its meta.properties."""
        return self.files[f"{DATA}/meta.properties"].decode()
