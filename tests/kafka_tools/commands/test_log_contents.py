"""The commands that say what records of Kafka's own topics say, on directories that Kafka wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kafka_generator.start_vectors import files

from tests.command_line import Main

_VARIANTS = {vector["id"]: vector for vector in files.read(files.FOLDER / files.VARIANTS)}
_BASES = files.bases()


def lay_out(name: str, folder: Path) -> Path:
    """Write a variant of a start into a folder; return its data directory."""
    files.lay_out(_BASES[_VARIANTS[name]["base"]], _VARIANTS[name]["edits"], folder)
    return folder / "data"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return lay_out("start/sound/dynamic", tmp_path)


def test_metadata_is_what_the_log_has(main: Main, data: Path) -> None:
    status, out, _ = main("log", "metadata", "--json", str(data))
    image = json.loads(out)
    assert status == 0
    assert image["features"]["metadata.version"] == 33
    assert sorted(image["topics"]) == [
        "__consumer_offsets", "__share_group_state", "__transaction_state", "kept", "paid", "plain",
    ]  # fmt: skip
    assert image["configs"]["topic plain"]["retention.ms"] == "900000000009"
    assert sorted(image["topics"]["kept"]["partitions"]) == ["0", "1"]


def test_metadata_at_an_offset_has_no_later_records(main: Main, data: Path) -> None:
    """`gone` was deleted near the end; before that it was there, and `kept` had one partition."""
    end = json.loads(main("log", "metadata", "--json", str(data))[1])["offset"]
    early = json.loads(main("log", "metadata", "--json", "--at", str(end - 25), str(data))[1])
    assert "gone" in early["topics"]
    assert sorted(early["topics"]["kept"]["partitions"]) == ["0"]
    status, out, _ = main("log", "metadata", "--since", str(end - 25), str(data))
    assert status == 1
    assert any(line.startswith("- topics / gone: ") for line in out.splitlines())
    assert any(line.startswith("+ topics / kept / partitions / 1: ") for line in out.splitlines())


def test_replicas_are_held_against_each_other(main: Main, data: Path, tmp_path: Path) -> None:
    other = lay_out("start/record/dynamic/topic-removed", tmp_path / "other")
    assert main("log", "metadata", "--beside", str(data), str(data))[:2] == (0, "nothing differs\n")
    status, out, _ = main("log", "metadata", "--beside", str(data), str(other))
    assert status == 1
    assert any(line.startswith("- topics / plain: ") for line in out.splitlines())


def test_a_record_that_cannot_be_read_is_told_beside_the_image(main: Main, tmp_path: Path) -> None:
    status, _, err = main("log", "metadata", str(lay_out("start/record/static/unknown-type", tmp_path)))
    assert status == 1
    assert "Unknown metadata id 99" in err


def test_committed_offsets_stand_beside_the_logs(main: Main, tmp_path: Path) -> None:
    """`plain-0` ends at 18: an offset of 5000 is above, and one of -1 is none."""
    status, out, _ = main("log", "groups", str(lay_out("start/offsets/static/offsets-outside", tmp_path)))
    assert status == 1
    assert "  plain-0: 5000 of 0 to 18, above the end of the log" in out
    assert "  plain-1: -1 of 0 to 18, negative" in out
    assert "  nobody-0: 3, its partition is not here" in out


def test_groups_of_each_protocol(main: Main, data: Path) -> None:
    status, out, _ = main("log", "groups", "--json", str(data))
    kinds = {group["group"]: group["kind"] for group in map(json.loads, out.splitlines())}
    assert status == 0
    assert kinds == {"group-a": "classic", "group-b": "classic", "group-c": "consumer", "group-s": "share"}


def test_a_producer_that_repeats_a_batch(main: Main, tmp_path: Path) -> None:
    data = lay_out("start/partition/last-twice", tmp_path)
    status, out, _ = main("log", "producers", str(data / "plain-0"))
    assert status == 1
    assert "has sequences that were there before" in out
    assert main("log", "producers", str(data / "plain-1"))[:2] == (0, "nothing is odd\n")


@pytest.mark.parametrize(
    ("name", "file", "words"),
    [
        ("start/record/static/value-cut", "__cluster_metadata-0", "Failed to deserialize record with type 4"),
        ("start/offsets/static/key-null", "__consumer_offsets-0", "Cannot read record as a key is missing"),
    ],
)
def test_explain_ends_with_a_status_at_a_record_that_kafka_cannot_load(
    main: Main, tmp_path: Path, name: str, file: str, words: str
) -> None:
    status, out, _ = main("log", "explain", str(lay_out(name, tmp_path) / file / f"{0:020}.log"))
    assert status == 1
    assert words in out
    assert main("log", "verify", str(tmp_path / "data" / file))[0] == 1


def test_what_is_not_there_is_said(main: Main, tmp_path: Path) -> None:
    (tmp_path / "orders-0").mkdir()
    for command in ("metadata", "groups", "remote"):
        assert main("log", command, str(tmp_path))[0] == 2
