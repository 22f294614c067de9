"""The targets in Python, Go, Rust and JavaScript: how each is pinned, and what installed ones
do."""

import gzip
import json
import struct
import tomllib
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import manifest, resolve
from kafka_conformance.targets.folders import TARGETS
from kafka_conformance.targets.target_kind import TargetKind
from kafka_format import records

from tests.kafka_conformance.targets import sample_batches as samples
from tests.kafka_conformance.targets.adapter_client import Adapter, AnswerRecord
from tests.kafka_conformance.targets.sample_batches import KEY, RECORD, VALUE, batch, entry, message

_CHECKED = bytes(2) + struct.pack(">ii", -1, -1)  # magic 0, no codec, null and null
NULLS = entry(0, struct.pack(">I", zlib.crc32(_CHECKED)) + _CHECKED)
TO_STRING = batch(bytes.fromhex("22 00 00 00 01 01 02 10 746f537472696e67 02 61"))  # a record with header toString=a
NATIVE = b"function toString() { [native code] }"
STAMPED_BATCH = batch(RECORD, attributes=8, max_timestamp=5000)
STAMPED_WRAPPER = entry(0, message(gzip.compress(entry(0, message(VALUE)), mtime=0), attributes=1 | 8, timestamp=5000))
FAR = entry(2**53 + 1, message(VALUE))


class Mistake(NamedTuple):
    """Bytes that a library gets wrong, the field of their first record, and what it gives there."""

    data: bytes
    field: str
    wrong: object


class Library(NamedTuple):
    """What the tests know of a target that its manifest does not say.

    Attributes:
        package: its name in the registry.
        magics: what it can encode.
        spoilt: fields that it gives otherwise than they were written.
        mistake: one that its adapter must not mend.
        is_careless: whether it delivers what has a wrong checksum, though it says that it looks.
    """

    package: str
    magics: tuple[int, ...] = ()
    spoilt: tuple[str, ...] = ()
    mistake: Mistake | None = None
    is_careless: bool = False


BASE_TIMESTAMP = Mistake(STAMPED_BATCH, "timestamp", 1000)  # Kafka: 5000, log append time
INNER_TIMESTAMP = Mistake(STAMPED_WRAPPER, "timestamp", 1000)  # the same
LIBRARIES = {
    "afkak": Library("afkak", (0,)),
    "aiokafka": Library("aiokafka", (0, 1, 2)),
    "aiokafka-pure": Library("aiokafka", (0, 1, 2)),
    "brod": Library("brod", is_careless=True),
    "kafka-python": Library("kafka-python", (0, 1, 2)),
    "kafka-python-2": Library("kafka-python", (0, 1, 2), is_careless=True),
    "kio": Library("kio", (2,), spoilt=("timestamp",), mistake=BASE_TIMESTAMP),  # cuts them to whole seconds
    "pykafka": Library("pykafka", (0, 1), mistake=Mistake(STAMPED_WRAPPER, "timestamp", None)),
    "samsa": Library("samsa"),
    "franz-go": Library("github.com/twmb/franz-go", (0, 1, 2), mistake=INNER_TIMESTAMP),
    "sarama": Library("github.com/IBM/sarama", (0, 1, 2), mistake=INNER_TIMESTAMP),
    "segmentio-kafka-go": Library("github.com/segmentio/kafka-go", (1, 2), mistake=BASE_TIMESTAMP),
    "kafka-protocol-rs": Library("kafka-protocol", (2,), mistake=BASE_TIMESTAMP),
    "kafka-rust": Library("kafka", (0,), mistake=Mistake(NULLS, "value", b"")),  # Kafka: null
    "rskafka": Library("rskafka", (2,), mistake=BASE_TIMESTAMP),
    "kafka-node": Library("kafka-node", (0, 1), mistake=Mistake(FAR, "offset", 2**53)),
    "kafka-ts": Library("kafka-ts", (2,), mistake=BASE_TIMESTAMP),
    "kafkajs": Library(
        "kafkajs",
        (0, 1, 2),
        mistake=Mistake(TO_STRING, "headers", ((b"toString", NATIVE), (b"toString", b"a"))),
    ),
    "platformatic-kafka": Library("@platformatic/kafka", (2,), mistake=BASE_TIMESTAMP),
}
LOCKS = {"kafka-python-2": TARGETS / "kafka-python" / "requirements-2.0.2.lock"}
ORACLES = {"kafka-clients", "kafka-clients-legacy"}
SAMPLES = {
    "v07": [(samples.V07, samples.V07_ANSWER)],
    "v0": [(samples.V0, samples.V0_ANSWER)],
    "v1": [(samples.V1, samples.V1_ANSWER)],
    "v2": [(samples.V2, samples.V2_ANSWER), (samples.THREE, samples.THREE_ANSWER), (samples.EMPTY, [])],
}


def language(name: str) -> str:
    """The folder of adapters/ that the target's program uses."""
    written_in = manifest.load_all()[name].language.split()[0].lower()
    return "javascript" if written_in == "typescript" else written_in


def test_every_target_is_looked_at() -> None:
    assert {*LIBRARIES, *ORACLES} == {name for name, one in manifest.of_kind(TargetKind.DECODER).items() if one.formats}


# How it is pinned, in the form of each language.


def pinned_in_python(name: str, package: str, version: str) -> None:
    lock = LOCKS.get(name, TARGETS / name / "requirements.lock").read_text(encoding="utf-8")
    assert f"{package}=={version} \\\n    --hash=sha256:" in lock
    assert all("--require-hashes" in command for command in manifest.load_all()[name].install if "pip" in command)


def pinned_in_go(name: str, package: str, version: str) -> None:
    wanted = f"{package} v{version}"
    assert f"\t{wanted}\n" in (TARGETS / name / "go.mod").read_text(encoding="utf-8")
    sums = (TARGETS / name / "go.sum").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith(f"{wanted} h1:") for line in sums)
    assert "-mod=readonly" in manifest.load_all()[name].install[0]


def pinned_in_rust(name: str, package: str, version: str) -> None:
    crate = TARGETS / name / "decoder"  # where a client has others, with lock files of their own
    crate = crate if crate.is_dir() else crate.parent
    wanted = tomllib.loads((crate / "Cargo.toml").read_text(encoding="utf-8"))["dependencies"][package]
    assert f"'={version}'" in str({"version": wanted})
    locked = tomllib.loads((crate / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    assert (package, version) in {(entry["name"], entry["version"]) for entry in locked}
    assert all(len(entry["checksum"]) == 64 for entry in locked if entry["name"] != "adapter")
    assert "--locked" in manifest.load_all()[name].install[0]


def pinned_in_javascript(name: str, package: str, version: str) -> None:
    wanted: dict[str, Any] = json.loads((TARGETS / name / "package.json").read_text(encoding="utf-8"))["dependencies"]
    lock: dict[str, Any] = json.loads((TARGETS / name / "package-lock.json").read_text(encoding="utf-8"))
    locked = {place: entry for place, entry in lock["packages"].items() if place}
    assert all(locked[f"node_modules/{found}"]["version"] == pin for found, pin in wanted.items())
    assert all(entry["integrity"].startswith("sha512-") and "resolved" not in entry for entry in locked.values())
    assert wanted[package] == version


PINNED: dict[str, Callable[[str, str, str], None]] = {
    "python": pinned_in_python,
    "go": pinned_in_go,
    "rust": pinned_in_rust,
    "javascript": pinned_in_javascript,
}


@pytest.mark.parametrize("name", [name for name in LIBRARIES if name != "aiokafka-pure"])  # the same lock
def test_every_package_is_pinned_with_its_checksum(name: str) -> None:
    PINNED[language(name)](name, LIBRARIES[name].package, manifest.load_all()[name].version)


# What it does.


@pytest.fixture(scope="module", params=LIBRARIES)
def target(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def library(target: str) -> Iterator[Adapter]:
    """The target, if it is installed here."""
    installation = resolve.installation(target)
    try:
        installation.check()
    except NotReadyError as missing:
        pytest.skip(f"{target}: {missing}")
    command = installation.command()
    with Adapter(command.arguments, command.environment) as adapter:
        yield adapter


def test_hello_declares_what_the_manifest_claims(library: Adapter, target: str) -> None:
    claimed, hello = manifest.load_all()[target], library.hello()
    assert (hello["name"], hello["version"]) == (claimed.name, claimed.version)
    assert (hello["language"], hello["url"]) == (claimed.language, claimed.url)
    assert tuple(hello["formats"]) == claimed.formats
    missing = set(claimed.codecs) - set(hello["codecs"])
    assert missing <= ({"zstd"} if language(target) == "javascript" else set())  # an older Node has none
    assert hello["directions"] == (["decode", "encode"] if LIBRARIES[target].magics else ["decode"])


def test_samples_decode(library: Adapter, target: str) -> None:
    """What Kafka wrote is read; nothing is no records."""
    hello = library.hello()
    fields = set(hello["fields"]) - set(LIBRARIES[target].spoilt)
    for data, answer in [(b"", []), *(sample for name in hello["formats"] for sample in SAMPLES[name])]:
        (result,) = library.decode(data, input_kind=int(hello["formats"] == ["v07"]))
        assert seen(result.answer, fields) == seen(answer, fields)


def seen(answer: list[AnswerRecord], fields: set[str]) -> list[AnswerRecord]:
    """The answer as a target shows it that declares only these fields.

    Flags and codec are not in these answers, and sequences not among what is shown: kafka-protocol
    counts them even where there are none.
    """
    hidden = {name: value for name, value in AnswerRecord()._asdict().items() if name not in fields - {"sequence"}}
    return [record._replace(**hidden) for record in answer]


def test_every_declared_codec_is_decoded(library: Adapter) -> None:
    hello = library.hello()
    for number, codec in enumerate(["gzip", "snappy", "lz4", "zstd"], start=1):
        if codec in hello["codecs"] and "v2" in hello["formats"]:
            (result,) = library.decode(batch(samples.STREAMS[number], attributes=number))
            assert [record.value for record in result.answer] == [VALUE]


def test_damage_is_refused_by_those_who_look(library: Adapter, target: str) -> None:
    hello = library.hello()
    data, _ = SAMPLES[hello["formats"][-1]][0]
    (result,) = library.decode(samples.damaged(data, -3), input_kind=int(hello["formats"] == ["v07"]))
    assert result.status == int(hello["checks_crc"] and not LIBRARIES[target].is_careless)


def test_what_is_encoded_reads_back(library: Adapter, target: str) -> None:
    """It reads back with the offsets that a broker gives."""
    for magic in LIBRARIES[target].magics:
        kind, time = (-1, -1) if magic == 0 else (0, 1_700_000_000_000)
        asked = [AnswerRecord(offset, time, kind, KEY if offset else None, VALUE) for offset in (100, 101)]
        (encoded,) = library.encode(magic, 0, asked)
        assert encoded.status == 0, encoded.text
        back = records.decode(encoded.content)
        assert [tuple(record[:5]) for record in back] == [tuple(record[:5]) for record in asked]


@pytest.mark.parametrize("target", [name for name, known in LIBRARIES.items() if known.magics], indirect=True)
def test_what_no_producer_writes_is_a_gap(library: Adapter, target: str) -> None:
    """Log append time is a gap of every producer, and no refusal."""
    (result,) = library.encode(LIBRARIES[target].magics[-1], 0, [AnswerRecord(0, 0, 1, KEY, VALUE)])
    assert result.status == 2


@pytest.mark.parametrize("target", [name for name in LIBRARIES if language(name) == "javascript"], indirect=True)
def test_control_batches_are_not_asked_of_producers_in_javascript(library: Adapter, target: str) -> None:
    (result,) = library.encode(LIBRARIES[target].magics[-1], 0, [AnswerRecord(0, 0, 0, KEY, VALUE, flags=2)])
    assert (result.status, result.text) == (2, "a producer writes neither control batches nor log append time")


@pytest.mark.parametrize("target", [name for name, known in LIBRARIES.items() if known.mistake], indirect=True)
def test_no_mistake_of_the_library_is_mended(library: Adapter, target: str) -> None:
    mistake = LIBRARIES[target].mistake
    assert mistake is not None
    (result,) = library.decode(mistake.data)
    assert (getattr(result.answer[0], mistake.field) if result.status == 0 else None) == mistake.wrong


@pytest.mark.parametrize(
    ("target", "magic", "timestamp", "text"),
    [
        ("kio", 2, -1, "its timestamps are datetimes from 1970 on"),
        ("kio", 2, 253_402_300_800_000, "its timestamps are datetimes from 1970 on"),  # the year 10000
        ("pykafka", 1, -1, "a producer fills in the time where there is none"),
    ],
    indirect=["target"],
)
def test_time_that_its_users_cannot_ask_for_is_a_gap(library: Adapter, magic: int, timestamp: int, text: str) -> None:
    before, at = library.encode(
        magic, 0, [AnswerRecord(0, 1_000, 0, None, b"v")], [AnswerRecord(0, timestamp, 0, None, b"v")]
    )
    assert (before.status, at.status, at.text) == (0, 2, text)
