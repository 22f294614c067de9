"""A run's folder: nothing is lost or counted twice, and nothing else is mistaken for a run."""

import errno
import json
import os
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.scale import plan
from kafka_conformance.scale.plan import Chunk, RunSettings
from kafka_conformance.scale.results import run_folder
from kafka_conformance.scale.results.rows import Done, FindingRow, TallyRow
from kafka_conformance.scale.results.run_folder import RunFolder
from kafka_conformance.scale.results.schemas import done_schema, findings_schema
from kafka_tools.errors import UsageError
from kafka_tools.spark import files, run_settings
from pyarrow import parquet

SETTINGS = RunSettings(("one", "two"), 25, 7, "mixed", 10)
CHUNKS = plan.chunks(SETTINGS)
HELLO = Hello("toy", "1", "Python", ("v2",), ("none",), ("offset",), checks_crc=True)


def opened(folder: Path, settings: RunSettings = SETTINGS, *, version: str = "1", resume: bool = False) -> RunFolder:
    return RunFolder(folder, settings, [replace(HELLO, version=version)] * 2, "0.1", resume=resume)


def changed(folder: Path, **values: object) -> None:
    """Write other values into the settings of a run."""
    file = folder / run_settings.RUN
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), **values}), encoding="utf-8")


def done(target: str, chunk: Chunk, **fields: object) -> Done:
    tally = (
        TallyRow("v2", "none", "passed", "", chunk.count - 1, -1),
        TallyRow("v2", "none", "crashed", "x", 1, chunk.start),
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


def finding(target: str, index: int) -> FindingRow:
    return FindingRow(
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


def found(chunk: Chunk) -> list[FindingRow]:
    """As many findings as the rows of a chunk count."""
    return [finding(target, chunk.start) for target in SETTINGS.targets]


def written(folder: Path) -> None:
    """A whole run in one part."""
    rows = [row for chunk in CHUNKS for row in both(chunk)]
    opened(folder).write(rows, [finding(row.target, row.start) for row in rows])


def test_rows_come_back_as_they_went_in(tmp_path: Path) -> None:
    folder = opened(tmp_path / "run")
    folder.write(both(CHUNKS[1]), found(CHUNKS[1]))
    folder.write(both(CHUNKS[0]), found(CHUNKS[0]))
    assert [*opened(tmp_path / "run", resume=True).resume()] == [*both(CHUNKS[1]), *both(CHUNKS[0])]
    files_of_findings = sorted((tmp_path / "run" / "findings").iterdir())
    rows = [row for file in files_of_findings for row in parquet.ParquetFile(file).read().to_pylist()]
    assert rows == [asdict(row) for chunk in (CHUNKS[1], CHUNKS[0]) for row in found(chunk)]


def test_schemas_have_a_column_for_every_field_in_order() -> None:
    assert done_schema().names == list(Done.__dataclass_fields__)
    assert findings_schema().names == list(FindingRow.__dataclass_fields__)
    tally = done_schema().field("tally").type.value_type
    assert [tally.field(place).name for place in range(tally.num_fields)] == list(TallyRow.__dataclass_fields__)


def test_parts_go_on_after_a_resume(tmp_path: Path) -> None:
    for chunk in CHUNKS:
        opened(tmp_path, resume=True).write(both(chunk), found(chunk))
    assert sorted(file.name for file in (tmp_path / "done").iterdir()) == [f"part-0000{n}.parquet" for n in range(3)]
    assert [*opened(tmp_path, resume=True).resume()] == [row for chunk in CHUNKS for row in both(chunk)]


def test_findings_that_nobody_counts_are_removed_on_resume(tmp_path: Path) -> None:
    """The command was killed between the two files of a part: the chunk will be done again."""
    folder = opened(tmp_path)
    folder.write(both(CHUNKS[0]), found(CHUNKS[0]))
    folder.write(both(CHUNKS[1]), found(CHUNKS[1]))
    (tmp_path / "done" / "part-00001.parquet").unlink()
    again = opened(tmp_path, resume=True)
    assert [*again.resume()] == both(CHUNKS[0])
    assert [file.name for file in (tmp_path / "findings").iterdir()] == ["part-00000.parquet"]
    again.write(both(CHUNKS[1]), found(CHUNKS[1]))
    assert len(list((tmp_path / "findings").iterdir())) == 2


def test_half_written_part_is_no_part(tmp_path: Path) -> None:
    opened(tmp_path).write(both(CHUNKS[0]), found(CHUNKS[0]))
    (tmp_path / "done" / ".part-00001.parquet.draft").write_bytes(b"PAR1")
    assert [*opened(tmp_path, resume=True).resume()] == both(CHUNKS[0])
    assert [file.name for file in (tmp_path / "done").iterdir()] == ["part-00000.parquet"]


def test_part_that_cannot_be_read_is_said_so(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "done" / "part-00000.parquet").write_bytes(b"PAR1 rubbish")
    with pytest.raises(UsageError, match=r"cannot read .*part-00000.* Remove .*done/part-00000.parquet, and go on"):
        [*opened(tmp_path, resume=True).resume()]


def test_flipped_bit_never_gives_other_rows(tmp_path: Path) -> None:
    """A count that is wrong by one must not pass for the truth.

    Not every bit of a Parquet file matters.
    """
    written(tmp_path)
    part = tmp_path / "done" / "part-00000.parquet"
    sound, told = part.read_bytes(), 0
    for place in range(4, len(sound), 61):
        part.write_bytes(sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :])
        try:
            read = [*opened(tmp_path, resume=True).resume()]
        except UsageError:
            told += 1
            continue
        assert read == [row for chunk in CHUNKS for row in both(chunk)], place
    assert told


def test_findings_that_got_lost_are_missed(tmp_path: Path) -> None:
    written(tmp_path)
    file = tmp_path / "findings" / "part-00000.parquet"
    parquet.write_table(parquet.ParquetFile(file).read()[1:], file)
    with pytest.raises(UsageError, match=r"has 5 findings, but .*part-00000.parquet counts 6. Remove .*done"):
        [*opened(tmp_path, resume=True).resume()]
    file.unlink()
    with pytest.raises(UsageError, match=r"cannot read .*findings/part-00000.parquet"):
        [*opened(tmp_path, resume=True).resume()]


def test_parquet_of_something_else_is_said_so(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "findings" / "part-00000.parquet").replace(tmp_path / "done" / "part-00000.parquet")
    with pytest.raises(UsageError, match="has other columns than this version writes"):
        [*opened(tmp_path, resume=True).resume()]


def test_part_that_was_removed_is_written_anew_under_a_name_of_its_own(tmp_path: Path) -> None:
    for chunk in CHUNKS[:2]:
        opened(tmp_path, resume=True).write(both(chunk), found(chunk))
    (tmp_path / "done" / "part-00000.parquet").unlink()
    again = opened(tmp_path, resume=True)
    assert [*again.resume()] == both(CHUNKS[1])
    again.write(both(CHUNKS[0]), found(CHUNKS[0]))
    assert [*opened(tmp_path, resume=True).resume()] == [*both(CHUNKS[1]), *both(CHUNKS[0])]


def test_only_one_run_works_in_a_folder(tmp_path: Path) -> None:
    with (
        files.alone(tmp_path / "run"),
        pytest.raises(UsageError, match="another run is using"),
        files.alone(tmp_path / "run"),
    ):
        pass
    with files.alone(tmp_path / "run"):
        pass


def test_disk_that_takes_no_more_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = opened(tmp_path)
    folder.write(both(CHUNKS[0]), found(CHUNKS[0]))

    def full(_: object, where: Path, **__: object) -> None:
        where.write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(parquet, "write_table", full)
    with pytest.raises(UsageError, match=r"cannot write .*: No space left on device. What was written before is sound"):
        folder.write(both(CHUNKS[1]), found(CHUNKS[1]))
    assert [file.name for file in (tmp_path / "done").iterdir()] == ["part-00000.parquet"]
    assert [*opened(tmp_path, resume=True).resume()] == both(CHUNKS[0])


def test_run_of_which_nothing_came_is_no_run(tmp_path: Path) -> None:
    """Spark did not start, say: the next try needs neither another folder nor the same settings."""
    opened(tmp_path)
    opened(tmp_path, replace(SETTINGS, seed=8))
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["seed"] == 8


def test_run_in_use_is_not_overwritten(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(UsageError, match=r"has a run already\. Go on with it: --resume"):
        opened(tmp_path)


@pytest.mark.parametrize("resume", [False, True])
def test_folder_of_something_else_is_left_alone(tmp_path: Path, *, resume: bool) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="ascii")
    with pytest.raises(UsageError, match="is not empty, and is not the folder of a run"):
        opened(tmp_path, resume=resume)
    (tmp_path / "run.json").write_text('["not ours"]', encoding="ascii")
    with pytest.raises(UsageError, match="is not empty, and is not the folder of a run"):
        opened(tmp_path, resume=resume)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [("seed", 8), ("batches", 26), ("profile", "tiny"), ("chunk", 11), ("targets", ("one", "three"))],
)
def test_other_settings_are_another_run(tmp_path: Path, field: str, value: object) -> None:
    written(tmp_path)
    with pytest.raises(UsageError, match=f"holds a run with {field} "):
        opened(tmp_path, replace(SETTINGS, **{field: value}), resume=True)


def test_other_version_of_a_target_is_another_run(tmp_path: Path) -> None:
    written(tmp_path)
    with pytest.raises(UsageError, match="holds a run of toy 1, toy 1; what would go on is toy 2, toy 2") as error:
        opened(tmp_path, version="2", resume=True)
    assert "Install again" in error.value.hint


def test_run_of_another_version_of_the_suite_is_told_as_that(tmp_path: Path) -> None:
    written(tmp_path)
    changed(tmp_path, suite_version="0.0.9")
    with pytest.raises(UsageError, match=r"version 0\.0\.9 of kafka-format-conformance; this is version 0\.1") as error:
        opened(tmp_path, resume=True)
    assert error.value.hint.startswith("Go on with the version that began it")


def test_outcome_that_this_version_does_not_know_is_said_so(tmp_path: Path) -> None:
    tally = (TallyRow("v2", "none", "of-tomorrow", "", 10, -1),)
    opened(tmp_path).write([done("one", CHUNKS[0], tally=tally, kept=0)], [])
    with pytest.raises(UsageError, match="'of-tomorrow' is not a valid Outcome") as error:
        [*opened(tmp_path, resume=True).resume()]
    assert "Remove" in error.value.hint


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("targets", []),
        ("targets", [7]),
        ("batches", "x"),
        ("batches", True),
        ("batches", 10**30),
        ("seed", -1),
        ("seed", 2**64),
        ("profile", "nosuch"),
        ("profile", ["mixed"]),
        ("chunk", 0),
        ("chunk", 1.5),
    ],
)
def test_settings_that_cannot_be_are_named(tmp_path: Path, field: str, value: object) -> None:
    opened(tmp_path)
    assert run_folder.settings(tmp_path) == SETTINGS
    changed(tmp_path, **{field: value})
    with pytest.raises(UsageError, match=rf"run\.json has a setting that no run can have: {field} is "):
        run_folder.settings(tmp_path)


def test_run_of_more_chunks_than_there_may_be_is_named(tmp_path: Path) -> None:
    opened(tmp_path)
    changed(tmp_path, batches=plan.MOST_BATCHES, chunk=1)
    with pytest.raises(UsageError, match=r"run\.json has a setting that no run can have: chunk is 1\."):
        run_folder.settings(tmp_path)


def test_resume_of_nothing_is_a_start(tmp_path: Path) -> None:
    assert [*opened(tmp_path / "new", resume=True).resume()] == []
    assert json.loads((tmp_path / "new" / "run.json").read_text(encoding="utf-8"))["seed"] == 7


def test_folder_that_cannot_be_made_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")
    with pytest.raises(UsageError, match=r"cannot (make|use)"):
        opened(tmp_path / "file" / "run")
