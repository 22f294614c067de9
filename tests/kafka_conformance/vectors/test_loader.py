"""Vectors of every kind, found by id and by pattern."""

import json
from pathlib import Path

import pytest
from kafka_conformance.errors import VectorError
from kafka_conformance.vectors import loader, log_vectors, protocol
from kafka_conformance.vectors.loader import Filters, Source
from kafka_conformance.vectors.patterns import chooses
from kafka_conformance.vectors.vector import Verdict
from kafka_tools.errors import UsageError

from tests.kafka_conformance.miniature_targets import invalid, lenient, valid


def lines(source: str) -> list[dict]:
    folder = Path(__file__).parents[3] / "vectors" / source
    return [json.loads(line) for file in sorted(folder.glob("*.jsonl")) for line in file.read_text().splitlines()]


@pytest.mark.parametrize(
    "identity",
    [
        "v2/gzip/plain",
        "deliver/control/last",
        "assign/v0/uncompressed",
        "convert/readable/v1",
        "conversation/errors/unknown-topic",
        "produce/v2/one/zstd",
        "directory/sound/plain",
        "file/epochs/empty",
        "start/sound/static",
        "heartbeat-request/0/typical",
    ],
)
def test_a_vector_of_every_kind_is_found_by_its_id(identity: str) -> None:
    assert loader.find(identity).id == identity


@pytest.mark.parametrize("source", ["directions", "conversations", "log"])
def test_a_pattern_may_begin_with_the_folder(source: str) -> None:
    found = [vector.id for vector in loader.choose(Filters((f"{source}/*",)))]
    assert found == [line["id"] for line in lines(source)]


def test_a_folder_is_no_part_of_an_id_otherwise() -> None:
    with pytest.raises(UsageError):
        loader.choose(Filters(("directio*",)))


@pytest.mark.parametrize("pattern", ["deliver/*", "group-metadata-*", "orders/*", "fetch-re*/4/typical", "directory/*"])
def test_patterns_find_what_they_name(pattern: str) -> None:
    assert loader.choose(Filters((pattern,)))


def test_the_files_that_are_left_out_have_no_id_that_fits() -> None:
    """Only those files of the protocol are read whose ids may fit; so none may fit elsewhere."""
    for beginning, family in {(vector.id.partition("/")[0], vector.family) for vector in protocol.load()}:
        for pattern in (f"{beginning}/4/typical", f"{beginning[:3]}*", "*/4/typical"):
            assert family in protocol.families_of((pattern,)), (pattern, family)


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("v2/gzip/plian", "v2/gzip/plain"),
        ("deliver/control/lst", "deliver/control/last"),
        ("heartbeat-request/0/typcal", "heartbeat-request/0/typical"),
        ("conversatoins/*", "conversations/*"),
        ("gruop-metadata-key/*", "group-metadata-key/*"),
    ],
)
def test_a_pattern_that_fits_nothing_is_an_error_with_near_ids(wrong: str, near: str) -> None:
    with pytest.raises(UsageError) as caught:
        loader.choose(Filters(("v2/gzip/plain", wrong)))
    assert wrong in caught.value.message
    assert near in caught.value.hint


def test_all_filters_hold() -> None:
    found = loader.choose(Filters(("v2/*",), "v2.crc*", "invalid"))
    assert found
    assert all(vector.verdict is Verdict.INVALID for vector in found)
    with pytest.raises(UsageError, match="no vector matches"):
        loader.choose(Filters(("v2/gzip/plain",), "v2.crc*", "lenient"))


def test_a_pattern_is_no_id() -> None:
    with pytest.raises(UsageError, match="is a pattern"):
        loader.find("v2/*")


def test_a_directory_is_valid_if_it_breaks_no_rule() -> None:
    for vector in loader.load(sources=[Source.LOG]):
        if vector.family == log_vectors.DIRECTORY:
            assert (vector.verdict is Verdict.VALID) == (not vector.document["breaks"])


@pytest.mark.parametrize("line", ["{", "[]", "7", "null", '{"id": "a"}', '{"files": {}}', '{"id": "a", "file": 3}'])
def test_a_wrong_line_of_a_log_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "a.jsonl").write_text(f"{line}\n")
    with pytest.raises(VectorError, match=r"log/a\.jsonl:1"):
        list(log_vectors.load(tmp_path))


@pytest.mark.parametrize(
    ("pattern", "identity", "is_chosen"),
    [
        ("heartbeat-request/0/typical", "heartbeat-request/0/typical@1", True),
        ("heartbeat-request/0/typical@1", "heartbeat-request/0/typical@1", True),
        ("heartbeat-request/0/typical@1", "heartbeat-request/0/typical@2", False),
        ("directory/*", "directory/sound/plain@open", True),
        ("directory", "directory/sound/plain@open", False),
        ("plain@open", "directory/sound/plain@open", False),
    ],
)
def test_a_pattern_chooses_all_that_is_asked_of_a_vector(pattern: str, identity: str, *, is_chosen: bool) -> None:
    assert chooses((pattern,), identity) is is_chosen


SET = (valid(b"\x01"), valid(b"\x02"), invalid(b"\xff"), lenient(b"\x80", answer=b""))


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        ({}, 4),
        ({"patterns": ("valid/*",)}, 2),
        ({"patterns": ("*/01", "lenient/*")}, 2),
        ({"patterns": ("VALID/*",)}, 0),
        ({"rule": "toy.*"}, 4),
        ({"rule": "other.*"}, 0),
        ({"verdict": "invalid"}, 1),
        ({"patterns": ("*",), "verdict": "valid"}, 2),
    ],
)
def test_filters(filters: dict[str, str], kept: int) -> None:
    assert len(Filters(**filters).keep(SET)) == kept
