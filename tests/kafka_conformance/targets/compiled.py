"""What the tests of targets share: a toy behind each template, and the targets as installed."""

import gzip
import struct
import zlib
from collections.abc import Iterator, Sequence

import pytest
from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import manifest, resolve
from kafka_format import records

from tests.kafka_conformance.targets import kafka_samples as samples
from tests.kafka_conformance.targets.adapter_client import Adapter, AnswerRecord
from tests.kafka_conformance.targets.kafka_samples import KEY, RECORD, VALUE, batch, entry, message

FULL = AnswerRecord(
    -(2**63), 2**63 - 1, 1, b"\0k", b"", ((b"a", b"\xff"), (b"a", None)), 2**53 + 1, -3, 2**31 - 1, 3, 4
)
"""The toys' answer to `all`: no two fields alike, and each at an edge."""

SAMPLES = {
    "v07": [(samples.V07, samples.V07_ANSWER)],
    "v0": [(samples.V0, samples.V0_ANSWER)],
    "v1": [(samples.V1, samples.V1_ANSWER)],
    "v2": [(samples.V2, samples.V2_ANSWER), (samples.THREE, samples.THREE_ANSWER), (samples.EMPTY, [])],
}

_CHECKED = bytes(2) + struct.pack(">ii", -1, -1)  # magic 0, no codec, null and null
NULLS = entry(0, struct.pack(">I", zlib.crc32(_CHECKED)) + _CHECKED)
STAMPED_BATCH = batch(RECORD, attributes=8, max_timestamp=5000)
STAMPED_WRAPPER = entry(0, message(gzip.compress(entry(0, message(VALUE)), mtime=0), attributes=1 | 8, timestamp=5000))


def check_every_answer_of_the_toy(toy: Adapter) -> None:
    """Every field goes both ways, in order, and a refusal is told from a gap."""
    results = toy.decode(b"all", b"empty", b"refuses", b"cannot")
    assert [result.status for result in results] == [0, 0, 1, 2]
    assert results[0].answer == [FULL]
    assert results[1].answer == []
    assert results[2].text == "not so"
    assert "no such thing" in results[3].text


def check_records_to_encode(toy: Adapter) -> None:
    """The toy writes magic, codec and how many of the records are `FULL`; it has no codec 4."""
    written, cannot = toy.encode(2, 3, [FULL, AnswerRecord(), FULL]), toy.encode(1, 4, [])
    assert [(result.status, result.content) for result in written] == [(0, b"\2\3\2")]
    assert cannot[0].status == 2


def check_panic(toy: Adapter) -> None:
    """A panic ends the process with its own words, before there is a reply."""
    body = b"D" + struct.pack(">ibii", 1, 0, 1, 5) + b"panic"
    status, output, log = toy.finish(struct.pack(">i", len(body)) + body)
    assert status not in {0, 1}
    assert output == b""
    assert "bad luck" in log


def check_large_blocks(toy: Adapter) -> None:
    """Blocks larger than a pipe are read and answered whole."""
    results = toy.decode(*[b"all"] * 20_000)
    assert len(results) == 20_000
    assert results[-1].answer == [FULL]


def installed(target: str) -> Iterator[Adapter]:
    """Start a target, if it is installed here."""
    installation = resolve.installation(target)
    try:
        installation.check()
    except NotReadyError as missing:
        pytest.skip(f"{target}: {missing}")
    command = installation.command()
    with Adapter(command.arguments, command.environment) as adapter:
        yield adapter


def check_hello(library: Adapter, target: str, directions: Sequence[str] = ("decode", "encode")) -> None:
    """The hello agrees with the manifest."""
    claimed, hello = manifest.known()[target], library.hello()
    assert (hello["name"], hello["version"]) == (claimed.name, claimed.version)
    assert (hello["language"], hello["url"]) == (claimed.language, claimed.url)
    assert (tuple(hello["formats"]), tuple(hello["codecs"])) == (claimed.formats, claimed.codecs)
    assert hello["directions"] == list(directions)


def check_samples(library: Adapter, spoilt: Sequence[str] = ()) -> None:
    """What Kafka wrote is read, but for fields that the library spoils; nothing is no records."""
    hello = library.hello()
    fields = [field for field in hello["fields"] if field not in spoilt]
    for data, answer in [(b"", []), *(sample for name in hello["formats"] for sample in SAMPLES[name])]:
        (result,) = library.decode(data, input_kind=int(hello["formats"] == ["v07"]))
        assert _seen(result.answer, fields) == _seen(answer, fields)


def check_codecs(library: Adapter) -> None:
    """Every declared codec is read."""
    hello = library.hello()
    for number, codec in enumerate(["gzip", "snappy", "lz4", "zstd"], start=1):
        if codec in hello["codecs"] and "v2" in hello["formats"]:
            (result,) = library.decode(batch(samples.STREAMS[number], attributes=number))
            assert [record.value for record in result.answer] == [VALUE]


def check_damage(library: Adapter) -> None:
    """A wrong checksum is refused by those who look at it."""
    hello = library.hello()
    sample = {"v0": samples.V0, "v1": samples.V1, "v2": samples.V2}[hello["formats"][-1]]
    (result,) = library.decode(samples.damaged(sample))
    assert result.status == int(hello["checks_crc"])


def check_encoding(library: Adapter, magics: list[int]) -> None:
    """What is encoded reads back, with the offsets that a broker gives."""
    for magic in magics:
        kind, time = (-1, -1) if magic == 0 else (0, 1_700_000_000_000)
        asked = [AnswerRecord(offset, time, kind, KEY if offset else None, VALUE) for offset in (100, 101)]
        (encoded,) = library.encode(magic, 0, asked)
        assert encoded.status == 0, encoded.text
        back = records.decode(encoded.content)
        assert [tuple(record[:5]) for record in back] == [tuple(record[:5]) for record in asked]


def check_gaps_in_encoding(library: Adapter) -> None:
    """Log append time is a gap of every producer, and no refusal."""
    (result,) = library.encode(2, 0, [AnswerRecord(0, 0, 1, KEY, VALUE)])
    assert result.status == 2


def _seen(answer: list[AnswerRecord], fields: list[str]) -> list[AnswerRecord]:
    """The answer as a target shows it that declares only these fields.

    Flags and codec are not in these answers, and sequences not among what is shown: kafka-protocol counts them even
    where there are none.
    """
    shown = set(fields) - {"sequence"}
    hidden = {name: value for name, value in AnswerRecord()._asdict().items() if name not in shown}
    return [record._replace(**hidden) for record in answer]
