"""A promoted finding is a case that the generator takes, once."""

import json
import re
import shutil
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.errors import UsageError
from kafka_conformance.scale.reduction import model
from kafka_conformance.scale.reduction.promotion import case_of, promote, told
from kafka_conformance.vectors.golden import PROMOTED_FILE
from kafka_format.errors import LayoutError
from kafka_format.records import v07
from kafka_format.spec import data
from kafka_generator import files, promoted

from tests.kafka_conformance.scale.reduction.finished import DATA, FOUND


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Vectors of two families, and their cases."""
    shipped = data.path("vectors")
    (tmp_path / "cases").mkdir()
    shutil.copy(shipped / "cases" / "payloads.json", tmp_path / "cases")
    shutil.copy(shipped / "cases" / "record-batch.yaml", tmp_path / "cases")
    shutil.copy(shipped / "record-batch.jsonl", tmp_path)
    return tmp_path


def test_a_promoted_finding_is_built_and_judged_like_any_case(directory: Path) -> None:
    name = promote(FOUND, directory).id
    assert name == "promoted/v2/records-attributes-bit_7/offset"
    made, _ = files.make(directory, may_add=False, construct=False)
    [one] = [one for one in made if one.case.id == name]
    assert one.data == DATA
    assert one.case.rules == ("v2.record.attributes.ignored",)
    assert "seed 7, index 1234, profile mixed" in one.case.source
    assert "slipping 1.2 gave a wrong answer" in one.case.source
    assert one.judged.answer is not None
    assert one.judged.answer[0].offset == 0
    with pytest.raises(LayoutError, match=r"promoted.jsonl:1.*was never put to kafka-clients"):
        files.texts([one], files.OracleRecord(directory / "cases" / "oracle.json"))


@pytest.mark.parametrize("cause", [(), ("[1].message.value[0].message.attributes.timestamp_type = 1",), FOUND.telling])
def test_ids_are_those_of_vectors(cause: tuple[str, ...]) -> None:
    pattern = json.loads((data.path("spec") / "schema" / "vector.schema.json").read_text())["properties"]["id"]
    for outcome in ("wrong-answer", "partial-answer", "crashed"):
        document = case_of(replace(FOUND, cause=cause, outcome=outcome))
        assert re.fullmatch(pattern["pattern"], document["id"])


def test_nothing_is_promoted_twice(directory: Path) -> None:
    promote(FOUND, directory)
    with pytest.raises(UsageError, match="has the same bytes"):
        promote(FOUND, directory)
    other = model.write([{"records": [{"attributes": -76, "key": b"\7"}]}])
    with pytest.raises(UsageError, match="there is a vector promoted/v2/records-attributes-bit_7/offset already"):
        promote(replace(FOUND, hex=other.hex()), directory)
    assert len((directory / "cases" / PROMOTED_FILE).read_text().splitlines()) == 1


def test_bytes_of_a_golden_vector_are_not_promoted(directory: Path) -> None:
    known = json.loads((directory / "record-batch.jsonl").read_text().splitlines()[0])
    with pytest.raises(UsageError, match=f"the vector {known['id']} has the same bytes"):
        promote(replace(FOUND, hex=known["hex"]), directory)


def test_what_did_not_fail_again_is_not_promoted(directory: Path) -> None:
    with pytest.raises(UsageError, match="did not fail again"):
        promote(replace(FOUND, outcome="passed"), directory)


CUT = replace(
    FOUND,
    hex=DATA[:60].hex() + "02" + DATA[61:].hex(),
    outcome="crashed",
    path="",
    fault="v2/count-more",
    twin=DATA.hex(),
    cause=("v2/count-more",),
)
"""A fault inside of the checksum, so the checksum is what is wrong."""


def test_bytes_with_a_fault_come_with_a_twin_and_the_rule_that_the_reference_names(directory: Path) -> None:
    new = promote(CUT, directory)
    assert new.id == "promoted/v2/count-more/crc"
    assert (new.verdict, new.rules) == ("invalid", ("v2.crc.covers-attributes-to-end",))
    assert (new.twin, new.adds_twin) == (f"{new.id}/twin", True)
    made, _ = files.make(directory, may_add=False, construct=False)
    by_id = {one.case.id: one for one in made}
    assert by_id[new.twin].data == DATA
    assert by_id[new.id].judged.fault is not None
    assert by_id[new.id].case.twin == new.twin
    assert "which is new too" in "\n".join(told(new, directory))


def test_a_vector_that_is_there_is_the_twin(directory: Path) -> None:
    name = promote(FOUND, directory).id
    new = promote(CUT, directory)
    assert (new.twin, new.adds_twin) == (name, False)
    assert len((directory / "cases" / PROMOTED_FILE).read_text().splitlines()) == 2


def test_lenient_bytes_name_the_flag_of_their_fault(directory: Path) -> None:
    sound = model.write([{"offset": 0, "message": {"magic": 0, "attributes": 0, "key": None, "value": b""}}])
    body = bytes.fromhex("0000fffffffe00000000")
    lenient = bytes(8) + (14).to_bytes(4, "big") + zlib.crc32(body).to_bytes(4, "big") + body
    found = replace(CUT, format="v0", fault="v0/null-below-minus-1", hex=lenient.hex(), twin=sound.hex())
    document = case_of(found)
    assert (document["verdict"], document["flag"]) == ("lenient", "negative-length-is-null")
    assert document["fault"] == {"rule": "length.not-negative", "path": "message.key.length"}
    new = promote(found, directory)
    made, _ = files.make(directory, may_add=False, construct=False)
    [one] = [one for one in made if one.case.id == new.id]
    assert [record.key for record in one.judged.answer or ()] == [None]


def test_vectors_that_say_the_same_are_named(directory: Path) -> None:
    new = promote(CUT, directory)
    assert new.alike
    known = {json.loads(line)["id"] for line in (directory / "record-batch.jsonl").read_text().splitlines()}
    assert set(new.alike) <= known
    assert f"  kafka-conformance run slipping --vectors {new.alike[0]}" in "\n".join(told(new, directory))


def test_a_message_of_07_is_promoted_as_one(directory: Path) -> None:
    old = v07_message(b"\1")
    found = replace(FOUND, format="v07", hex=old.hex(), path="records[0].value", cause=(), telling=())
    assert promote(found, directory).rules == ("v07.payload",)
    made, _ = files.make(directory, may_add=False, construct=False)
    assert [one.data for one in made if one.case.family == "promoted"] == [old]
    assert v07.decode(old)


def v07_message(payload: bytes) -> bytes:
    return model.write([{"message": {"magic": 1, "attributes": 0, "payload": payload}}])


def test_it_takes_a_checkout(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no cases"):
        promote(FOUND, tmp_path)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "is no promoted finding"),
        ('{"id": "promoted/x", "hex": "0g"}', "is no promoted finding"),
        ('{"id": "promoted/x", "hex": "00"}', "`title` is missing"),
        (json.dumps(case_of(FOUND) | {"rules": ["v2.kee"]}), "there is no rule `v2.kee`"),
    ],
)
def test_a_spoilt_line_is_named(tmp_path: Path, line: str, words: str) -> None:
    file = tmp_path / PROMOTED_FILE
    file.write_text(line + "\n")
    with pytest.raises(LayoutError, match=rf"promoted.jsonl:1.*{words}"):
        promoted.load(file)
