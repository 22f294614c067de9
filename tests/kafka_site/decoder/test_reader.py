"""The decoder in the page against the golden vectors, which others judged, and against the
reference on bytes that no vector has."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.vectors.golden import load
from kafka_conformance.vectors.json_answers import from_json
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.explain.lines import explain, explain_v07
from kafka_format.recognition import Kind
from kafka_format.records import Record, decode, decode_v07, encode

from tests.kafka_format.recognition.test_recogniser import BYTES
from tests.kafka_site.decoder.scripts import ask
from tests.sampling import Share

BROUGHT = frozenset({"gzip", "zstd"})
"""The codecs whose libraries npm brings."""

SHORT = 5_000
"""Bytes of the vectors that are damaged and explained."""

SAMPLE = 20
"""One in so many vectors is asked in a usual run."""


@pytest.fixture(scope="module")
def sample(some_of_module: Share) -> Sequence[Vector]:
    return some_of_module(load(), SAMPLE, of="vectors")


@pytest.mark.parametrize("brought", [False, True], ids=["without-libraries", "with-libraries"])
def test_it_gives_the_answers_of_the_vectors_and_refuses_with_their_faults(
    sample: Sequence[Vector], folder: Path, *, brought: bool
) -> None:
    vectors = [vector for vector in sample if needs_libraries(vector) == brought]
    if brought:
        skip_without_libraries(folder)
    answers = ask(folder, [question(vector, vector.data) for vector in vectors])
    assert len(vectors) > 10
    assert [vector.id for vector, answer in zip(vectors, answers, strict=True) if not fits(vector, answer)] == []


def needs_libraries(vector: Vector) -> bool:
    return not BROUGHT.isdisjoint(vector.codecs)


def skip_without_libraries(folder: Path) -> None:
    """Skip where npm brought none when the scripts were written, whatever it would bring now."""
    if "zstd:" not in (folder / "libraries.js").read_text(encoding="utf-8"):
        pytest.skip("gzip and zstd need libraries that npm did not bring")


def question(vector: Vector, data: bytes, **more: Any) -> dict[str, Any]:
    return {"kind": "v07" if vector.format == "v07" else "records", "hex": data.hex(), **more}


def fits(vector: Vector, answer: dict[str, Any]) -> bool:
    if vector.verdict is Verdict.VALID:
        return bool(answer["records"] == [plain(record) for record in from_json(vector.answer or ())])
    expected = {"path": "", "payload": False, "entry": 0, **vector.document["fault"]}
    expected.pop("twin", None)
    return answer["fault"] is not None and expected.items() <= answer["fault"].items()


def plain(record: Record) -> list[Any]:
    """Return a record as answer.js writes it."""
    return [
        str(record.offset),
        str(record.timestamp),
        record.timestamp_type,
        hexed(record.key),
        hexed(record.value),
        [[hexed(header.key), hexed(header.value)] for header in record.headers],
        str(record.producer_id),
        record.producer_epoch,
        record.sequence,
        record.transactional,
        record.control,
        record.codec,
    ]


def hexed(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def test_it_says_of_damaged_bytes_what_the_reference_says(sample: Sequence[Vector], folder: Path) -> None:
    """Lengths, counts, flags and codecs go wrong where no vector has them wrong; a right checksum
    lets a decoder get there."""
    skip_without_libraries(folder)
    dice = random.Random(18)  # noqa: S311 - the same damage each time
    damaged = [(vector, damage(vector.data, dice)) for vector in sample if len(vector.data) < SHORT]
    answers = ask(folder, [question(vector, data) for vector, data in damaged])
    expected = [verdict(vector, data) for vector, data in damaged]
    got = [(answer["records"], facts(answer["fault"])) for answer in answers]
    wrong = [
        (vector.id, data.hex(), one, other)
        for (vector, data), one, other in zip(damaged, expected, got, strict=True)
        if one != other
    ]
    assert wrong == []
    assert 0.3 < sum(fault is not None for _, fault in expected) / len(expected) < 0.9


def damage(data: bytes, dice: random.Random) -> bytes:
    """Change, add or drop a byte or some, and mostly make the checksum right again."""
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        if changed:
            dice.choice(DAMAGES)(changed, dice.randrange(len(changed)), dice)
    if dice.random() < 0.7:
        seal(changed)
    return bytes(changed)


def flip(data: bytearray, at: int, dice: random.Random) -> None:
    data[at] ^= 1 << dice.randrange(8)


def put(data: bytearray, at: int, dice: random.Random) -> None:
    data[at] = dice.choice((0, 1, 2, 0x7F, 0x80, 0xFF))


def drop(data: bytearray, at: int, _: random.Random) -> None:
    del data[at]


def insert(data: bytearray, at: int, dice: random.Random) -> None:
    data.insert(at, dice.randrange(256))


def cut(data: bytearray, at: int, _: random.Random) -> None:
    del data[at:]


DAMAGES: Sequence[Callable[[bytearray, int, random.Random], None]] = (flip, flip, flip, put, put, drop, insert, cut)


def seal(data: bytearray) -> None:
    """Write the checksum that fits the first entry, if it is whole."""
    magic_at = prefix("record_batch").places["magic"]
    overhead = prefix("message_set_entry").size
    if len(data) < prefix("record_batch").size or data[magic_at] > 2:
        return
    size = prefix("message_set_entry").value(data, 0, "message_size")
    if not 0 <= size <= len(data) - overhead:
        return
    if data[magic_at] == 2:
        prefix("record_batch").seal(data, 0, overhead + size)
    else:
        prefix(f"message_v{data[magic_at]}").seal(data, overhead, overhead + size)


def verdict(vector: Vector, data: bytes) -> tuple[Any, Any]:
    try:
        records = (decode_v07 if vector.format == "v07" else decode)(data)
    except FormatError as error:
        return None, (*error.facts(), error.entry)
    return [plain(record) for record in records], None


def facts(fault: dict[str, Any] | None) -> tuple[Any, ...] | None:
    names = ("rule", "stage", "offset", "path", "payload", "entry")
    return None if fault is None else tuple(fault[name] for name in names)


def test_its_lines_are_those_of_the_reference(sample: Sequence[Vector], folder: Path) -> None:
    skip_without_libraries(folder)
    vectors = [vector for vector in sample[::3] if len(vector.data) < SHORT]
    answers = ask(folder, [question(vector, vector.data, lines=True) for vector in vectors])
    for vector, answer in zip(vectors, answers, strict=True):
        assert answer["lines"] == list(reference_lines(vector)), vector.id


def reference_lines(vector: Vector) -> Iterator[list[Any]]:
    for line in (explain_v07 if vector.format == "v07" else explain)(vector.data).lines:
        has_fault = line.fault is not None
        yield [line.entry, line.path, line.start, line.raw.hex(), line.value, line.payload, has_fault]


def test_it_tells_what_bytes_are(sample: Sequence[Vector], folder: Path) -> None:
    """Sound bytes of the record formats are records, and those of 0.7 are told from them, as far as
    a record is read: what is cut before one, or an empty message of 0.7, can be something else."""
    sound = [
        vector
        for vector in sample
        if vector.verdict is Verdict.VALID and vector.answer and not needs_libraries(vector)
        if vector.format != "v07" or any(record["value"] for record in vector.answer)
    ]
    answers = ask(folder, [question(vector, vector.data) for vector in sound])
    guessed = {vector.id: answer["guess"] for vector, answer in zip(sound, answers, strict=True)}
    assert guessed == {vector.id: "v07" if vector.format == "v07" else "records" for vector in sound}


BATCH = encode([Record(5, timestamp=1000, key=b"key", value=b"hello")])
PACKET = bytes.fromhex("00" * 12 + "0800" + "45" + "5a" * 19 + "5b" * 32)
"""What a network puts in front: Ethernet, IP and TCP, here with content that means nothing."""


def test_it_says_where_records_begin_that_have_something_else_in_front(folder: Path) -> None:
    damaged = BATCH[:-1] + bytes([BATCH[-1] ^ 1])
    inputs = [b"\x17" * 21 + BATCH + b"\x17" * 9, b"\x17" * 21 + damaged, BATCH]
    found = ask(folder, [{"hex": data.hex(), "elsewhere": True} for data in inputs])
    assert found == [{"kind": "records", "at": 21}, None, None]


def test_records_with_an_unknown_magic_byte_stay_records(folder: Path) -> None:
    magic_at = prefix("record_batch").places["magic"]
    unknown = BATCH[:magic_at] + b"\x05" + BATCH[magic_at + 1 :]
    found = ask(folder, [{"kind": "records", "hex": data.hex()} for data in (unknown, bytes(100))])
    assert [answer["guess"] for answer in found] == ["records", None]
    assert found[0]["fault"]["rule"] == "entry.magic.known"


def test_of_an_entry_that_is_cut_off_it_shows_what_the_reference_shows(folder: Path) -> None:
    cuts = [BATCH + BATCH[:size] for size in range(1, len(BATCH))]
    found = ask(folder, [{"kind": "records", "hex": data.hex(), "lines": True} for data in cuts])
    for data, answer in zip(cuts, found, strict=True):
        expected = [[line.path, line.start, line.raw.hex(), line.value] for line in explain(data).lines]
        assert [line[1:5] for line in answer["lines"]] == expected


PAGE_KINDS = {Kind.RECORDS: "records", Kind.RECORDS_07: "v07", Kind.REQUEST: "request", Kind.RESPONSE: "response"}


def test_it_recognises_what_the_reference_does(folder: Path) -> None:
    """Of the table of the reference, all but what only that one reads; nothing else is claimed."""
    left = {"a response that is cut", "a request whose client id is cut"}
    named = {name: case for name, case in BYTES.items() if case[1] in PAGE_KINDS and name not in left}
    answers = ask(folder, [{"hex": data.hex()} for data, _, _ in named.values()])
    assert {name: answer["guess"] for name, answer in zip(named, answers, strict=True)} == {
        name: PAGE_KINDS[kind] for name, (_, kind, _) in named.items()
    }
    others = [data for data, kind, _ in BYTES.values() if kind in (Kind.OTHER, Kind.CAPTURE, Kind.TEXT)]
    assert {answer["guess"] for answer in ask(folder, [{"hex": data.hex()} for data in others])} == {None}
