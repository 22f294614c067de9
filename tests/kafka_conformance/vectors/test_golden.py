import json
from pathlib import Path

import pytest
from kafka_conformance.vectors import golden
from kafka_conformance.vectors.vector import Refusal, Verdict
from kafka_tools.errors import UsageError

GOOD = {
    "id": "v2/plain/empty",
    "title": "no record at all",
    "format": "v2",
    "family": "v2-plain",
    "formats": ["v2"],
    "codecs": ["none"],
    "rules": ["v2.crc.covers-attributes-to-end"],
    "verdict": "valid",
    "hex": "00ff",
    "answer": [],
}
FAULT = {"stage": "checksum", "rule": "v2.crc", "offset": 17, "path": "crc", "twin": "v2/plain/empty"}


def write(folder: Path, *lines: object, name: str = "a.jsonl") -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
    return folder


def test_loads_every_file_in_order_and_skips_blank_lines(tmp_path: Path) -> None:
    write(tmp_path, {**GOOD, "id": "b"}, name="b.jsonl")
    write(tmp_path, {**GOOD, "id": "a1"}, "", {**GOOD, "id": "a2"})
    assert [vector.id for vector in golden.load(tmp_path)] == ["a1", "a2", "b"]


def test_fields_are_those_of_the_line(tmp_path: Path) -> None:
    line = {**GOOD, "verdict": "invalid", "answer": None, "fault": FAULT, "canonical": True}
    [vector] = golden.load(write(tmp_path, line))
    assert vector.data == b"\x00\xff"
    assert vector.verdict is Verdict.INVALID
    assert vector.fault == Refusal("checksum", "v2.crc", 17, "crc", "v2/plain/empty")
    assert (vector.answer, vector.canonical, vector.flag) == (None, True, "")
    assert vector.document == line


@pytest.mark.parametrize("patterns", [["v2/plain/*"], ["v2/plain/empty"], ["nothing", "v2/*/empty"]])
def test_lines_whose_id_does_not_match_are_not_parsed(tmp_path: Path, patterns: list[str]) -> None:
    write(tmp_path, '{"id": "v1/plain/empty", nonsense', GOOD)
    assert [vector.id for vector in golden.load(tmp_path, patterns=patterns)] == [GOOD["id"]]


def test_a_line_that_does_not_begin_with_its_id_is_found(tmp_path: Path) -> None:
    write(tmp_path, dict(reversed(GOOD.items())), {**GOOD, "id": "v1/plain/empty"})
    assert [vector.id for vector in golden.load(tmp_path, patterns=["v2/*"])] == [GOOD["id"]]


@pytest.mark.parametrize("identity", ['v2/"quoted"', "v2/back\\slash"])
def test_an_id_with_an_escape_is_found(tmp_path: Path, identity: str) -> None:
    write(tmp_path, {**GOOD, "id": identity}, GOOD)
    assert [vector.id for vector in golden.load(tmp_path, patterns=[identity.replace("\\", "?")])] == [identity]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{nonsense", r"a\.jsonl:2: not JSON"),
        ("[]", r"a\.jsonl:2: a vector is a JSON object"),
        ({**GOOD, "id": "x", "hex": "0"}, r"a\.jsonl:2: 'hex' of x is not hex"),
        ({**GOOD, "id": "x", "hex": 7}, r"a\.jsonl:2: 'hex' \(a text\) or 'recipe' \(an object\) is missing"),
        ({**GOOD, "id": "x", "verdict": "maybe"}, r"a\.jsonl:2: verdict 'maybe' is not one of valid, invalid, lenient"),
        ({**GOOD, "id": "x", "rules": "v2.crc"}, r"a\.jsonl:2: 'rules' is missing or is not of type list"),
        ({**GOOD, "id": "x", "answer": None}, r"a\.jsonl:2: x: a valid vector needs an answer"),
        ({**GOOD, "id": "x", "fault": {"stage": "checksum"}}, r"a\.jsonl:2: 'fault' needs stage, rule and offset"),
        (GOOD, r"a\.jsonl:2: id 'v2/plain/empty' is already taken by a\.jsonl:1"),
    ],
)
def test_bad_line_is_named_by_file_and_line(tmp_path: Path, line: object, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        golden.load(write(tmp_path, GOOD, line))


def test_line_without_a_key_names_it(tmp_path: Path) -> None:
    line = {key: value for key, value in GOOD.items() if key != "codecs"}
    with pytest.raises(UsageError, match="'codecs' is missing"):
        golden.load(write(tmp_path, line))


def test_folder_without_vectors_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no vector files"):
        golden.load(tmp_path)
