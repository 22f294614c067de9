"""`generate.py` in a small world: it reports what was changed by hand, and which case is wrong."""

import functools
import importlib.util
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from kafka_format.spec.releases import releases
from kafka_format.spec.rules import rules
from kafka_generator import files, pages
from kafka_generator.log_vectors import files as log_files
from kafka_generator.mutants import families
from kafka_generator.oracle import digest, fields_of, name_of, record_text

from tests import shipped

ROOT = Path(__file__).resolve().parent.parent
BATCH = "{base_timestamp: 1000, max_timestamp: 1000, records: [{key: k, value: v}]}"
TABLE = f"""\
family: table
cases:
  - {{id: v2/one, title: One record, rules: [v2.offset], run: [{{batch: {BATCH}}}]}}
  - {{id: v2/two, title: Two batches, rules: [v2.offset], run: [{{batch: {BATCH}}}, {{batch: {BATCH}}}]}}
"""


def module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of two cases that Kafka has judged, and all that is generated from it."""
    cases = tmp_path_factory.mktemp("world") / "vectors" / "cases"
    (cases / "directions").mkdir(parents=True)
    (cases / "table.yaml").write_text(TABLE, encoding="utf-8")
    made, _ = files.make(cases.parent, may_add=True, construct=False)
    judged = {
        name_of(release): {
            digest(made_case.data): record_text(made_case.judgement.answer or (), fields_of(release))
            for made_case in made
        }
        for release in releases().values()
    }
    (cases / "oracle.json").write_text(json.dumps(judged), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        assert World(cases.parent.parent, patch).run() == 0
    return cases.parent.parent


@pytest.fixture
def world(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> "World":
    """All that the table gives is there; coverage and kills are of no vector, as they have their
    own tests."""
    return World(shutil.copytree(template, tmp_path / "world"), monkeypatch)


class World:
    """A folder as that of the project, with generate.py at work in it."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.generate = module()
        self._patch = monkeypatch
        for name, value in {"ROOT": root, "VECTORS": root / "vectors"}.items():
            monkeypatch.setattr(self.generate, name, value)
        (root / "docs").mkdir(exist_ok=True)
        monkeypatch.setattr(files, "make", functools.partial(files.make, construct=False))
        monkeypatch.setattr(self.generate.measure, "measure", lambda *_: [])
        monkeypatch.setattr(self.generate, "_kills", lambda *_: ({}, {}))
        monkeypatch.setattr(self.generate, "_fill_pages", lambda *_: {})
        monkeypatch.setattr(self.generate.protocol, "make", dict)
        monkeypatch.setattr(self.generate.protocol, "contents", lambda *_: {})
        monkeypatch.setattr(self.generate.protocol_cells, "cells", lambda _: [])
        monkeypatch.setattr(self.generate.log_files, "contents", lambda *_, **__: {})
        monkeypatch.setattr(self.generate.start_files, "contents", lambda _: {})
        monkeypatch.setattr(self.generate.content_files, "texts", lambda _: {})
        monkeypatch.setattr(self.generate.log_coverage, "page", lambda *_: "# Logs\n")
        monkeypatch.setattr(self.generate.conversations, "contents", lambda *_: {})
        monkeypatch.setattr(self.generate.by_mutant, "cells", lambda *_: [])
        monkeypatch.setattr(self.generate.directions, "texts", lambda *_: {})
        monkeypatch.setattr(pages.protocol_pages, "pages", lambda _: {})
        monkeypatch.setattr(self.generate.value_types, "stubs", dict)
        monkeypatch.setattr(pages, "_findings_pages", lambda *_: {})  # about real vectors, of which this world has none

    def run(self, *options: str) -> int:
        self._patch.setattr(sys, "argv", ["generate.py", *options])
        status: int = self.generate.main()
        return status

    def edit(self, name: str, old: str, new: str) -> None:
        file = self.root / name
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_what_was_just_generated_is_in_step(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    assert world.run("--check") == 0
    assert capsys.readouterr().out.endswith(" files, 0 stale\n")


VECTORS = "vectors/table.jsonl"


@pytest.mark.parametrize(
    ("file", "old", "new", "line"),
    [
        (VECTORS, '"hex": "0000', '"hex": "0001', 1),
        (VECTORS, '"verdict": "valid"', '"verdict": "lenient"', 1),
        (VECTORS, '"key": "6b"', '"key": "6c"', 1),
        (VECTORS, '"id": "v2/two"', '"id": "v2/three"', 2),
        (VECTORS, '"oracle": {"kafka', '"oracle": {"another kafka', 1),
        ("vectors/coverage.json", '"vectors": 2', '"vectors": 3', 2),
        ("docs/flags.md", "#", "##", 1),
        ("docs/coverage.md", "# What", "# All that", 2),
        ("docs/bugs.md", "# Known bugs", "# Bugs", 1),
        ("vectors/cases/table.yaml", "One record", "A record", 1),
    ],
)
def test_a_change_by_hand_is_told_with_its_line(
    world: World, capsys: pytest.CaptureFixture[str], file: str, old: str, new: str, line: int
) -> None:
    world.edit(file, old, new)
    assert world.run("--check") == 1
    stale = file if "cases" not in file else VECTORS
    assert capsys.readouterr().err == (
        f"{stale}:{line}: is not what generate.py makes of its source; change that, not this file, "
        "and run `python generate.py`\n"
    )
    assert world.run() == 0
    assert world.run("--check") == 0


def remove_the_last_vector(root: Path) -> None:
    file = root / VECTORS
    file.write_text("".join(file.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (remove_the_last_vector, "vectors/table.jsonl:2: is not what"),
        (lambda root: (root / VECTORS).unlink(), "vectors/table.jsonl is missing; run `python generate.py`"),
        (lambda root: (root / "docs/rules.md").unlink(), "docs/rules.md is missing; run `python generate.py`"),
        (
            lambda root: (root / "vectors/old.jsonl").write_text("{}\n", encoding="utf-8"),
            "vectors/old.jsonl is made of no table; delete it",
        ),
    ],
)
def test_what_is_missing_or_too_much_is_told(
    world: World, capsys: pytest.CaptureFixture[str], change: Callable[[Path], None], complaint: str
) -> None:
    change(world.root)
    assert world.run("--check") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(complaint)


def test_a_rule_that_says_something_else_makes_its_page_stale(
    world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, rule = next(iter(rules().items()))
    changed = {**rules(), name: rule._replace(sentence="Anything goes.")}
    monkeypatch.setattr(pages, "rules", lambda: changed)
    assert world.run("--check") == 1
    assert capsys.readouterr().err.startswith("docs/rules.md:")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        # The table says valid, and the bytes are not.
        ("{base_timestamp", "{crc: 1, base_timestamp", "table.yaml:3: `v2/one` is to be valid, but: "),
        ("rules: [v2.offset]", "rules: [v2.ofset]", "table.yaml:3: "),
        ("v2/two", "v2/one", "table.yaml:4: `v2/one` appears twice"),
    ],
)
def test_a_bad_case_is_told_with_its_table_and_line(
    world: World, capsys: pytest.CaptureFixture[str], old: str, new: str, complaint: str
) -> None:
    before = {file: file.read_bytes() for file in world.root.rglob("*.*l")}
    world.edit("vectors/cases/table.yaml", old, new)
    for options in (["--check"], []):
        assert world.run(*options) == 2
        assert capsys.readouterr().err.startswith(f"error: vectors/cases/{complaint}")
    after = {file for file, text in before.items() if file.read_bytes() != text}
    assert after == {world.root / "vectors/cases/table.yaml"}


def test_what_kafka_has_not_judged_is_written_with_a_mark_and_never_passes(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.edit("vectors/cases/table.yaml", "key: k", "key: other")
    assert world.run() == 0
    said = capsys.readouterr().err
    place = "vectors/cases/table.yaml:3: `v2/one` was never put to kafka-clients"
    assert said.startswith(f"not judged yet: 1 vectors; `generate.py --check` fails until Kafka was asked: {place}")
    assert said.endswith("(run `make oracle`)\n")
    first, second = [json.loads(line) for line in (world.root / VECTORS).read_text(encoding="utf-8").splitlines()]
    assert (first["oracle"], first["judged"]) == ({}, False)
    assert second["oracle"]
    assert "judged" not in second
    for options in (["--check"], ["--coverage"]):
        assert world.run(*options) == 2
        assert capsys.readouterr().err.startswith(f"error: {place}")


def test_kills_of_other_mutants_are_stale(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    generate = module()
    options = generate.argparse.Namespace(check=True, coverage=False, kills=False)
    documents = shipped.documents()
    folder = ROOT / "vectors" / "log"
    logs = [*log_files.read(folder / "directories.jsonl").values(), *log_files.read(folder / "files.jsonl").values()]
    _, contents = generate._kills(options, documents, logs, [])
    assert all(contents.values())
    for stale in (documents[:-1], [*documents, {"id": "v2/new"}]):
        _, contents = generate._kills(options, stale, logs, [])
        assert generate._check(contents) == 1
        assert "vectors/kills.json is not about the mutants and vectors that there are" in capsys.readouterr().err
    first, *others = families.load()
    monkeypatch.setattr(families, "load", lambda: [replace(first, does="Is another one."), *others])
    assert [file for file, text in generate._kills(options, documents, logs, [])[1].items() if not text] == [
        ROOT / "vectors" / "kills.json"
    ]


def test_an_empty_cell_fails_every_run(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    hole = world.generate.Cell("field", "v2 magic: three")
    world.generate.measure.measure = lambda *_: [hole]
    for options in ([], ["--check"], ["--coverage"]):
        assert world.run(*options) == 1
        assert "no vector: field: v2 magic: three" in capsys.readouterr().err
