"""The oracle assigns, converts and delivers; the reference agrees with it on random logs."""

import random
import struct
from typing import Any

import pytest
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.messages import AssignInput, ConvertInput, DeliverInput, Input, Status
from kafka_conformance.serving.reference import answer
from kafka_format import compression, structure
from kafka_generator.decompression import decompress_entries

from tests.kafka_conformance.targets.adapter_client import Adapter, Result
from tests.kafka_conformance.targets.sample_batches import V0, V1, V2
from tests.kafka_format.logs import ABORT, COMMIT, batch, flipped, marker, messages, transactional

pytestmark = pytest.mark.oracle


def counted(data: bytes) -> bytes:
    return struct.pack(">i", len(data)) + data


def assign_input(asked: AssignInput) -> bytes:
    return struct.pack(">qbbbqi", *asked[:6]) + counted(asked.entries)


def convert_input(asked: ConvertInput) -> bytes:
    return struct.pack(">bq", *asked[:2]) + counted(asked.entries)


def deliver_input(asked: DeliverInput) -> bytes:
    aborted = b"".join(struct.pack(">qq", *question) for question in asked.aborted)
    head = struct.pack(">qbi", asked.fetch_offset, asked.isolation, len(asked.aborted))
    return head + aborted + counted(asked.entries)


def ask(adapter: Adapter, *asked: Input) -> list[Result]:
    kind, write = {
        AssignInput: (b"A", assign_input),
        ConvertInput: (b"C", convert_input),
        DeliverInput: (b"L", deliver_input),
    }[type(asked[0])]
    return adapter.block(kind, b"", [write(question) for question in asked])


def can_convert(version: str) -> bool:
    return version.startswith("3.")


def test_hello_declares_what_the_release_can(kafka: Adapter, oracle_version: str) -> None:
    expected = ["assign", "convert", "deliver"] if can_convert(oracle_version) else ["assign", "deliver"]
    assert kafka.hello()["requests"] == expected


def test_a_release_that_cannot_convert_says_so(kafka: Adapter, oracle_version: str) -> None:
    (result,) = ask(kafka, ConvertInput(1, 0, V2))
    if can_convert(oracle_version):
        assert (result.status, result.content) == (0, V1)
    else:
        assert result.status == 2
        assert "went with 4.0" in result.text


def test_a_refusal_in_a_block_does_not_lose_the_next_input(kafka: Adapter) -> None:
    first, second, third = ask(
        kafka,
        AssignInput(5, 1, -1, 0, -1, -1, V1),
        AssignInput(5, 1, -1, 0, -1, -1, flipped(V1)),
        AssignInput(6, 0, -1, 0, -1, -1, V0),
    )
    assert first.content[17:] == struct.pack(">i", len(V1)) + (5).to_bytes(8, "big") + V1[8:]
    assert second.status == 1
    assert second.text.startswith("CorruptRecordException")
    assert third.content[:8] == (6).to_bytes(8, "big")


def test_the_producers_bytes_are_not_written_to(kafka: Adapter) -> None:
    asked = AssignInput(9, 2, -1, 1, 5000, 3, V2)
    question, other = ask(kafka, asked, asked)
    assert question == other


BROKEN = {
    "input cut short": b"A" + struct.pack(">ii", 1, 1) + bytes(5),
    "length beyond the frame": b"C" + struct.pack(">iibqi", 1, 1, 0, 0, 99),
    "null entries": b"C" + struct.pack(">iibqi", 1, 1, 0, 0, -1),
    "negative count of aborted transactions": b"L" + struct.pack(">iiqbi", 1, 1, 0, 0, -1),
    "huge count of aborted transactions": b"L" + struct.pack(">iiqbi", 1, 1, 0, 0, (1 << 31) - 1),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_request_ends_the_adapter_with_a_word(oracle_command: list[str], name: str) -> None:
    with Adapter(oracle_command) as adapter:
        status, output, log = adapter.finish(struct.pack(">i", len(BROKEN[name])) + BROKEN[name])
    assert (status, output) == (2, b"")
    assert log.startswith("kafka-clients adapter: ")
    assert "\tat " not in log


def log_of(rng: random.Random) -> bytes:
    """A log with transactions, holes, empty batches, wrappers, and now and then a damaged byte or a
    cut end."""
    base, found = rng.randint(0, 5), []
    for _ in range(rng.randint(0, 6)):
        deltas = sorted(rng.sample(range(5), rng.randint(0, 4)))
        producer = rng.randint(1, 3)
        entry = rng.choice(
            [
                lambda base=base, deltas=deltas: batch(base, deltas, last=5),
                lambda base=base, deltas=deltas, producer=producer: transactional(base, producer, deltas or [0]),
                lambda base=base, producer=producer: marker(base, producer, rng.choice([ABORT, COMMIT, b"\0\1\0\0\0"])),
                lambda base=base: messages(
                    rng.randint(0, 1), base, base + 2, codec=rng.choice(["none", "gzip", "lz4"])
                ),
            ]
        )()
        # Not in a wrapper: Kafka's consumer does not look at its checksum.
        found.append(flipped(entry, rng.randrange(20, len(entry))) if entry[16] == 2 and rng.random() < 0.05 else entry)
        base += rng.randint(1, 8)
    data = b"".join(found)
    return data[: rng.randrange(len(data))] if data and rng.random() < 0.2 else data


def sent_by_a_producer(rng: random.Random) -> bytes:
    """What a producer may send, some of it refused by brokers."""
    magic, count = rng.randint(0, 2), rng.randint(1, 4)
    codec = rng.choice(["none", "none", "gzip", "snappy", "lz4"])
    if magic < 2:
        return messages(magic, *range(rng.choice([0, 0, 3]), 9)[:count], codec=codec)
    fields: dict[str, Any] = {
        "max_timestamp": rng.choice([-1, 1000, 2000]),
        "attributes": rng.choice([0, 0, 0, 8, 0x100]),
    }
    if codec != "none":
        plain = b"".join(structure("record").encode({"offset_delta": delta, "value": b"a"}) for delta in range(count))
        fields["attributes"] |= compression.NAMES.index(codec)
        fields |= {"records": compression.compress(codec, plain), "record_count": count}
    return batch(0, range(count), last=count - 1 + (rng.random() < 0.1), **fields)


def comparable(kind: type, status: int, content: bytes) -> Any:
    """What the reference and Kafka must agree on."""
    if status == Status.REFUSED:
        return "refused"
    if kind is ConvertInput:
        return decompress_entries(content)
    if kind is AssignInput:
        return content[:17], decompress_entries(content[21:])
    wire = structure("delivery").decode(content)
    seen = [answers.from_wire(record)[:6] for record in wire.records]
    return wire.next_offset, wire.outcome, seen


@pytest.mark.sampled(2, of="seeds")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", [AssignInput, ConvertInput, DeliverInput], ids=lambda kind: kind.__name__)
def test_reference_and_kafka_agree(kafka: Adapter, oracle_version: str, kind: type, seed: int) -> None:
    rng = random.Random(f"{kind.__name__} {seed}")  # noqa: S311 - the same logs in every run
    if kind is ConvertInput and not can_convert(oracle_version):
        pytest.skip("4.0 took down-conversion away")
    asked = [_input(kind, rng) for _ in range(200)]
    for question, reply in zip(asked, ask(kafka, *asked), strict=True):
        mine = answer(question)
        said = comparable(kind, reply.status, reply.content)
        assert comparable(kind, mine.status, mine.content) == said, (question, mine, reply)


def _input(kind: type, rng: random.Random) -> Input:
    if kind is AssignInput:
        topic = (rng.randint(0, 2), rng.choice([-1, -1, 0, 1, 2, 3]), rng.randint(0, 1), 5000, rng.randint(-1, 3))
        return AssignInput(rng.choice([0, 100, 1 << 40]), *topic, sent_by_a_producer(rng))
    if kind is ConvertInput:
        data = sent_by_a_producer(rng) + batch(9, [0, 2], last=4) + marker(14, 7)
        return ConvertInput(rng.randint(0, 2), rng.randint(0, 12), data)
    aborted = [(rng.randint(1, 3), rng.randint(0, 20)) for _ in range(rng.randint(0, 3))]
    return DeliverInput(rng.randint(0, 5), rng.randint(0, 1), aborted, log_of(rng))
