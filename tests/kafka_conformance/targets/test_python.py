"""The Python targets: the template that all share, how they are pinned, and each as far as it is installed."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from kafka_conformance.targets import manifest
from kafka_conformance.targets.folders import TARGETS, TEMPLATES

from tests.kafka_conformance.targets import compiled
from tests.kafka_conformance.targets.adapter_client import Adapter, AnswerRecord, read_partial
from tests.kafka_conformance.targets.compiled import STAMPED_BATCH, STAMPED_WRAPPER

TEMPLATE = TEMPLATES["python"]
PACKAGES = {
    "afkak": "afkak",
    "aiokafka": "aiokafka",
    "brod": "brod",
    "kafka-python": "kafka-python",
    "kafka-python-2": "kafka-python",
    "kio": "kio",
    "pykafka": "pykafka",
    "samsa": "samsa",
}
MAGICS = {
    "afkak": [0],
    "aiokafka": [0, 1, 2],
    "aiokafka-pure": [0, 1, 2],
    "kafka-python": [0, 1, 2],
    "kafka-python-2": [0, 1, 2],
    "kio": [2],
    "pykafka": [0, 1],
}

TOY = """
from python_adapter import NotSupported, Record, serve

FULL = Record(-(2**63), 2**63 - 1, 1, b"\\0k", b"", ((b"a", b"\\xff"), (b"a", None)), 2**53 + 1, -3, 2**31 - 1, True,
              True, 4)


def decode(data):
    if data in (b"all", b"half"):
        yield FULL
    if data == b"half":
        raise KeyError("not to the end")
    if data == b"refuses":
        raise ValueError("not so")
    if data == b"cannot":
        raise NotSupported("no such thing")
    if data == b"print":
        print("noise")
    if data == b"far":
        yield Record(2**63, -(2**64))


def encode(magic, codec, records):
    if codec > 3:
        raise NotSupported("no such codec")
    return bytes([magic, codec, records.count(FULL)])


serve({"name": "toy"}, decode, encode)
"""


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Adapter]:
    """A copy of the template with a toy behind it, as a stranger would begin."""
    (tmp_path / TEMPLATE.name).write_bytes(TEMPLATE.read_bytes())
    (tmp_path / "toy.py").write_text(TOY, encoding="utf-8")
    with Adapter([sys.executable, str(tmp_path / "toy.py")]) as adapter:
        yield adapter


def test_hello_says_what_the_adapter_declares(toy: Adapter) -> None:
    assert toy.hello() == {"protocol": 1, "name": "toy", "directions": ["decode", "encode"]}


def test_every_field_of_a_record_is_packed(toy: Adapter) -> None:
    all_, empty, refuses, cannot = toy.decode(b"all", b"empty", b"refuses", b"cannot")
    assert (all_.answer, empty.answer) == ([compiled.FULL], [])
    assert (refuses.status, refuses.text) == (1, "ValueError: not so")
    assert (cannot.status, cannot.text) == (2, "no such thing")


def test_records_to_encode_arrive_in_every_field(toy: Adapter) -> None:
    compiled.check_records_to_encode(toy)


def test_block_larger_than_a_pipe_is_read_whole(toy: Adapter) -> None:
    compiled.check_large_blocks(toy)


def test_integers_that_no_int64_holds_are_not_wrapped(toy: Adapter) -> None:
    [record] = toy.decode(b"far")[0].answer
    assert (record.offset, record.timestamp) == (2**63 - 1, -(2**63))


def test_records_before_an_error_are_shown_to_a_suite_that_can_read_them(toy: Adapter) -> None:
    (hidden,) = toy.decode(b"half")
    assert (hidden.status, hidden.text) == (1, "KeyError: 'not to the end'")
    assert toy.hello(partial=True)["partial"] is True
    (shown,) = toy.decode(b"half")
    assert (shown.status, read_partial(shown.content)) == (3, ([compiled.FULL], "KeyError: 'not to the end'"))


def test_what_a_library_prints_goes_to_standard_error(toy: Adapter) -> None:
    assert [result.status for result in toy.decode(b"print", b"empty")] == [0, 0]
    assert toy.finish() == (0, b"", "noise\n")


def test_template_is_a_short_file_that_needs_nothing() -> None:
    text = TEMPLATE.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 140
    modules = re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)
    assert set(modules) <= sys.stdlib_module_names


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_is_pinned_with_its_hashes(name: str) -> None:
    folder, pin = TARGETS / name, f"{PACKAGES[name]}=={manifest.known()[name].version}"
    assert f"{pin} \\\n    --hash=sha256:" in (folder / "requirements.lock").read_text(encoding="utf-8")
    assert all("--require-hashes" in command for command in manifest.known()[name].install if "pip" in command)


@pytest.fixture(scope="module", params=[*MAGICS, "brod", "samsa"])
def target(request: pytest.FixtureRequest) -> str:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def library(target: str) -> Iterator[Adapter]:
    yield from compiled.installed(target)


def test_hello_declares_what_the_manifest_claims(library: Adapter, target: str) -> None:
    compiled.check_hello(library, target, ["decode", "encode"] if target in MAGICS else ["decode"])


def test_samples_decode(library: Adapter, target: str) -> None:
    compiled.check_samples(library, ["timestamp"] if target == "kio" else [])  # kio cuts them to whole seconds


def test_every_declared_codec_is_decoded(library: Adapter) -> None:
    compiled.check_codecs(library)


def test_what_is_encoded_reads_back(library: Adapter, target: str) -> None:
    compiled.check_encoding(library, MAGICS.get(target, []))


@pytest.mark.parametrize(
    ("name", "data", "timestamp"),
    [
        ("kio", STAMPED_BATCH, 1000),  # Kafka: 5000
        ("pykafka", STAMPED_WRAPPER, None),  # Kafka: 5000
    ],
)
def test_no_mistake_of_the_library_is_mended(name: str, data: bytes, timestamp: int | None) -> None:
    for library in compiled.installed(name):
        (result,) = library.decode(data)
        assert (result.answer[0].timestamp if result.status == 0 else None) == timestamp


@pytest.mark.parametrize(
    ("name", "magic", "timestamp", "text"),
    [
        ("kio", 2, -1, "its timestamps are datetimes from 1970 on"),
        ("kio", 2, 253_402_300_800_000, "its timestamps are datetimes from 1970 on"),  # the year 10000
        ("pykafka", 1, -1, "a producer fills in the time where there is none"),
    ],
)
def test_time_that_its_users_cannot_ask_for_is_a_gap(name: str, magic: int, timestamp: int, text: str) -> None:
    for library in compiled.installed(name):
        before, at = library.encode(
            magic, 0, [AnswerRecord(0, 1_000, 0, None, b"v")], [AnswerRecord(0, timestamp, 0, None, b"v")]
        )
        assert (before.status, at.status, at.text) == (0, 2, text)


def test_damage_is_delivered_by_a_release_that_never_looks() -> None:
    """The consumer of 2.0.2 documents `check_crcs` and has no code for it; a later one looks."""
    statuses = {}
    for name in ("kafka-python", "kafka-python-2"):
        for library in compiled.installed(name):
            statuses[name] = library.decode(compiled.samples.damaged(compiled.samples.V2, -3))[0].status
    assert statuses == {"kafka-python": 1, "kafka-python-2": 0}
