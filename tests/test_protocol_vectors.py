"""The files of vectors/protocol: what they promise."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from kafka_conformance.errors import VectorError
from kafka_conformance.vectors import protocol
from kafka_format.spec.flags import check_flags, flags
from kafka_format.spec.layout.release_table import numbers
from kafka_format.spec.rules import rules
from kafka_generator.protocol_vectors import files

ROOT = Path(__file__).parents[1]
MOST = 4_000_000
"""Bytes of all files together: a clone is to stay small."""


@pytest.fixture(scope="module")
def documents() -> list[Mapping[str, Any]]:
    return [vector.document for vector in protocol.load()]


def test_lines_fit_the_schema(documents: list[Mapping[str, Any]], pytestconfig: pytest.Config) -> None:
    """One of each kind, verdict, flag and rule: the schema says the same of all the others.

    A whole run takes one of each in every family.
    """
    keys = ["kind", "verdict", "flag", *(["family"] if pytestconfig.getoption("whole") else [])]
    schema = json.loads((ROOT / "spec/schema/protocol-vector.schema.json").read_text(encoding="utf-8"))
    sorts = {(*map(document.get, keys), document["rules"][0]): document for document in documents}
    validator = Draft202012Validator(schema)
    for document in sorts.values():
        assert list(validator.iter_errors(document)) == [], document["id"]


def test_an_id_names_one_vector(documents: list[Mapping[str, Any]]) -> None:
    assert len({document["id"] for document in documents}) == len(documents)


def test_a_vector_is_found_by_its_id_without_the_other_files(
    documents: list[Mapping[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Collection[str]] = []
    load = protocol.load
    monkeypatch.setattr(protocol, "load", lambda families: read.append(families) or load(families=families))
    for identity in {document["kind"]: document["id"] for document in documents}.values():
        vector = protocol.find(identity)
        assert vector is not None
        assert vector.id == identity
    assert protocol.find("heartbeat-request/0/no-such-word") is None
    assert protocol.find("no-such-request/0/typical") is None
    assert max(map(len, read)) <= 3  # that of the API, frames, and what was captured


def test_rules_and_flags_are_known(documents: list[Mapping[str, Any]]) -> None:
    assert {rule for document in documents for rule in document["rules"]} <= set(rules())
    check_flags(frozenset(document["flag"] for document in documents if "flag" in document))


def test_the_newest_release_that_knows_a_version_agrees(documents: list[Mapping[str, Any]]) -> None:
    for document in documents:
        if document["oracle"]:
            newest = max(document["oracle"], key=numbers)
            has_ended = "flag" in document and flags()[document["flag"]].has_ended_before(newest)
            expected = "refused" if document["verdict"] == "invalid" or has_ended else "accepted"
            assert document["oracle"][newest] == expected, document["id"]


def test_a_flag_that_has_ended_is_shown_by_the_releases_that_had_it(documents: list[Mapping[str, Any]]) -> None:
    """4.4 was the first to check the count, in all that its generator writes."""
    negative = [document["oracle"] for document in documents if document.get("flag") == "negative-tag-count-is-none"]
    assert {oracle["4.4.0"] for oracle in negative} == {"refused"}
    older = [word for oracle in negative for release, word in oracle.items() if release != "4.4.0"]
    assert set(older) == {"accepted"}
    assert len(older) > len(negative) / 2


def test_the_files_are_small() -> None:
    assert sum(file.stat().st_size for file in (ROOT / "vectors/protocol").iterdir()) < MOST


def test_a_file_that_is_not_what_the_index_says(tmp_path: Path) -> None:
    folder = tmp_path / "protocol"
    folder.mkdir()
    (folder / "index.json").write_text('{"files": [{"file": "x.jsonl.gz", "sha256": "00"}]}', encoding="utf-8")
    with pytest.raises(VectorError, match=r"protocol/x.jsonl.gz: cannot be read"):
        protocol.load(tmp_path)
    (folder / "x.jsonl.gz").write_bytes(files.pack("{}\n"))
    with pytest.raises(VectorError, match=r"protocol/x.jsonl.gz: is not what index.json says"):
        protocol.load(tmp_path)


def test_a_line_that_is_no_vector(tmp_path: Path) -> None:
    folder = tmp_path / "protocol"
    folder.mkdir()
    (folder / "x.jsonl.gz").write_bytes(files.pack("{}\n"))
    entry = {"file": "x.jsonl.gz", "sha256": "ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356"}
    (folder / "index.json").write_text(json.dumps({"files": [entry]}), encoding="utf-8")
    with pytest.raises(VectorError, match=r"protocol/x.jsonl.gz:1: no vector of the protocol: KeyError\('id'\)"):
        protocol.load(tmp_path)
