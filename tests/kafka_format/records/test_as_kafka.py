"""`decode(as_kafka=...)` does what that release did, for every vector that it was asked about."""

from typing import Any

import pytest
from kafka_format.errors import FormatError
from kafka_format.records import decode
from kafka_format.spec import data
from kafka_format.spec.releases import Release, releases
from kafka_generator.oracle import OracleRecord, fields_of, name_of, record_text

from tests import shipped

pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["machine", "python"], indirect=True),
]

VECTORS = data.path("vectors")
RECORD = OracleRecord(VECTORS / "cases/oracle.json")
ASKED = [vector.document for vector in shipped.vectors().values() if vector.oracle and not vector.is_large]
"""All but the large ones, which say nothing new of a release."""

ONE_ZSTD_FRAME = "zstd-jni 1.3 ends a stream where its first frame ends, so what a second one holds is missing"
BROKEN_LZ4_CHECKSUM = "0.8.2 and 0.9 demand the wrong header checksum that they write themselves (KAFKA-3160)"

OVERFLOW = "0.9 to 0.10.1 add sizes and positions in 32 bits, and fail where they overflow, though the entry is cut off"

EXCEPTIONS = {
    ("2.1", "v2/zstd/two-frames"): ONE_ZSTD_FRAME,
    ("2.1", "v2/zstd/skippable-frame"): ONE_ZSTD_FRAME,
    ("0.9", "v0/wrapper/lz4-right-header-checksum"): BROKEN_LZ4_CHECKSUM,
    ("0.8.2", "v0/wrapper/lz4-right-header-checksum"): BROKEN_LZ4_CHECKSUM,
    ("0.9", "wild/franz-go-1-22-2/v0/lz4/few-sent"): BROKEN_LZ4_CHECKSUM,
    ("0.8.2", "wild/franz-go-1-22-2/v0/lz4/few-sent"): BROKEN_LZ4_CHECKSUM,
    ("0.10.1", "run/cut/largest-size"): OVERFLOW,
    ("0.10.0", "run/cut/largest-size"): OVERFLOW,
    ("0.9", "run/cut/largest-size"): OVERFLOW,
}
"""Where a release is stricter than the rules, which no flag can make of the reference."""


def said_by(release: Release, vector: dict[str, Any]) -> str:
    try:
        answer = decode(bytes.fromhex(vector["hex"]), as_kafka=release.name)
    except FormatError:
        return "refused"
    return record_text(answer, fields_of(release))


def differing(release: Release) -> dict[tuple[str, str], tuple[str, str]]:
    found = {}
    for vector in ASKED:
        if name_of(release) in vector["oracle"]:
            kafka = RECORD.of(bytes.fromhex(vector["hex"]))[name_of(release)].split(":")[0]
            ours = said_by(release, vector)
            if kafka != ours:
                found[release.name, vector["id"]] = (kafka, ours)
    return found


@pytest.mark.parametrize("name", releases())
def test_the_reference_does_what_the_release_did(name: str) -> None:
    assert differing(releases()[name]).keys() == {key for key in EXCEPTIONS if key[0] == name}


@pytest.mark.parametrize("name", releases())
def test_each_release_was_asked_about_all_that_it_reads(name: str) -> None:
    release = releases()[name]
    for vector in ASKED:
        reads = set(vector["formats"]) <= set(release.formats) and set(vector["codecs"]) <= set(release.codecs)
        assert (name_of(release) in vector["oracle"]) == reads, vector["id"]


def test_what_old_releases_did_is_told() -> None:
    words = {word for vector in ASKED for word in vector["oracle"].values()}
    assert words == {"accepted", "refused", "accepted otherwise"}


def test_an_unknown_release_lists_the_known_ones() -> None:
    with pytest.raises(
        ValueError, match=r"the vectors were not run against Kafka '3\.8'; known are 4\.4, .*, 0\.8\.2$"
    ):
        decode(b"", as_kafka="3.8")


def test_releases_stand_newest_first() -> None:
    names = [tuple(map(int, name.split("."))) for name in releases()]
    assert names == sorted(names, reverse=True)


def test_formats_that_came_later_are_refused() -> None:
    v1 = next(vector for vector in ASKED if vector["format"] == "v1" and vector["verdict"] == "valid")
    with pytest.raises(FormatError, match=r"is 1; Kafka 0\.9 reads v0") as caught:
        decode(bytes.fromhex(v1["hex"]), as_kafka="0.9")
    assert caught.value.facts() == ("entry.magic.known", "framing", 16, "magic", False)


def test_codecs_that_came_later_are_refused() -> None:
    zstd = next(vector for vector in ASKED if vector["codecs"] == ["zstd"] and vector["verdict"] == "valid")
    with pytest.raises(FormatError, match=r"is 4 \(zstd\); Kafka 2.0 reads none, gzip, snappy, lz4") as caught:
        decode(bytes.fromhex(zstd["hex"]), as_kafka="2.0")
    assert caught.value.facts() == ("v2.codec.known", "structure", 21, "attributes.codec", False)
