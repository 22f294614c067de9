"""The JavaScript targets: the helper that all share, how they are pinned, and each as far as it is installed."""

import json
import re
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import manifest, resolve
from kafka_conformance.targets.folders import TARGETS, TEMPLATES
from kafka_format import records

from tests.kafka_conformance.targets import kafka_samples as samples
from tests.kafka_conformance.targets.adapter_client import Adapter, AnswerRecord
from tests.kafka_conformance.targets.kafka_samples import KEY, RECORD, VALUE, batch, entry, message

HELPER = TEMPLATES["javascript"]
NAMES = ["kafka-node", "kafka-ts", "kafkajs", "platformatic-kafka"]
PACKAGES = {name: name for name in NAMES} | {"platformatic-kafka": "@platformatic/kafka"}
SAMPLES = {
    "v0": [(samples.V0, samples.V0_ANSWER)],
    "v1": [(samples.V1, samples.V1_ANSWER)],
    "v2": [(samples.V2, samples.V2_ANSWER), (samples.THREE, samples.THREE_ANSWER), (samples.EMPTY, [])],
}
FULL = AnswerRecord(
    -(2**63), 2**63 - 1, 1, b"\0k", b"", ((b"a", b"\xff"), (b"a", None)), 2**53 + 1, -3, 2**31 - 1, 3, 4
)

TOY = """
const { serve, NotSupported } = require(%s);
let asked;
const answers = {
  empty: () => [],
  all: () => [{
    offset: -(2n ** 63n), timestamp: '9223372036854775807', timestampType: 1, key: Buffer.from('\\0k'), value: '',
    headers: [['a', Buffer.from([255])], ['a', null]], producerId: 9007199254740993n, producerEpoch: -3,
    sequence: 2147483647, transactional: true, control: true, codec: 4 }],
  least: () => [{ offset: 0 }, { offset: '1', key: undefined }],
  later: () => new Promise((done) => setTimeout(() => done([{ offset: 5 }]), 20)),
  beyond: () => [{ offset: 2n ** 63n, timestamp: NaN }, { offset: -(2n ** 64n), timestamp: 1.5 }],
  odd: () => [{ offset: 0, key: Object, value: { toString: () => 'x' } }],
  print: () => { console.log('noise'); process.stdout.write('more noise\\n'); return []; },
  throws: () => { throw new TypeError('not so'); },
  rejects: () => Promise.reject(new Error('not later either')),
  half: function* () { yield { offset: 0 }; throw new Error('after one'); },
  cannot: () => { throw new NotSupported('no such thing'); },
  asked: () => asked,
};
const hello = { name: 'toy', formats: ['v2'], codecs: ['none'], fields: ['offset'] };
serve(hello, (data) => answers[data.toString()](), (magic, codec, records) => {
  if (codec > 3) throw new NotSupported('no such codec');
  asked = records;
  return Buffer.from([magic, codec]);
});
setInterval(() => {}, 1000);
"""


@pytest.fixture
def toy_command(tmp_path: Path) -> list[str]:
    if shutil.which("node") is None:
        pytest.skip("Node.js is not on the PATH")
    file = tmp_path / "toy.js"
    file.write_text(TOY % json.dumps(str(HELPER)), encoding="utf-8")
    return ["node", str(file)]


@pytest.fixture
def toy(toy_command: list[str]) -> Iterator[Adapter]:
    with Adapter(toy_command) as adapter:
        yield adapter


def test_hello_says_what_the_adapter_declares(toy: Adapter) -> None:
    hello = toy.hello()
    assert (hello["protocol"], hello["name"], hello["directions"]) == (1, "toy", ["decode", "encode"])


def test_every_field_of_a_record_is_packed(toy: Adapter) -> None:
    (everything,) = toy.decode(b"all")
    assert everything.answer == [FULL]


def test_what_a_library_does_not_tell_has_its_default(toy: Adapter) -> None:
    empty, least = toy.decode(b"empty", b"least")
    assert empty.answer == []
    assert least.answer == [AnswerRecord(0), AnswerRecord(1)]


def test_number_that_is_no_int64_is_the_nearest(toy: Adapter) -> None:
    (beyond,) = toy.decode(b"beyond")
    assert [record[:2] for record in beyond.answer] == [(2**63 - 1, -(2**63)), (-(2**63), -(2**63))]


def test_what_is_given_instead_of_bytes_is_shown_as_its_text(toy: Adapter) -> None:
    (odd,) = toy.decode(b"odd")
    assert odd.answer[0].value == b"x"
    assert (odd.answer[0].key or b"").startswith(b"function Object()")


def test_promise_is_waited_for_and_results_stay_in_order(toy: Adapter) -> None:
    later, empty = toy.decode(b"later", b"empty")
    assert (later.answer, empty.answer) == ([AnswerRecord(5)], [])


REFUSED = {
    b"throws": (1, "TypeError: not so"),
    b"rejects": (1, "Error: not later either"),
    b"half": (1, "Error: after one"),
    b"cannot": (2, "no such thing"),
}


@pytest.mark.parametrize("question", REFUSED)
def test_what_is_thrown_refuses(toy: Adapter, question: bytes) -> None:
    (result,) = toy.decode(question)
    assert (result.status, result.text) == REFUSED[question]


def test_what_a_library_prints_goes_to_standard_error(toy: Adapter) -> None:
    (result,) = toy.decode(b"print")
    assert result.answer == []
    assert toy.finish() == (0, b"", "noise\nmore noise\n")


def test_records_to_encode_arrive_in_every_field(toy: Adapter) -> None:
    (encoded,) = toy.encode(2, 3, [FULL, AnswerRecord()])
    assert (encoded.status, encoded.content) == (0, b"\2\3")
    (asked,) = toy.decode(b"asked")
    assert asked.answer == [FULL, AnswerRecord()]


def test_encoder_may_say_that_it_cannot(toy: Adapter) -> None:
    refused, fine = toy.block(b"E", b"", [bytes([2, codec]) + struct.pack(">ii", 4, 0) for codec in (4, 0)])
    assert (refused.status, refused.text) == (2, "no such codec")
    assert fine.status == 0


def test_frames_may_come_in_pieces_and_together(toy: Adapter) -> None:
    stdin = toy.process.stdin
    assert stdin is not None
    body = b"D" + struct.pack(">ibi", 7, 0, 2) + (struct.pack(">i", 5) + b"empty") * 2
    frame = struct.pack(">i", len(body)) + body
    for piece in (frame[:2], frame[2:9], frame[9:] + frame, frame[:11]):
        stdin.write(piece)
    status, output, _ = toy.finish(frame[11:])
    reply = b"D" + struct.pack(">ii", 7, 2) + (struct.pack(">bi", 0, 4) + bytes(4)) * 2
    assert status == 0
    assert output == (struct.pack(">i", len(reply)) + reply) * 3


def test_block_larger_than_a_pipe_is_read_whole(toy: Adapter) -> None:
    results = toy.decode(*[b"all"] * 20_000)
    assert len(results) == 20_000
    assert results[-1].answer == [FULL]


def test_end_of_input_is_a_clean_end_though_a_timer_runs(toy_command: list[str]) -> None:
    with Adapter(toy_command) as adapter:
        assert adapter.finish() == (0, b"", "")


def test_helper_is_a_short_file_that_needs_nothing() -> None:
    text = HELPER.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    code = text.partition("*/")[2]
    assert not re.search(r"\b(require|import)\b", code)


@pytest.mark.parametrize("name", NAMES)
def test_every_package_is_pinned_and_from_no_place_of_ours(name: str) -> None:
    package: dict[str, Any] = json.loads((TARGETS / name / "package.json").read_text(encoding="utf-8"))
    lock: dict[str, Any] = json.loads((TARGETS / name / "package-lock.json").read_text(encoding="utf-8"))
    locked = {place: entry for place, entry in lock["packages"].items() if place}
    wanted = package["dependencies"]
    assert all(locked[f"node_modules/{found}"]["version"] == version for found, version in wanted.items())
    assert all(entry["integrity"].startswith("sha512-") and "resolved" not in entry for entry in locked.values())
    assert wanted[PACKAGES[name]] == manifest.known()[name].version


@pytest.fixture(scope="module", params=NAMES)
def target(request: pytest.FixtureRequest) -> str:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def library(target: str) -> Iterator[Adapter]:
    installation = resolve.installation(target)
    try:
        installation.check()
    except NotReadyError as missing:
        pytest.skip(f"{target}: {missing}")
    command = installation.command()
    variables = [f"{name}={value}" for name, value in command.environment.items()]
    with Adapter(["env", *variables, *command.arguments]) as adapter:
        yield adapter


def test_hello_declares_what_the_manifest_claims(library: Adapter, target: str) -> None:
    claimed, hello = manifest.known()[target], library.hello()
    assert (hello["name"], hello["version"]) == (claimed.name, claimed.version)
    assert (hello["language"], hello["url"]) == (claimed.language, claimed.url)
    assert tuple(hello["formats"]) == claimed.formats
    assert set(claimed.codecs) - set(hello["codecs"]) <= {"zstd"}  # an older Node has none
    assert hello["checks_crc"] is False


def seen(answer: list[AnswerRecord], fields: list[str]) -> list[AnswerRecord]:
    """The answer as a target shows it that declares only these fields; flags and codec are not in these answers."""
    hidden = {name: value for name, value in AnswerRecord()._asdict().items() if name not in fields}
    return [record._replace(**hidden) for record in answer]


def test_samples_decode(library: Adapter) -> None:
    hello = library.hello()
    for data, answer in [sample for name in hello["formats"] for sample in SAMPLES[name]]:
        (result,) = library.decode(data)
        assert seen(result.answer, hello["fields"]) == seen(answer, hello["fields"])


def test_nothing_is_no_records(library: Adapter) -> None:
    (result,) = library.decode(b"")
    assert result.answer == []


def test_every_declared_codec_is_decoded(library: Adapter) -> None:
    hello = library.hello()
    for number, codec in enumerate(["gzip", "snappy", "lz4", "zstd"], start=1):
        if codec in hello["codecs"] and "v2" in hello["formats"]:
            (result,) = library.decode(batch(samples.STREAMS[number], attributes=number))
            assert [record.value for record in result.answer] == [VALUE]


def test_what_is_encoded_reads_back(library: Adapter) -> None:
    formats = library.hello()["formats"]
    for magic in [number for number in range(3) if f"v{number}" in formats]:
        kind, time = (-1, -1) if magic == 0 else (0, 1_700_000_000_000)
        asked = [AnswerRecord(offset, time, kind, KEY if offset else None, VALUE) for offset in (100, 101)]
        (encoded,) = library.encode(magic, 0, asked)
        assert encoded.status == 0, encoded.text
        back = records.decode(encoded.content)
        assert [tuple(record[:5]) for record in back] == [tuple(record[:5]) for record in asked]


def test_control_batches_and_append_time_are_not_asked_of_producers(library: Adapter) -> None:
    magic = 2 if "v2" in library.hello()["formats"] else 1
    for record in (AnswerRecord(0, 0, 1, KEY, VALUE), AnswerRecord(0, 0, 0, KEY, VALUE, flags=2)):
        (result,) = library.encode(magic, 0, [record])
        assert (result.status, result.text) == (2, "a producer writes neither control batches nor log append time")


def decoded(library: Adapter, data: bytes) -> AnswerRecord:
    (result,) = library.decode(data)
    return result.answer[0]


TO_STRING = bytes.fromhex("22 00 00 00 01 01 02 10 746f537472696e67 02 61")  # a record with the header toString=a
MISTAKES = {
    "kafkajs": (batch(TO_STRING), "headers", b"function toString() { [native code] }"),
    "kafka-ts": (batch(RECORD, attributes=8, max_timestamp=5000), "timestamp", 1000),
    "platformatic-kafka": (batch(RECORD, attributes=8, max_timestamp=5000), "timestamp", 1000),
    "kafka-node": (entry(2**53 + 1, message(VALUE)), "offset", 2**53),
}


def test_no_mistake_of_the_library_is_mended(library: Adapter, target: str) -> None:
    data, field, wrong = MISTAKES[target]
    got = getattr(decoded(library, data), field)
    assert (got[0][1] if field == "headers" else got) == wrong
