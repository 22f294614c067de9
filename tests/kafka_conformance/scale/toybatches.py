"""Batches in the toy format of miniatures/, for tests of all that does not care what the bytes are.

Batch i is one record with an offset of 1 to 5, or the poison where a test says so.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from kafka_conformance.child.launch import Limits
from kafka_conformance.protocol import answers
from kafka_conformance.scale.batches import Batches, Sort
from kafka_conformance.scale.plan import Settings
from kafka_conformance.scale.work import Generate, Job
from kafka_format.sampler import FAULTS, Fault

from tests.kafka_conformance.miniatures.toy import POISON
from tests.kafka_conformance.toys import QUICK, command, record


@dataclass(frozen=True)
class ToyBlock:
    data: bytes
    bounds: list[int]
    answers: bytes
    answer_bounds: list[int]
    format: str
    fault: Fault = FAULTS[0]

    def format_of(self, index: int) -> str:
        assert index < len(self.data)
        return self.format

    columns = None

    @property
    def verdicts(self) -> bytes:
        return bytes(len(self.data))

    def fault_of(self, index: int) -> Fault:
        return self.fault if self.data[index] == POISON else FAULTS[0]

    def sorts(self) -> Counter[Sort]:
        faults = (self.fault_of(index) for index in range(len(self.data)))
        return Counter((self.format, "none", fault.name, fault.rule) for fault in faults)

    def codec_of(self, index: int) -> str:
        assert index < len(self.data)
        return "none"


def octet(index: int, poisoned: Iterable[int] = ()) -> int:
    return POISON if index in set(poisoned) else 1 + index % 5


def answer(offset: int, **fields: object) -> bytes:
    return answers.to_bytes([record(offset, **fields)])


def toy_batches(count: int, *poisoned: int, start: int = 0, version: str = "v2", fault: Fault = FAULTS[0]) -> Batches:
    return Batches(start, toy_block(start, count, poisoned, version, fault))


def toy_block(start: int, count: int, poisoned: Iterable[int], version: str, fault: Fault = FAULTS[0]) -> ToyBlock:
    """`fault` is that of the poisoned batches; the others have none."""
    octets = [octet(index, poisoned) for index in range(start, start + count)]
    due = [answer(item) for item in octets]
    bounds = [*accumulate(map(len, due), initial=0)]
    return ToyBlock(bytes(octets), [*range(count + 1)], b"".join(due), bounds, version, fault)


def generating(*poisoned: int, version: str = "v2") -> Generate:
    def block(seed: int, start: int, count: int, profile: str) -> ToyBlock:
        assert (seed, profile) == (7, "toy")
        return toy_block(start, count, poisoned, version)

    return block


def settings(*targets: str, batches: int = 1000, chunk: int = 300) -> Settings:
    return Settings(targets, batches, 7, "toy", chunk)


def job(*targets: str, limits: Limits = QUICK, **fields: int) -> Job:
    return Job(settings(*targets, **fields), tuple(command(target) for target in targets), limits)
