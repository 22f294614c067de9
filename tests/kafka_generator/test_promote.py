"""A promoted finding is a case that the generator takes, once, with likely rules."""

import json
import re
import shutil
import zlib
from pathlib import Path

import pytest
from kafka_conformance.reduction import tree
from kafka_conformance.scale.results import reductions
from kafka_conformance.vectors.golden import PROMOTED_FILE
from kafka_format.errors import LayoutError
from kafka_format.records import v07
from kafka_format.spec import data
from kafka_generator import files, promotions
from kafka_generator.promote import case_of, main, next_steps, promote
from kafka_tools.errors import UsageError

from tests.kafka_conformance.scale.reduce.sample import DATA, FINDING, PARTS, change


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
    name = promote(FINDING, directory).case["id"]
    assert name == "promoted/v2/records-attributes-bit_7/offset"
    made, _ = files.make(directory, may_add=False, construct=False)
    [made_case] = [made_case for made_case in made if made_case.case.id == name]
    assert made_case.data == DATA
    assert made_case.case.rules == ("v2.record.attributes.ignored",)
    assert "seed 7, index 1234, profile mixed" in made_case.case.source
    assert "slipping 1.2 gave a wrong answer" in made_case.case.source
    assert made_case.judgement.answer is not None
    assert made_case.judgement.answer[0].offset == 0
    with pytest.raises(LayoutError, match=r"promoted.jsonl:1.*was never put to kafka-clients"):
        files.texts([made_case], files.OracleRecord(directory / "cases" / "oracle.json"))


@pytest.mark.parametrize("cause", [(), ("[1].message.value[0].message.attributes.timestamp_type = 1",), PARTS])
def test_ids_are_those_of_vectors(cause: tuple[str, ...]) -> None:
    pattern = json.loads((data.path("spec") / "schema" / "vector.schema.json").read_text())["properties"]["id"]
    for outcome in ("wrong-answer", "partial-answer", "crashed"):
        document = case_of(change(cause={"parts": cause}, failure={"outcome": outcome}))
        assert re.fullmatch(pattern["pattern"], document["id"])


def test_nothing_is_promoted_twice(directory: Path) -> None:
    promote(FINDING, directory)
    with pytest.raises(UsageError, match="has the same bytes"):
        promote(FINDING, directory)
    other = tree.write([{"records": [{"attributes": -76, "key": b"\7"}]}])
    with pytest.raises(UsageError, match="there is a vector promoted/v2/records-attributes-bit_7/offset already"):
        promote(change(minimal={"hex": other.hex()}), directory)
    assert len((directory / "cases" / PROMOTED_FILE).read_text().splitlines()) == 1


def test_bytes_of_a_golden_vector_are_not_promoted(directory: Path) -> None:
    known = json.loads((directory / "record-batch.jsonl").read_text().splitlines()[0])
    with pytest.raises(UsageError, match=f"the vector {known['id']} has the same bytes"):
        promote(change(minimal={"hex": known["hex"]}), directory)


def test_what_did_not_fail_again_is_not_promoted(directory: Path) -> None:
    with pytest.raises(UsageError, match="did not fail again"):
        promote(change(failure={"outcome": "passed"}), directory)


CUT = change(
    minimal={"hex": DATA[:60].hex() + "02" + DATA[61:].hex(), "fault": "v2/count-more", "twin": DATA.hex()},
    failure={"outcome": "crashed", "path": ""},
    cause={"parts": ("v2/count-more",)},
)
"""A fault inside of the checksum, so the checksum is what is wrong."""


def test_bytes_with_a_fault_come_with_a_twin_and_the_rule_that_the_reference_names(directory: Path) -> None:
    new = promote(CUT, directory)
    name = new.case["id"]
    assert name == "promoted/v2/count-more/crc"
    assert (new.case["verdict"], new.case["rules"]) == ("invalid", ["v2.crc.covers-attributes-to-end"])
    assert (new.case["twin"], new.adds_twin) == (f"{name}/twin", True)
    made, _ = files.make(directory, may_add=False, construct=False)
    by_id = {made_case.case.id: made_case for made_case in made}
    assert by_id[new.case["twin"]].data == DATA
    assert by_id[name].judgement.fault is not None
    assert by_id[name].case.twin == new.case["twin"]
    assert "which is new too" in "\n".join(next_steps(new, directory))


def test_a_vector_that_is_there_is_the_twin(directory: Path) -> None:
    name = promote(FINDING, directory).case["id"]
    new = promote(CUT, directory)
    assert (new.case["twin"], new.adds_twin) == (name, False)
    assert len((directory / "cases" / PROMOTED_FILE).read_text().splitlines()) == 2


def test_lenient_bytes_name_the_flag_of_their_fault(directory: Path) -> None:
    sound = tree.write([{"offset": 0, "message": {"magic": 0, "attributes": 0, "key": None, "value": b""}}])
    body = bytes.fromhex("0000fffffffe00000000")
    lenient = bytes(8) + (14).to_bytes(4, "big") + zlib.crc32(body).to_bytes(4, "big") + body
    fault = {"format": "v0", "fault": "v0/null-below-minus-1", "hex": lenient.hex(), "twin": sound.hex()}
    finding = change(CUT, minimal=fault)
    case = case_of(finding)
    assert (case["verdict"], case["flag"]) == ("lenient", "negative-length-is-null")
    assert case["fault"] == {"rule": "length.not-negative", "path": "message.key.length"}
    new = promote(finding, directory)
    made, _ = files.make(directory, may_add=False, construct=False)
    [made_case] = [made_case for made_case in made if made_case.case.id == new.case["id"]]
    assert [record.key for record in made_case.judgement.answer or ()] == [None]


def test_vectors_that_say_the_same_are_named(directory: Path) -> None:
    new = promote(CUT, directory)
    assert new.alike
    known = {json.loads(line)["id"] for line in (directory / "record-batch.jsonl").read_text().splitlines()}
    assert set(new.alike) <= known
    assert f"  kafka-conformance run slipping --vectors {new.alike[0]}" in "\n".join(next_steps(new, directory))


def test_a_message_of_07_is_promoted_as_one(directory: Path) -> None:
    old = v07_message(b"\1")
    finding = change(
        minimal={"format": "v07", "hex": old.hex(), "parts": ()},
        failure={"path": "records[0].value"},
        cause={"parts": ()},
    )
    assert promote(finding, directory).case["rules"] == ["v07.payload"]
    made, _ = files.make(directory, may_add=False, construct=False)
    assert [made_case.data for made_case in made if made_case.case.family == "promoted"] == [old]
    assert v07.decode(old)


def v07_message(payload: bytes) -> bytes:
    return tree.write([{"message": {"magic": 1, "attributes": 0, "payload": payload}}])


def test_it_takes_a_checkout(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no cases"):
        promote(FINDING, tmp_path)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "is no promoted finding"),
        ('{"id": "promoted/x", "hex": "0g"}', "is no promoted finding"),
        ('{"id": "promoted/x", "hex": "00"}', "`title` is missing"),
        (json.dumps(case_of(FINDING) | {"rules": ["v2.kee"]}), "there is no rule `v2.kee`"),
    ],
)
def test_a_spoilt_line_is_named(tmp_path: Path, line: str, words: str) -> None:
    file = tmp_path / PROMOTED_FILE
    file.write_text(line + "\n")
    with pytest.raises(LayoutError, match=rf"promoted.jsonl:1.*{words}"):
        promotions.load(file)


def test_a_cause_of_many_parts_has_a_short_id_of_its_own() -> None:
    names = [f"records[0].attributes.bit_{bit} = 1" for bit in range(8)] + ["producer_id = 3", "base_sequence = 2"]
    causes = [names, names[:-1], [*names[:-1], "base_offset = 2"]]
    ids = [case_of(change(cause={"parts": tuple(parts)}))["id"] for parts in causes]
    assert len(set(ids)) == 3
    start = "promoted/v2/records-attributes-bit_0/records-attributes-bit_1/and-"
    assert [re.sub(r"[0-9a-f]{6}/", "*/", each) for each in ids] == [
        f"{start}8-more-*/offset",
        f"{start}7-more-*/offset",
        f"{start}8-more-*/offset",
    ]


def test_the_program_says_what_is_missing(tmp_path: Path, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = {"kind": reductions.KIND, "reduced": []}
    (tmp_path / "reduced.json").write_text(json.dumps(document), encoding="utf-8")
    assert main(["1", "--out", str(tmp_path), "--vectors", str(directory)]) == 2
    assert "has 0 reduced findings" in capsys.readouterr().err
    assert main(["1", "--out", str(tmp_path / "none"), "--vectors", str(directory)]) == 2
    assert "has no reduced findings" in capsys.readouterr().err
