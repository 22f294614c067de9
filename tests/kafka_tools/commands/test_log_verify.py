"""`kafka-format log verify`, on directories of real brokers and on damaged copies."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from kafka_format.log.verification import verify_partition
from kafka_format.spec.rules import rules
from kafka_generator.log_vectors.damages import DAMAGES
from kafka_tools.logs import checks
from kafka_tools.logs.effects import effect

from tests.command_line import Main
from tests.kafka_tools.commands.log_data import lines, one


def test_a_sound_directory_breaks_no_rule(main: Main, data: Path) -> None:
    assert main("log", "verify", str(data))[:2] == (0, "no rule is broken\n")


def test_of_segments_alone_it_is_said_what_was_not_looked_for(main: Main, data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "orders-0"
    folder.mkdir()
    for file in (data / "orders-0").glob("*.log"):
        shutil.copy(file, folder)
    status, out, _ = main("log", "verify", str(folder))
    assert status == 0
    assert out.splitlines()[-1] == f"{folder} has nothing but segments: what belongs beside them was not looked for"


def test_the_folder_that_one_stands_in_has_a_name(
    main: Main, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders")
    monkeypatch.chdir(folder)
    status, out, _ = main("log", "verify", ".")
    assert status == 1
    assert "`orders` is neither topic-partition" in out
    assert main("log", "stat", ".")[1].startswith("orders: offsets")


def test_a_broken_rule_is_told_with_what_to_do(main: Main, data: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders-0")
    DAMAGES["zeros-for-indexes"](folder)
    status, out, _ = main("log", "verify", str(folder))
    assert (status, out.splitlines()[-1]) == (1, "3 broken rules")
    assert (
        "  log.time-index.trimmed: The time index of a segment that is not the last one has no zeros at its end." in out
    )
    assert "  Kafka: lookups by time find nothing, and retention treats the segment as old" in out
    assert "  To do: If no batch of the segment is broken, stop the broker and remove the file" in out
    status, out, _ = main("log", "verify", "--json", str(folder))
    documents = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert {document["rule"] for document in documents} == {
        "log.offset-index.trimmed",
        "log.time-index.trimmed",
        "log.time-index.last",
    }


def test_every_rule_of_a_log_says_what_it_costs() -> None:
    known = [rule.id for rule in rules().values() if rule.about == "log" and rule.id != "log.remote-snapshot.version"]
    assert [rule for rule in known if effect(rule) is None] == []


def test_verify_shows_the_first_of_each_rule_and_all_if_asked(main: Main, data: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(data / "orders-0", tmp_path / "orders-0")
    for index in folder.glob("*.timeindex"):
        index.write_bytes(b"")
    status, out, _ = main("log", "verify", str(folder))
    assert (status, out.count("log.time-index.last")) == (1, 2)
    assert "--all lists each" in out.splitlines()[-1]
    status, out, _ = main("log", "verify", "--all", str(folder))
    assert (status, out.count("the segment goes up to")) == (1, int(out.splitlines()[-1].split()[0]))


def test_verify_claims_nothing_about_what_it_could_not_read(main: Main, tmp_path: Path) -> None:
    status, out, err = main("log", "verify", str(tmp_path))
    assert (status, out, "has no folders of partitions" in err) == (2, "", True)


def test_zeros_at_the_end_may_be_room(main: Main, tmp_path: Path, data: Path) -> None:
    """As brokers of 2.8.2 and 4.4.0 leave a topic with preallocate=true when they are killed."""
    folder = shutil.copytree(data / "orders-0", tmp_path / "data" / "orders-0")
    file = folder / "00000000000000000079.log"
    sound = file.read_bytes()
    file.write_bytes(sound + bytes(5000))
    words = "preallocate=true"
    assert words in main("log", "verify", str(folder))[1]
    for command in (("start", str(folder.parent)), ("recover", str(folder))):
        _, out, _ = main("log", *command)
        assert "only zeros go, 5,000 bytes: " in out
        assert words in out
    file.write_bytes(sound + bytes(5000) + b"\1")
    assert words not in main("log", "verify", str(folder))[1]
    assert words not in main("log", "recover", str(folder))[1]


def test_a_file_that_cannot_be_read_hides_no_other_finding(
    main: Main, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("orders-0", "prices-0"):
        shutil.copytree(data / name, tmp_path / "data" / name)
    (tmp_path / "data" / "prices-0" / "x.log").touch()

    def refuse(path: Path) -> Any:
        raise PermissionError(13, "Permission denied", str(path / "00000000000000000039.log"))

    verify = verify_partition
    monkeypatch.setattr(
        checks, "verify_partition", lambda path: refuse(path) if path.name == "orders-0" else verify(path)
    )
    status, out, err = main("log", "verify", str(tmp_path / "data"))
    assert status == 2
    assert "log.name.number" in out
    assert "Cannot read " in err
    assert "00000000000000000039.log (Permission denied)." in err


def test_segments_that_have_exchanged_names_are_told(main: Main, copy: Path) -> None:
    """Kafka 2.8.2 and 3.9.2 start, and a consumer passes over the records of one of them."""
    for kind in ("log", "index", "timeindex"):
        first, other = (copy / "orders-0" / f"{base:020}.{kind}" for base in (0, 39))
        content = first.read_bytes()
        first.write_bytes(other.read_bytes())
        other.write_bytes(content)
    status, said = lines(main, "start", copy)
    assert status == 1
    assert f"NOT FOUND BY CONSUMERS: orders-0/{39:020}.log: a batch begins at 0, below the base offset 39" in one(said)
    assert said[-1].endswith(", 1 place where consumers miss records")


def test_names_that_are_not_utf_8_are_no_traceback(copy: Path, tmp_path: Path) -> None:
    """A terminal's encoding is strict, other than that of a test."""
    shutil.copytree(copy / "orders-0", copy / os.fsdecode(b"caf\xe9-0"))
    command = [sys.executable, "-m", "kafka_tools", "log"]
    env = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    for arguments in (["verify", copy], ["start", copy], ["stat", "--svg", tmp_path / "pictures", copy]):
        ran = subprocess.run([*command, *map(str, arguments)], env=env, capture_output=True, text=True, check=False)
        assert "Traceback" not in ran.stderr
        assert ran.returncode in {0, 1}
