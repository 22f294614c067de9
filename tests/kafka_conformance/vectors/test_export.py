"""Exports of the vectors: whole, always the same, right to the byte, and never over other files."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.errors import VectorError
from kafka_conformance.protocol import answers
from kafka_conformance.vectors import directions, export, json_answers, loader
from kafka_conformance.vectors.export import ExportKind
from kafka_conformance.vectors.loader import ABOUT, Filters, Source
from kafka_conformance.vectors.vector import AnyVector
from kafka_tools.errors import UsageError

from tests import shipped
from tests.command_line import Main

ROOT = Path(__file__).resolve().parents[3]
ALL = frozenset(ExportKind)


SAMPLE = (
    "run/*",
    "control/*",
    "v07/*",
    "v2/batch/empty-*",
    "large/v2/last-byte",
    "edge/*",
    "deliver/*",
    "convert/*",
    "assign/*",
    "conversation/errors/*",
    "produce/v2/one/*",
    "directory/sound/*",
    "file/name/*",
)
"""What a usual run exports; a whole one exports everything."""


def choose(*patterns: str) -> list[AnyVector]:
    """Choose vectors, which are not about messages."""
    return loader.choose(Filters(patterns), [*ABOUT["records"], Source.LOG])


@pytest.fixture(scope="module")
def chosen(pytestconfig: pytest.Config) -> Sequence[AnyVector]:
    return choose() if pytestconfig.getoption("whole") else choose(*SAMPLE)


@pytest.fixture(scope="module")
def whole(chosen: Sequence[AnyVector], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that was chosen, exported."""
    folder = tmp_path_factory.mktemp("exports") / "whole"
    export.write(chosen, folder, ALL)
    return folder


def manifest(folder: Path) -> list[dict[str, Any]]:
    document = json.loads((folder / "manifest.json").read_bytes())
    assert document["vectors_version"]
    rows: list[dict[str, Any]] = document["vectors"]
    return rows


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def as_lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything, exported as lines."""
    folder = tmp_path_factory.mktemp("exports") / "lines"
    export.write(choose(), folder, frozenset({ExportKind.JSONL}))
    return folder


def test_the_lines_are_those_of_the_vector_files(as_lines: Path) -> None:
    shipped = {path.relative_to(ROOT / "vectors"): path.read_bytes() for path in (ROOT / "vectors").glob("*.jsonl")}
    others = [
        path for folder in ("directions", "conversations") for path in (ROOT / "vectors" / folder).glob("*.jsonl")
    ]
    shipped |= {path.relative_to(ROOT / "vectors"): path.read_bytes() for path in others}
    lines = as_lines / "jsonl"
    exported = {path.relative_to(lines): path.read_bytes() for path in lines.rglob("*.jsonl")}
    assert {path: text for path, text in exported.items() if path.parts[0] not in {"log", "orders"}} == shipped
    for name in ("directories.jsonl", "files.jsonl"):
        exported_lines = exported[Path("log", name)].decode().splitlines()
        shipped_lines = (ROOT / "vectors/log" / name).read_text("utf-8").splitlines()
        assert list(map(json.loads, exported_lines)) == list(map(json.loads, shipped_lines))


def test_the_manifest_tells_of_every_vector(as_lines: Path) -> None:
    every = [vector.id for vector in choose()]
    assert [row["id"] for row in manifest(as_lines)] == every
    assert {*shipped.vectors(), *(vector["id"] for vector in directions.documents())} < set(every)


def test_the_manifest_tells_of_every_file(whole: Path, chosen: Sequence[AnyVector]) -> None:
    rows = manifest(whole)
    assert len(rows) == len(chosen) > 300
    named = {row[key] for row in rows for key in ("bin", "answer", "json") if row[key]}
    assert named == {name for name in content(whole) if name.startswith(("bin/", "json/"))}
    assert len({name.casefold() for name in named}) == sum(
        bool(row[key]) for row in rows for key in export.COLUMNS[-3:]
    )


def test_the_bytes_are_those_that_size_and_digest_tell_and_recipes_are_followed(whole: Path) -> None:
    lines = [line for path in (whole / "jsonl").rglob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    documents = {document["id"]: document for document in map(json.loads, lines)}
    for row in manifest(whole):
        if not row["bin"]:
            assert row["direction"] in {"log", "produce"}
            assert row["sha256"] == ""
            continue
        data = (whole / row["bin"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (row["size"], row["sha256"])
        document = documents[row["id"]]
        single = json.loads((whole / row["json"]).read_bytes())
        assert data.hex() == single["hex"]
        if "recipe" in document:
            assert (row["size"], row["sha256"]) == (document["recipe"]["size"], document["recipe"]["sha256"])
            assert "recipe" not in single
        else:
            assert single == document


def test_answers_are_there_for_what_may_be_accepted_and_say_the_same_as_the_json(whole: Path) -> None:
    rows = {row["id"]: row for row in manifest(whole)}
    for vector in [vector for vector in shipped.vectors().values() if vector.id in rows]:
        file = rows[vector.id]["answer"]
        assert bool(file) == (vector.verdict != "invalid")
        if file:
            answer = json_answers.to_json(answers.from_bytes((whole / file).read_bytes()))
            assert answer == json.loads((whole / rows[vector.id]["json"]).read_bytes())["answer"]
            assert vector.is_large or answer == vector.document["answer"]
    assert not [row["id"] for row in rows.values() if row["direction"] != "decode" and row["answer"]]


def test_the_table_says_the_same_as_the_manifest(whole: Path) -> None:
    head, *lines = (whole / "manifest.tsv").read_text("ascii").splitlines()
    table = [dict(zip(head.split("\t"), line.split("\t"), strict=True)) for line in lines]
    assert table == [{key: str(value) for key, value in row.items()} for row in manifest(whole)]


def test_an_export_is_the_same_each_time_and_replaces_an_earlier_one(tmp_path: Path) -> None:
    some = choose("run/*", "large/v2/value-*", "deliver/*")
    for name in "ab":
        export.write(some, tmp_path / name, ALL)
    export.write(choose("v07/*"), tmp_path / "b", ALL)
    export.write(some, tmp_path / "b", ALL)
    assert content(tmp_path / "a") == content(tmp_path / "b")
    export.write(some, tmp_path / "b", frozenset({ExportKind.BIN}))
    assert {Path(name).parts[0] for name in content(tmp_path / "b")} == {"bin", "manifest.json", "manifest.tsv"}
    assert {row["json"] for row in manifest(tmp_path / "b")} == {""}


def _foreign(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine", "ascii")


def _without_manifest(folder: Path) -> None:
    (folder / "bin").mkdir()
    (folder / "bin/mine").write_text("mine", "ascii")


def _foreign_manifest(folder: Path) -> None:
    _without_manifest(folder)
    (folder / "manifest.json").write_text('{"vectors": []}', "ascii")


def _broken_manifest(folder: Path) -> None:
    _without_manifest(folder)
    (folder / "manifest.json").write_bytes(b"\xff")


def _one_thing_too_many(folder: Path) -> None:
    export.write(choose("run/*"), folder, ALL)
    _foreign(folder)


@pytest.mark.parametrize(
    "fill", [_foreign, _without_manifest, _foreign_manifest, _broken_manifest, _one_thing_too_many]
)
def test_nothing_else_is_overwritten(fill: Any, tmp_path: Path) -> None:
    fill(tmp_path)
    before = content(tmp_path)
    with pytest.raises(UsageError, match="nothing is overwritten"):
        export.write(choose("run/*"), tmp_path, ALL)
    assert content(tmp_path) == before


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError):
            export.write(choose("run/*"), place, ALL)
    assert (tmp_path / "file").read_bytes() == b"mine"


@pytest.mark.parametrize(
    "identity", ["A/b", "a/../b", "a.b/c", "con/a", "com1", "a//b", "/a", "", "a/b\n", "a/" + "b" * 200]
)
def test_an_id_that_some_file_system_could_not_name_is_refused(identity: str) -> None:
    item = export.Item(replace(choose("v2/gzip/plain")[0], id=identity))
    with pytest.raises(UsageError, match="cannot be a file name everywhere"):
        _ = item.name


@pytest.mark.parametrize(
    ("arguments", "directions"),
    [
        (["--id", "deliver/aborted/*", "--id", "run/*"], {"decode", "deliver"}),
        (["--rule", "offsets.*", "--verdict", "invalid"], {"assign"}),
        (["--id", "orders/*", "--id", "conversations/*", "--id", "log/*"], {"produce", "conversation", "log"}),
        (["--verdict", "lenient"], {"decode", "log", "content"}),
    ],
    ids=["id", "rule", "folders", "verdict"],
)
def test_filters_choose_vectors_of_every_direction(
    main: Main,
    tmp_path: Path,
    arguments: list[str],
    directions: set[str],
) -> None:
    status, out, _ = main("vectors", *arguments, "--export", str(tmp_path / "out"), "--as", "json")
    rows = manifest(tmp_path / "out")
    assert (status, {row["direction"] for row in rows}) == (0, directions)
    assert out.startswith(f"{len(rows):,} vectors in ")
    assert {Path(name).parts[0] for name in content(tmp_path / "out")} == {"json", "manifest.json", "manifest.tsv"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--as", "bin"], "--export"),
        (["--as", "xml", "--export", "x"], "xml"),
        (["--id", "no/*", "--export", "x"], "matches"),
    ],
    ids=["as without export", "no such kind", "none fits"],
)
def test_wrong_usage_is_told(main: Main, arguments: list[str], words: str) -> None:
    status, _, err = main("vectors", *arguments)
    assert status == 2
    assert words in err


@pytest.mark.parametrize("line", ["[]", "{", '{"id": "a/b"}', "null"])
def test_a_direction_vector_that_is_none_is_told_by_its_place(line: str, tmp_path: Path) -> None:
    (tmp_path / "directions").mkdir()
    (tmp_path / "directions/deliver.jsonl").write_text(f"\n{line}\n", "ascii")
    with pytest.raises(VectorError, match=r"deliver\.jsonl:2"):
        list(directions.documents(tmp_path))
