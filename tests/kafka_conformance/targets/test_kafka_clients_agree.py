"""The reference encodes what Kafka's builder writes: byte for byte, or after decompression."""

from functools import cache

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from kafka_conformance.protocol import answers
from kafka_format import compression, strategies
from kafka_format.records import CREATE_TIME, NO_TIMESTAMP, Record, encode
from kafka_generator.decompression import decompress_entries

from tests.kafka_conformance.targets.adapter_client import Adapter, AnswerRecord, Result, read_answer
from tests.kafka_format.examples import examples

pytestmark = pytest.mark.oracle

REFUSED = (
    "Cannot append record with unknown control record type",
    "Invalid negative producer epoch",
    "Invalid negative sequence number used",
    "Cannot write transactional messages without a valid producer ID",
)
"""What Kafka's builder does not write and Kafka's readers read: the reference writes it, so that
readers are tested."""

DRAWS = settings(
    database=None,
    derandomize=True,
    max_examples=examples(150).max_examples,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
FORMATS = [(magic, codec) for magic in (0, 1, 2) for codec in compression.NAMES if magic == 2 or codec != "zstd"]


@cache
def record_lists(magic: int) -> list[list[Record]]:
    """Lists of records, the same in every run; the first takes several chunks of snappy and blocks
    of lz4."""
    found = [[_long_record(place, magic) for place in range(60)]]

    @settings(DRAWS)
    @given(strategies.records(magic))
    def collect(drawn: list[Record]) -> None:
        found.append(drawn)

    collect()
    return found


def _long_record(place: int, magic: int) -> Record:
    value = b"".join(number.to_bytes(2, "big") for number in range(place, place + 1000))
    return Record(place, 1000 + place if magic else NO_TIMESTAMP, CREATE_TIME if magic else -1, b"key", value)


def as_answer(records: list[Record]) -> list[AnswerRecord]:
    return read_answer(answers.to_bytes(records))


@pytest.mark.parametrize(("magic", "codec"), FORMATS)
def test_the_reference_writes_what_kafka_writes(kafka: Adapter, magic: int, codec: str) -> None:
    lists = record_lists(magic)
    results = kafka.encode(magic, compression.NAMES.index(codec), *map(as_answer, lists))
    equal = sum(
        _agree(result, encode(one, magic=magic, codec=codec)) for one, result in zip(lists, results, strict=True)
    )
    assert equal > len(lists) * (0.5 if magic == 2 else 0.99)


def _agree(kafka: Result, ours: bytes) -> bool:
    """Hold two encodings against each other; False where Kafka writes none."""
    if kafka.status:
        assert any(words in kafka.text for words in REFUSED), kafka.text
        return False
    assert decompress_entries(ours).hex() == decompress_entries(kafka.content).hex()
    return True
