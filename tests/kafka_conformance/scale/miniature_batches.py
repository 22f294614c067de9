"""Batches in the format of the miniatures, for tests that do not care what the bytes are.

Batch i is one record with an offset of 1 to 5, or the poison where a test says so.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from kafka_conformance.child.launch import Limits
from kafka_conformance.protocol import answers
from kafka_conformance.scale.ask.checker import Commands
from kafka_conformance.scale.batches import Batches, Sort
from kafka_conformance.scale.plan import Endurance, RunSettings
from kafka_conformance.scale.work import Generate, Job
from kafka_format.columnar.arrays import Ints, RowGroups
from kafka_format.columnar.byte_moves import SPILL, octets
from kafka_format.records import Record
from kafka_format.sampler import FAULTS, Fault
from kafka_format.sampler.answers import Answers
from kafka_format.sampler.contents import Contents

from tests.kafka_conformance.miniature_targets import PATIENT, command, record
from tests.kafka_conformance.miniatures.miniature import POISON

_NUMBERS = ("offset", "timestamp", "timestamp_type", "producer_id", "producer_epoch", "sequence", "codec")


@dataclass(frozen=True)
class MiniatureBlock:
    data: bytes
    bounds: Ints
    columns: Answers
    format: str = "v2"
    fault: Fault = FAULTS[0]

    @property
    def verdicts(self) -> bytes:
        return bytes(len(self.bounds) - 1)

    def format_of(self, index: int) -> str:
        assert index < len(self.data)
        return self.format

    def codec_of(self, index: int) -> str:
        assert index < len(self.data)
        return "none"

    def fault_of(self, index: int) -> Fault:
        return self.fault if self.data[index] == POISON else FAULTS[0]

    def sorts(self) -> Counter[tuple[str, str, str, str]]:
        return Counter(Sort(self.format, "none", *self._fault(index)) for index in range(len(self.data)))

    def _fault(self, index: int) -> tuple[str, str]:
        fault = self.fault_of(index)
        return fault.name, fault.rule


def columns_of(batches: Sequence[Sequence[Record]]) -> Answers:
    """The answers of batches, in columns."""
    records = list(chain.from_iterable(batches))
    headers = [header for each_record in records for header in each_record.headers]
    numbers = {name: np.array([getattr(each_record, name) for each_record in records], np.int64) for name in _NUMBERS}
    wire = [answers.to_wire(each_record) for each_record in records]
    return Answers(
        groups=RowGroups(np.array([len(batch) for batch in batches], np.int64)),
        numbers={**numbers, "flags": np.array([one.flags for one in wire], np.int64)},
        key=_contents([each_record.key for each_record in records]),
        value=_contents([each_record.value for each_record in records]),
        headers=RowGroups(np.array([len(each_record.headers) for each_record in records], np.int64)),
        header_key=_contents([header.key for header in headers]),
        header_value=_contents([header.value for header in headers]),
    )


def _contents(pieces: Sequence[bytes | None]) -> Contents:
    lengths = np.array([-1 if piece is None else len(piece) for piece in pieces], np.int64)
    source = octets(b"".join(piece or b"" for piece in pieces) + bytes(SPILL))
    return Contents(source, np.cumsum(np.maximum(lengths, 0)) - np.maximum(lengths, 0), lengths)


def octet(index: int, poisoned: Iterable[int] = ()) -> int:
    return POISON if index in set(poisoned) else 1 + index % 5


def miniature_batches(
    count: int, *poisoned: int, start: int = 0, version: str = "v2", fault: Fault = FAULTS[0]
) -> Batches:
    return Batches(start, miniature_block(start, count, poisoned, version, fault))


def miniature_block(
    start: int, count: int, poisoned: Iterable[int], version: str, fault: Fault = FAULTS[0]
) -> MiniatureBlock:
    """`fault` is that of the poisoned batches; the others have none."""
    offsets = [octet(index, poisoned) for index in range(start, start + count)]
    columns = columns_of([[record(offset)] for offset in offsets])
    return MiniatureBlock(bytes(offsets), np.arange(count + 1), columns, version, fault)


def generating(*poisoned: int, version: str = "v2") -> Generate:
    def block(seed: int, start: int, count: int, profile: str) -> MiniatureBlock:
        assert (seed, profile) == (7, "toy")
        return miniature_block(start, count, poisoned, version)

    return block


def settings(*targets: str, batches: int = 1000, chunk: int = 300) -> RunSettings:
    return RunSettings(targets, batches, 7, "toy", chunk)


def job(*targets: str, limits: Limits = PATIENT, endurance: Endurance = Endurance(), **fields: int) -> Job:  # noqa: B008 - it is frozen
    return Job(settings(*targets, **fields), tuple(Commands(command(target)) for target in targets), limits, endurance)
