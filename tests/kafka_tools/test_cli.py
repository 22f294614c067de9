"""The command line: what it prints, its exit status, and what it says to whoever gets it wrong."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import kafka_format
import pytest
from kafka_format import records
from kafka_format.records import Record
from kafka_tools import cli
from kafka_tools.commands import log

from tests.command_line import Main

BATCH = records.encode([Record(7, 5, 0, b"k", b"hi")])
BROKEN = BATCH[:-1] + b"\x02"


def test_help_lists_every_command_and_starts_quickly() -> None:
    """A fifth of a second of processor time; a heavy import (jsonschema, rich, the reference) would
    take more."""
    script = "import sys; sys.argv[1:] = ['--help']; from kafka_tools.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", script], capture_output=True, text=True, check=True
    )
    assert all(f"  {name} " in done.stdout for name in cli.COMMANDS)
    loaded = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert not loaded & {"jsonschema", "rich", "yaml", "kafka_format.records", "hypothesis", "numpy"}


@pytest.mark.parametrize("command", list(cli.COMMANDS))
def test_every_command_has_help_that_shows_how(main: Main, command: str) -> None:
    status, out, _ = main(command, "--help")
    assert status == 0
    assert "Usage: kafka-format" in out
    assert f"kafka-format {command}" in out.partition("Usage:")[2]


@pytest.mark.parametrize(
    "command", [*cli.COMMANDS, *(f"log {name}" for told in log.SECTIONS.values() for name in told)]
)
def test_help_fits_a_terminal_of_80_columns(main: Main, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = main(*command.split(), "--help")
    assert [line for line in out.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ecnode"], "No such command 'ecnode'"),
        (["decode"], "give either FILE (- for standard input) or --hex"),
        (["decode", "x", "--hex", "00"], "give either FILE"),
        (["decode", "/none.bin"], "cannot read /none.bin: No such file"),
        (["decode", "--hex", "0y00"], "'y' at position 1 is not a hex digit"),
        (["decode", "--hex", "000"], "odd number of hex digits"),
        (["decode", "--hex", "00", "--layout", "record_bach"], "Did you mean `record_batch`?"),
        (["decode", "--hex", "00", "--flag", "overlong-varints"], "no flag `overlong-varints`; did you mean"),
        (["explain", "--hex", "00", "--as-kafka", "5"], "known are 4.4"),
        (["explain", "--hex", "00", "--layout", "nothing"], "there is no layout `nothing`"),
        (["encode", "/none.json"], "cannot read /none.json"),
        (["encode", "--codec", "brotli"], "'brotli' is not one of"),
        (["encode", "--output", "/no/such/folder/x"], "cannot write /no/such/folder/x"),
        (
            ["decode", "--hex", "00", "--as-kafka", "5"],
            "the vectors were not run against Kafka '5'; known are 4.4",
        ),
    ],
)
def test_wrong_usage_is_one_message_and_status_2(main: Main, arguments: list[str], words: str) -> None:
    status, out, err = main(*arguments, stdin=b"[]")
    assert status == 2
    assert words in err
    assert "Traceback" not in out + err


@pytest.mark.parametrize(
    ("stdin", "arguments", "words"),
    [
        (b"{nonsense", [], "standard input is not JSON"),
        (b"\xff", [], "standard input is not JSON"),
        (b"{}", [], "expected a list of records"),
        (b"[7]", [], "records[0] is no object with the fields of a record"),
        (b'[{"offset": "seven"}]', [], "records[0].offset: 'seven' is not an integer"),
        (b'[{"offset": "99999999999999999999"}]', [], "cannot encode"),
        (b'[{"offset": "1", "headers": [["61", null]]}]', ["--format", "v1"], "cannot encode"),
        (b'[{"offset": "1"}]', ["--format", "v0", "--codec", "zstd"], "cannot encode"),
        (b'{"magic": 777}', ["--layout", "record_batch"], "cannot encode"),
        (b'{"base_ofset": 1}', ["--layout", "record_batch"], "base_ofset: record_batch has no such field"),
    ],
)
def test_json_that_cannot_be_encoded_is_one_message(main: Main, stdin: bytes, arguments: list[str], words: str) -> None:
    status, _, err = main("encode", "--hex", *arguments, stdin=stdin)
    assert status == 2
    assert words in err


def test_decode_prints_what_encode_reads(main: Main, tmp_path: Path) -> None:
    file = tmp_path / "batch.bin"
    file.write_bytes(BATCH)
    status, out, _ = main("decode", str(file))
    assert (status, json.loads(out)[0]["value"]) == (0, "6869")
    assert main("encode", "--hex", stdin=out.encode())[1].strip() == BATCH.hex()
    status, out, _ = main("decode", "--layout", "record_batch", "--hex", BATCH.hex())
    assert main("encode", "--hex", "--layout", "record_batch", stdin=out.encode())[1].strip() == BATCH.hex()


def test_encode_writes_a_file(main: Main, tmp_path: Path) -> None:
    text = b'[{"offset": "7", "timestamp": "5", "key": "6b", "value": "6869"}]'
    assert main("encode", "--output", str(tmp_path / "out.bin"), stdin=text)[0] == 0
    assert (tmp_path / "out.bin").read_bytes() == BATCH


def test_encode_writes_a_file_whole_or_not_at_all(main: Main, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "out.bin"
    file.write_bytes(b"before")
    write = Path.write_bytes

    def write_a_part(path: Path, data: bytes) -> int:
        write(path, data[:5])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", write_a_part)
    status, _, err = main("encode", "--output", str(file), stdin=b"[]")
    assert status == 2
    assert "No space left" in err
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("out.bin", b"before")]


def test_encode_keeps_a_link_and_what_is_no_file(main: Main, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("out.bin")
    assert main("encode", "--output", str(tmp_path / "link"), stdin=b'[{"offset": "7"}]')[0] == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out.bin").read_bytes() == records.encode([Record(7)])
    assert main("encode", "--output", os.devnull, stdin=b"[]")[0] == 0
    assert not Path(os.devnull).is_file()


def test_bytes_that_break_a_rule_are_status_1_with_the_rule(main: Main) -> None:
    status, out, err = main("decode", "-", stdin=BROKEN)
    assert (status, out) == (1, "")
    assert "[v2.crc.covers-attributes-to-end]" in err
    status, out, _ = main("explain", "--hex", BROKEN.hex())
    assert status == 1
    assert "^ checksum error at byte 17" in out


def test_bytes_are_read_as_a_release_does(main: Main) -> None:
    overlong = bytes.fromhex("10 00 8000 00 02 6b 01 00")
    data = kafka_format.structure("record_batch").encode({"record_count": 1, "records": overlong})
    for command in ("decode", "explain"):
        assert main(command, "--hex", data.hex())[0] == 1
        assert main(command, "--hex", data.hex(), "--flag", "overlong-varint")[0] == 0
        assert main(command, "--hex", data.hex(), "--as-kafka", "3.9")[0] == 0
        assert main(command, "--hex", data.hex(), "--as-kafka", "0.10.2")[0] == 1


def test_limits_are_the_callers(main: Main) -> None:
    packed = records.encode([Record(7, 5, 0, b"k", b"hi")] * 2, codec="gzip").hex()
    for command in ("decode", "explain"):
        assert main(command, "--hex", packed, "--limit", "20", "--max-records", "2")[0] == 0
        assert main(command, "--hex", packed, "--limit", "19")[0] == 1
        assert main(command, "--hex", packed, "--max-records", "1")[0] == 1


def test_explain_shows_every_field_of_sound_bytes(main: Main) -> None:
    status, out, _ = main("explain", "--hex", BATCH.hex())
    assert status == 0
    assert "base_offset" in out
    assert "'hi'" in out
    assert "00 00 00 00 00 00 00 07" in out


@pytest.mark.parametrize("arguments", [(), ("--request",)])
def test_empty_input_is_said_to_be_empty(main: Main, arguments: tuple[str, ...]) -> None:
    _, out, err = main("explain", *arguments, "-", stdin=b"")
    assert "The input is empty: 0 bytes." in err
    assert out == "" or arguments


def test_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "long.bin"
    file.write_bytes(BATCH * 5000)
    command = f"{sys.executable} -m kafka_tools explain {file} | head -1"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout == "entry 0\n"
    assert done.stderr == ""
