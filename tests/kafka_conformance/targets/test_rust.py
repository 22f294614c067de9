"""The Rust targets: the template that all share, how they are pinned, and each as far as it is installed."""

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator

import pytest
from kafka_conformance.targets import manifest
from kafka_conformance.targets.folders import TARGETS, TEMPLATES

from tests.kafka_conformance.targets import compiled
from tests.kafka_conformance.targets.adapter_client import Adapter
from tests.kafka_conformance.targets.compiled import NULLS, STAMPED_BATCH

TEMPLATE = TEMPLATES["rust"]
CRATES = {"kafka-protocol-rs": "kafka-protocol", "kafka-rust": "kafka", "rskafka": "rskafka"}
MAGICS = {"kafka-protocol-rs": [2], "kafka-rust": [0], "rskafka": [2]}
MISTAKES = {  # what Kafka gives is 5000, and null
    "kafka-protocol-rs": (STAMPED_BATCH, "timestamp", 1000),
    "kafka-rust": (NULLS, "value", b""),
    "rskafka": (STAMPED_BATCH, "timestamp", 1000),
}

TOY = """
mod adapter;
use adapter::{Failure, Record};

fn full() -> Record {
    Record {
        offset: i64::MIN, timestamp: i64::MAX, timestamp_type: 1, key: Some(b"\\0k".to_vec()), value: Some(vec![]),
        headers: vec![(Some(b"a".to_vec()), Some(vec![0xff])), (Some(b"a".to_vec()), None)],
        producer_id: 9007199254740993, producer_epoch: -3, sequence: i32::MAX, flags: 3, codec: 4,
    }
}

fn decode(data: &[u8]) -> Result<Vec<Record>, Failure> {
    match data {
        b"all" => Ok(vec![full()]),
        b"refuses" => Err((1, "not so".into())),
        b"cannot" => Err((2, "no such thing".into())),
        b"panic" => panic!("bad luck"),
        _ => Ok(vec![]),
    }
}

fn same(record: &&Record) -> bool {
    let of = |r: &Record| {
        let head = (r.offset, r.timestamp, r.timestamp_type, r.key.clone(), r.value.clone(), r.headers.clone());
        (head, r.producer_id, r.producer_epoch, r.sequence, r.flags, r.codec)
    };
    of(record) == of(&full())
}

fn encode(magic: i8, codec: i8, records: &[Record]) -> Result<Vec<u8>, Failure> {
    if codec > 3 {
        return Err((2, "no such codec".into()));
    }
    Ok(vec![magic as u8, codec as u8, records.iter().filter(same).count() as u8])
}

fn main() {
    adapter::serve(r#"{"protocol": 1, "name": "toy"}"#, decode, encode);
}
"""


@pytest.fixture(scope="module")
def toy_command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A copy of the template with a toy behind it, as a stranger would begin; warnings fail."""
    if shutil.which("rustc") is None:
        pytest.skip("Rust is not on the PATH")
    folder = tmp_path_factory.mktemp("toy")
    shutil.copy(TEMPLATE, folder)
    (folder / "main.rs").write_text(TOY, encoding="utf-8")
    command = ["rustc", "--edition=2021", "-O", "-D", "warnings", "-o", "toy", "main.rs"]
    subprocess.run(command, cwd=folder, check=True, timeout=300)
    return [str(folder / "toy")]


@pytest.fixture
def toy(toy_command: list[str]) -> Iterator[Adapter]:
    with Adapter(toy_command) as adapter:
        yield adapter


def test_hello_says_what_the_adapter_declares(toy: Adapter) -> None:
    assert toy.hello() == {"protocol": 1, "name": "toy"}


def test_every_field_of_a_record_is_packed(toy: Adapter) -> None:
    compiled.check_every_answer_of_the_toy(toy)


def test_records_to_encode_arrive_in_every_field(toy: Adapter) -> None:
    compiled.check_records_to_encode(toy)


def test_block_larger_than_a_pipe_is_read_whole(toy: Adapter) -> None:
    compiled.check_large_blocks(toy)


def test_end_of_input_is_a_clean_end(toy: Adapter) -> None:
    assert toy.finish() == (0, b"", "")


def test_panic_is_a_crash_and_no_refusal(toy: Adapter) -> None:
    compiled.check_panic(toy)


def test_template_is_a_short_file_that_needs_nothing() -> None:
    text = TEMPLATE.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    assert set(re.findall(r"^use (\w+)", text, re.MULTILINE)) == {"std"}
    assert "catch_unwind" not in text


@pytest.mark.parametrize("name", CRATES)
def test_every_crate_is_pinned_with_its_checksum(name: str) -> None:
    wanted = tomllib.loads((TARGETS / name / "Cargo.toml").read_text(encoding="utf-8"))["dependencies"][CRATES[name]]
    version = manifest.known()[name].version
    assert f"'={version}'" in str({"version": wanted})
    locked = tomllib.loads((TARGETS / name / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    assert (CRATES[name], version) in {(package["name"], package["version"]) for package in locked}
    assert all(len(package["checksum"]) == 64 for package in locked if package["name"] != "adapter")
    assert "--locked" in manifest.known()[name].install[0]


@pytest.fixture(scope="module", params=CRATES)
def target(request: pytest.FixtureRequest) -> str:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def library(target: str) -> Iterator[Adapter]:
    yield from compiled.installed(target)


def test_hello_declares_what_the_manifest_claims(library: Adapter, target: str) -> None:
    compiled.check_hello(library, target)


def test_samples_decode(library: Adapter) -> None:
    compiled.check_samples(library)


def test_every_declared_codec_is_decoded(library: Adapter) -> None:
    compiled.check_codecs(library)


def test_damage_is_refused_by_those_who_look(library: Adapter) -> None:
    compiled.check_damage(library)


def test_what_is_encoded_reads_back(library: Adapter, target: str) -> None:
    compiled.check_encoding(library, MAGICS[target])


def test_what_no_producer_writes_is_a_gap(library: Adapter) -> None:
    compiled.check_gaps_in_encoding(library)


def test_no_mistake_of_the_library_is_mended(library: Adapter, target: str) -> None:
    data, field, wrong = MISTAKES[target]
    (result,) = library.decode(data)
    assert [getattr(record, field) for record in result.answer] == [wrong]
