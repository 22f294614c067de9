"""The Go targets: the template that all share, how they are pinned, and each as far as it is installed."""

import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest
from kafka_conformance.targets import manifest
from kafka_conformance.targets.folders import TARGETS, TEMPLATES

from tests.kafka_conformance.targets import compiled
from tests.kafka_conformance.targets.adapter_client import Adapter
from tests.kafka_conformance.targets.compiled import STAMPED_BATCH, STAMPED_WRAPPER

TEMPLATE = TEMPLATES["go"]
MODULES = {
    "franz-go": "github.com/twmb/franz-go",
    "sarama": "github.com/IBM/sarama",
    "segmentio-kafka-go": "github.com/segmentio/kafka-go",
}
MAGICS = {"franz-go": [0, 1, 2], "sarama": [0, 1, 2], "segmentio-kafka-go": [1, 2]}
MISTAKES = {"franz-go": STAMPED_WRAPPER, "sarama": STAMPED_WRAPPER, "segmentio-kafka-go": STAMPED_BATCH}

TOY = """
package main

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	. "toy/adapter"
)

var full = Record{
	Offset: math.MinInt64, Timestamp: math.MaxInt64, TimestampType: 1, Key: []byte("\\x00k"), Value: []byte{},
	Headers:    [][2][]byte{{[]byte("a"), {0xff}}, {[]byte("a"), nil}},
	ProducerID: 9007199254740993, ProducerEpoch: -3, Sequence: math.MaxInt32, Flags: 3, Codec: 4,
}

func decode(data []byte) ([]Record, error) {
	switch string(data) {
	case "all":
		return []Record{full}, nil
	case "refuses":
		return nil, errors.New("not so")
	case "half":
		return []Record{full}, errors.New("not to the end")
	case "cannot":
		return nil, fmt.Errorf("%w: no such thing", errors.ErrUnsupported)
	case "print":
		fmt.Println("noise")
	case "panic":
		panic("bad luck")
	}
	return nil, nil
}

func encode(magic, codec int8, records []Record) ([]byte, error) {
	if codec > 3 {
		return nil, errors.ErrUnsupported
	}
	same := byte(0)
	for _, record := range records {
		if reflect.DeepEqual(record, full) {
			same++
		}
	}
	return []byte{byte(magic), byte(codec), same}, nil
}

func main() {
	Target{Hello: map[string]any{"protocol": 1, "name": "toy"}, Decode: decode, Encode: encode}.Serve()
}
"""


@pytest.fixture(scope="module")
def toy_command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A copy of the template with a toy behind it, as a stranger would begin."""
    if shutil.which("go") is None:
        pytest.skip("Go is not on the PATH")
    folder = tmp_path_factory.mktemp("toy")
    (folder / "adapter").mkdir()
    shutil.copy(TEMPLATE, folder / "adapter")
    (folder / "go.mod").write_text("module toy\n\ngo 1.25\n", encoding="utf-8")
    (folder / "main.go").write_text(TOY, encoding="utf-8")
    subprocess.run(["go", "build", "-o", "toy", "."], cwd=folder, check=True, timeout=300)
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


def test_records_before_an_error_are_no_answer(toy: Adapter) -> None:
    (half,) = toy.decode(b"half")
    assert (half.status, half.text) == (1, "not to the end")


def test_what_a_library_prints_goes_to_standard_error(toy: Adapter) -> None:
    assert [result.status for result in toy.decode(b"print", b"empty")] == [0, 0]
    assert toy.finish() == (0, b"", "noise\n")


def test_panic_is_a_crash_and_no_refusal(toy: Adapter) -> None:
    compiled.check_panic(toy)


def test_template_is_a_short_file_that_needs_nothing() -> None:
    text = TEMPLATE.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    (imports,) = re.findall(r"import \(\n(.*?)\)", text, re.DOTALL)
    assert not re.search(r'"\w+\.\w+/', imports)
    assert not re.search(r"\brecover\(", text)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_is_pinned_with_its_checksum(name: str) -> None:
    wanted = f"{MODULES[name]} v{manifest.known()[name].version}"
    assert f"\t{wanted}\n" in (TARGETS / name / "go.mod").read_text(encoding="utf-8")
    sums = (TARGETS / name / "go.sum").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith(f"{wanted} h1:") for line in sums)
    assert "-mod=readonly" in manifest.known()[name].install[0]


@pytest.fixture(scope="module", params=MODULES)
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
    (result,) = library.decode(MISTAKES[target])
    assert [record.timestamp for record in result.answer] == [1000]  # Kafka: 5000
