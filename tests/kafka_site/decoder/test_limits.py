"""Bytes that ask for more than a page has, and a build without npm."""

import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from kafka_format.compression import NAMES
from kafka_format.errors import FormatError
from kafka_format.records import Record, decode, encode
from kafka_site.addresses import Addresses
from kafka_site.decoder import libraries, scripts
from kafka_site.model import Site

from tests.kafka_site.decoder.scripts import ask
from tests.kafka_site.decoder.test_reader import facts, skip_without_libraries

LIMIT = 1 << 20


def test_payloads_are_opened_up_to_the_limit_and_no_further(folder: Path) -> None:
    skip_without_libraries(folder)
    sizes = (LIMIT - 99, LIMIT, 8 * LIMIT)
    runs = [encode([Record(0, value=bytes(size))], codec=codec) for codec in NAMES[1:] for size in sizes]
    answers = ask(folder, [{"kind": "records", "hex": data.hex(), "limit": LIMIT} for data in runs])
    assert [facts(answer["fault"]) for answer in answers] == [refusal(data) for data in runs]
    rules = [answer["fault"] and answer["fault"]["rule"] for answer in answers]
    assert rules == [None, "compression.limit", "compression.limit"] * len(NAMES[1:])


def refusal(data: bytes) -> tuple[object, ...] | None:
    try:
        decode(data, limit=LIMIT)
    except FormatError as error:
        return (*error.facts(), error.entry)
    return None


def test_megabytes_of_tiny_frames_end_where_a_page_can_show_no_more(folder: Path) -> None:
    """Each would be a response; what it is would be guessed anew a million times."""
    data = b"".join(b"\x00\x00\x00\x04" + number.to_bytes(4) for number in range(1 << 16))
    kinds = [{"kind": kind, "hex": data.hex(), "lines": True} for kind in ("request", "response")]
    answers = ask(folder, [{**kind, "as": "page"} for kind in kinds])
    assert all(0 < len(answer["lines"]) < 1000 for answer in answers)


def test_without_npm_the_build_says_so_and_payloads_stay_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(libraries, "FOLDER", tmp_path / "nothing-brought")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    scripts.write(tmp_path, Site(Addresses()))
    assert "leaves gzip and zstd closed: there is no npm" in capsys.readouterr().err
    monkeypatch.undo()
    records = [Record(0, timestamp=1, value=b"hello")]
    runs = [encode(records, codec=codec).hex() for codec in ("none", "gzip", "snappy", "lz4", "zstd")]
    answers = ask(tmp_path, [{"kind": "records", "hex": run, "lines": True} for run in runs])
    assert [bool(answer["closed"]) for answer in answers] == [False, True, False, False, True]
    assert all(answer["fault"] is None for answer in answers)


def test_what_npm_cannot_bring_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "npm"
    program.write_text("#!/bin/sh\necho no registry here >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(libraries, "FOLDER", tmp_path / "nothing-brought")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(libraries.NoLibrariesError, match="npm brings none: no registry here"):
        libraries.script()


def test_several_builds_at_a_time_each_find_all_that_npm_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the real one, this npm empties its folder first, and fills it file by file."""
    program = tmp_path / "npm"
    program.write_text(
        "#!/bin/sh\nrm -rf node_modules\nsleep 0.2\n"
        "mkdir -p node_modules/pako/dist/browser node_modules/zstddec/dist\nsleep 0.2\n"
        "echo MIT >node_modules/pako/LICENSE\necho MIT >node_modules/zstddec/LICENSE\n"
        "echo inflate >node_modules/pako/dist/browser/pako_inflate.umd.min.js\nsleep 0.2\n"
        "echo 'const wasm = \"AA==\"' >node_modules/zstddec/dist/zstddec.mjs\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(libraries, "FOLDER", tmp_path / "brought")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    def late(seconds: float) -> str:
        time.sleep(seconds)
        return libraries.script()

    with ThreadPoolExecutor(3) as builds:
        scripts_made = list(builds.map(late, (0, 0.3, 0.5)))
    assert len(set(scripts_made)) == 1
    assert [folder.name for folder in libraries.FOLDER.iterdir() if folder.name.startswith("npm-")] == []
