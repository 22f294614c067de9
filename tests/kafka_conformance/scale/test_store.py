"""What a folder holds: nothing is lost, nothing is counted twice, and nothing else is mistaken for a run."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from kafka_conformance.errors import UsageError
from kafka_conformance.outcomes import Hello
from kafka_conformance.scale import plan, store
from kafka_conformance.scale.plan import Chunk, Settings
from kafka_conformance.scale.rows import Done, Finding, Tally, done_schema, findings_schema
from kafka_conformance.scale.store import Store, gaps, left
from pyarrow import parquet

SETTINGS = Settings(("one", "two"), 25, 7, "mixed", 10)
CHUNKS = plan.chunks(SETTINGS)
HELLO = Hello("toy", "1", "Python", ("v2",), ("none",), ("offset",), checks_crc=True)


def opened(folder: Path, settings: Settings = SETTINGS, *, version: str = "1", resume: bool = False) -> Store:
    return Store(folder, settings, [replace(HELLO, version=version)] * 2, "0.1", resume=resume)


def done(target: str, chunk: Chunk, **fields: object) -> Done:
    tally = (
        Tally("v2", "none", "passed", "", chunk.count - 1, -1),
        Tally("v2", "none", "crashed", "x", 1, chunk.start),
    )
    plain = Done(
        target,
        chunk.number,
        chunk.start,
        chunk.count,
        chunk.count,
        1,
        1,
        tally,
        1.5,
        0.5,
        2.5,
        1 << 20,
        "h",
        3,
        "",
        ("n",),
    )
    return replace(plain, **fields)


def finding(target: str, index: int) -> Finding:
    return Finding(
        target,
        7,
        index,
        "mixed",
        "v2",
        "gzip",
        "wrong-answer",
        "records",
        "records",
        "2",
        "1",
        "d",
        "v2/crc",
        "v2.crc",
        2,
        "00ff",
    )


def both(chunk: Chunk) -> list[Done]:
    return [done(target, chunk) for target in SETTINGS.targets]


def test_rows_come_back_as_they_went_in(tmp_path: Path) -> None:
    folder = opened(tmp_path / "run")
    folder.write(both(CHUNKS[1]), [finding("one", 12)])
    folder.write(both(CHUNKS[0]), [])
    assert opened(tmp_path / "run", resume=True).resumed == (*both(CHUNKS[1]), *both(CHUNKS[0]))
    [file] = (tmp_path / "run" / "findings").iterdir()
    assert parquet.ParquetFile(file).read().to_pylist() == [asdict(finding("one", 12))]


def test_schemas_have_a_column_for_every_field_in_order() -> None:
    assert done_schema().names == list(Done.__dataclass_fields__)
    assert findings_schema().names == list(Finding.__dataclass_fields__)
    tally = done_schema().field("tally").type.value_type
    assert [tally.field(place).name for place in range(tally.num_fields)] == list(Tally.__dataclass_fields__)


def test_parts_go_on_after_a_resume(tmp_path: Path) -> None:
    for chunk in CHUNKS:
        opened(tmp_path, resume=True).write(both(chunk), [finding("one", chunk.start)])
    assert sorted(file.name for file in (tmp_path / "done").iterdir()) == [f"part-0000{n}.parquet" for n in range(3)]
    assert gaps(SETTINGS, CHUNKS, opened(tmp_path, resume=True).resumed) == []


def test_findings_that_nobody_counts_are_removed_on_resume(tmp_path: Path) -> None:
    """The command was killed between the two files of a part: the chunk will be done again."""
    folder = opened(tmp_path)
    folder.write(both(CHUNKS[0]), [finding("one", 1)])
    folder.write(both(CHUNKS[1]), [finding("one", 11)])
    (tmp_path / "done" / "part-00001.parquet").unlink()
    again = opened(tmp_path, resume=True)
    assert left(CHUNKS, again.resumed) == (CHUNKS[1], CHUNKS[2])
    assert [file.name for file in (tmp_path / "findings").iterdir()] == ["part-00000.parquet"]
    again.write(both(CHUNKS[1]), [finding("one", 11)])
    assert len(list((tmp_path / "findings").iterdir())) == 2


def test_half_written_part_is_no_part(tmp_path: Path) -> None:
    opened(tmp_path).write(both(CHUNKS[0]), [])
    (tmp_path / "done" / ".part-00001.parquet.draft").write_bytes(b"PAR1")
    assert opened(tmp_path, resume=True).resumed == tuple(both(CHUNKS[0]))


def test_part_that_cannot_be_read_is_said_so(tmp_path: Path) -> None:
    opened(tmp_path).write(both(CHUNKS[0]), [])
    (tmp_path / "done" / "part-00000.parquet").write_bytes(b"PAR1 rubbish")
    with pytest.raises(UsageError, match=r"cannot read .*part-00000"):
        opened(tmp_path, resume=True)


def test_run_in_use_is_not_overwritten(tmp_path: Path) -> None:
    opened(tmp_path)
    with pytest.raises(UsageError, match=r"holds a run already\. Go on with it by --resume"):
        opened(tmp_path)


@pytest.mark.parametrize("resume", [False, True])
def test_folder_of_something_else_is_left_alone(tmp_path: Path, *, resume: bool) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="ascii")
    with pytest.raises(UsageError, match="is not empty, and holds no run"):
        opened(tmp_path, resume=resume)
    (tmp_path / "run.json").write_text('["not ours"]', encoding="ascii")
    with pytest.raises(UsageError, match="is not empty, and holds no run"):
        opened(tmp_path, resume=resume)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [("seed", 8), ("batches", 26), ("profile", "tiny"), ("chunk", 11), ("targets", ("one", "three"))],
)
def test_other_settings_are_another_run(tmp_path: Path, field: str, value: object) -> None:
    opened(tmp_path)
    with pytest.raises(UsageError, match=f"holds a run with {field} "):
        opened(tmp_path, replace(SETTINGS, **{field: value}), resume=True)


def test_other_version_of_a_target_is_another_run(tmp_path: Path) -> None:
    opened(tmp_path)
    with pytest.raises(UsageError, match=r"versions \['toy 1', 'toy 1'\], not \['toy 2', 'toy 2'\]"):
        opened(tmp_path, version="2", resume=True)


def test_resume_of_nothing_is_a_start(tmp_path: Path) -> None:
    assert opened(tmp_path / "new", resume=True).resumed == ()
    assert json.loads((tmp_path / "new" / "run.json").read_text(encoding="utf-8"))["seed"] == 7


def test_folder_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")
    with pytest.raises(UsageError, match=r"cannot (make|use)"):
        opened(tmp_path / "file" / "run")


def test_what_is_left_are_the_chunks_that_are_not_done() -> None:
    assert left(CHUNKS, both(CHUNKS[1])) == (CHUNKS[0], CHUNKS[2])
    assert left(CHUNKS, []) == CHUNKS


def test_lost_doubled_and_strange_chunks_are_named() -> None:
    whole = [row for chunk in CHUNKS for row in both(chunk)]
    assert gaps(SETTINGS, CHUNKS, whole) == []
    assert gaps(SETTINGS, CHUNKS, whole[1:]) == ["chunk 0 of one: missing"]
    assert gaps(SETTINGS, CHUNKS, [*whole, whole[3]]) == ["chunk 1 of two: there more than once"]
    strange = done("three", CHUNKS[0])
    short = replace(whole[0], count=9)
    assert gaps(SETTINGS, CHUNKS, [*whole, strange]) == ["chunk 0 of three: not of this run"]
    assert gaps(SETTINGS, CHUNKS, [short, *whole[1:]]) == ["chunk 0 of one: missing", "chunk 0 of one: not of this run"]


def test_many_lost_chunks_fill_no_screen() -> None:
    settings = Settings(("one",), 1000, 7, "mixed", 10)
    [line] = gaps(settings, plan.chunks(settings), [])
    assert line == "chunk 0 of one, 1 of one, 2 of one, 3 of one, 4 of one and 95 more: missing"
    assert store.RUN == "run.json"
