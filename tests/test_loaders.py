"""The examples of loaders: short, and each counts the vectors right and judges as documented."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from kafka_conformance.vectors import export, golden, protocol_export
from kafka_conformance.vectors.export import ExportKind
from kafka_conformance.vectors.loader import Filters, choose
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_tools.spark.java import find_java

LOADERS = Path(__file__).resolve().parents[1] / "examples/loaders"
CHOSEN = ("run/*", "control/*", "v07/*", "v2/gzip/empty-*", "large/v2/headers-*", "large/v2/last-byte", "deliver/*")
"""Every verdict, 0.7, answers with and without records, and vectors with recipes and of other
directions."""


RUST_TARGET = LOADERS.parents[1] / "build/loaders/rust"
"""What cargo has built, kept from run to run: the library for JSON takes longer than all else."""

QUICK_JAVA = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
QUICK_BUILD = {"CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0"}
"""What runs for a second is not worth the slower compiler, nor lines for a debugger."""


class Loader(NamedTuple):
    """One example: its file, how it is run, and what stands in place of a decoder.

    `refuses` is in the example. `at_times` takes its place: a decoder that refuses an odd number of
    bytes, and finds no records in any other.
    """

    file: str
    run: Callable[[Path], list[str | Path]]
    refuses: str
    at_times: str


def _program(name: str) -> str:
    return shutil.which(name) or pytest.skip(f"there is no {name} here")


def _java(file: Path) -> list[str | Path]:
    home = find_java()
    return [home.java, *QUICK_JAVA, file] if home else pytest.skip("there is no Java 17 here")


def _cargo(file: Path, folder: Path, *options: str) -> list[str | Path]:
    cargo = _program("cargo")
    others = shutil.ignore_patterns(file.name, "target")
    shutil.copytree(LOADERS / "rust", folder, dirs_exist_ok=True, ignore=others)
    manifest = ["--locked", "--manifest-path", str(folder / "Cargo.toml")]
    fetched = subprocess.run([cargo, "fetch", *manifest], check=False, capture_output=True, text=True)
    if fetched.returncode != 0:
        pytest.skip(f"serde_json cannot be fetched: {fetched.stderr.strip().splitlines()[-1]}")
    return [cargo, "run", "-q", *options, *manifest, "--target-dir", str(RUST_TARGET), "--"]


ALL = {
    "python": Loader(
        "loader.py",
        lambda file: [sys.executable, file],
        'raise NotImplementedError("your decoder")',
        'assert len(data) % 2 == 0, "your decoder"; return []',
    ),
    "java": Loader(
        "Loader.java",
        _java,
        'throw new UnsupportedOperationException("your decoder");',
        "return new byte[data.length % 2 == 0 ? 4 : -1];",
    ),
    "go": Loader(
        "loader.go",
        lambda file: [_program("go"), "run", file],
        'return nil, fmt.Errorf("your decoder")',
        'if len(data)%2 == 0 { return []any{}, nil }; return nil, fmt.Errorf("your decoder")',
    ),
    "rust": Loader(
        "src/main.rs",
        lambda file: _cargo(file, file.parents[1]),
        'Err("your decoder".into())',
        'if _data.len() % 2 == 0 { Ok(Value::Array(vec![])) } else { Err("your decoder".into()) }',
    ),
    "javascript": Loader(
        "loader.mjs",
        lambda file: [_program("node"), file],
        'throw new Error("your decoder");',
        "if (data.length % 2 === 0) return []; throw 0;",
    ),
}


FOR_PROTOCOL = {
    "python": Loader(
        "protocol.py",
        lambda file: [sys.executable, file],
        'raise NotImplementedError("your codec")',
        "assert len(data) % 2 == 0; return {'errorCode': 0}",
    ),
    "java": Loader(
        "Protocol.java",
        _java,
        'throw new UnsupportedOperationException("your codec");',
        "return new byte[data.length % 2 == 0 ? 2 : -1];",
    ),
    "go": Loader(
        "protocol.go",
        lambda file: [_program("go"), "run", file],
        'return nil, fmt.Errorf("your codec")',
        'if len(data)%2 == 0 { return map[string]any{"errorCode": 0.0}, nil }; return nil, fmt.Errorf("refused")',
    ),
    "rust": Loader(
        "src/bin/protocol.rs",
        lambda file: _cargo(file, file.parents[2], "--bin", "protocol"),
        'Err("your codec".into())',
        'if _data.len() % 2 == 0 { Ok(serde_json::json!({"errorCode": 0})) } else { Err("your codec".into()) }',
    ),
    "javascript": Loader(
        "protocol.mjs",
        lambda file: [_program("node"), file],
        'throw new Error("your codec");',
        "if (data.length % 2 === 0) return { errorCode: 0 }; throw 0;",
    ),
}
"""The codec that stands in takes what has an even number of bytes for a response of two zero
bytes."""

APIS = ("heartbeat", "update_features", "metadata")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an export, `out`."""
    folder = tmp_path_factory.mktemp("loaders")
    export.write(choose(Filters(CHOSEN)), folder / "out", frozenset({ExportKind.JSON, ExportKind.BIN}))
    protocol_export.write(protocol_export.of_apis(APIS), folder / "out")
    return folder


def told(passes: Callable[[Vector], bool]) -> list[str]:
    """What a loader has to print, if these pass."""
    seen, size, passed = Counter[str](), Counter[str](), Counter[str]()
    for vector in golden.load(patterns=CHOSEN):
        seen[vector.verdict] += 1
        size[vector.verdict] += len(vector.data)
        passed[vector.verdict] += passes(vector)
    return [
        f"{verdict}: {seen[verdict]} vectors, {size[verdict]} bytes, {passed[verdict]} passed"
        for verdict in sorted(seen)
    ]


def printed(loader: Loader, language: str, home: Path, text: str) -> list[str]:
    file = home / language / loader.file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    done = subprocess.run(
        [*loader.run(file), home / "out"],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **QUICK_BUILD},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("language", ALL)
def test_a_loader_counts_the_vectors_and_holds_decoders_to_the_pass_condition(language: str, home: Path) -> None:
    loader = ALL[language]
    text = (LOADERS / language / loader.file).read_text("utf-8")
    assert text.count(loader.refuses) == 1
    program = text.replace(loader.refuses, loader.at_times)
    assert printed(loader, language, home, program) == told(
        lambda vector: vector.answer == () if len(vector.data) % 2 == 0 else vector.verdict != "valid"
    )


def told_of_protocol(passes: Callable[[ProtocolVector], bool]) -> list[str]:
    """What a loader of the protocol has to print, if these pass."""
    seen, passed = Counter[str](), Counter[str]()
    for vector in protocol_export.of_apis(APIS):
        seen[vector.verdict] += len(vector.versions)
        passed[vector.verdict] += passes(vector) * len(vector.versions)
    return [f"{verdict}: {seen[verdict]} messages, {passed[verdict]} passed" for verdict in sorted(seen)]


@pytest.mark.parametrize("language", FOR_PROTOCOL)
def test_a_loader_puts_every_version_of_the_protocols_vectors_to_a_codec(language: str, home: Path) -> None:
    loader = FOR_PROTOCOL[language]
    text = (LOADERS / language / loader.file).read_text("utf-8")
    assert text.count(loader.refuses) == 1
    program = text.replace(loader.refuses, loader.at_times)
    by_bytes = language == "java"  # its codec gives bytes, and those of a value that is not canonical are not compared
    assert printed(loader, language, home, program) == told_of_protocol(
        lambda vector: (
            vector.verdict != "valid"
            if len(vector.data) % 2
            else vector.verdict != "invalid"
            and ((not vector.canonical or vector.data == bytes(2)) if by_bytes else vector.value == {"errorCode": 0})
        )
    )


def test_what_is_told_has_something_of_each_kind() -> None:
    """So that the test above can fail: of what is refused and of what is taken for no records,
    some passes and some does not."""
    chosen = golden.load(patterns=CHOSEN)
    refused = [vector for vector in chosen if len(vector.data) % 2]
    taken = [vector for vector in chosen if len(vector.data) % 2 == 0]
    assert {vector.verdict for vector in refused} == {vector.verdict for vector in taken} == set(Verdict)
    assert {vector.answer == () for vector in taken if vector.verdict == "valid"} == {True, False}


def test_every_example_is_tested_and_below_forty_lines() -> None:
    assert set(ALL) == {path.name for path in LOADERS.iterdir() if path.is_dir()}
    for language, loader in ALL.items():
        assert len((LOADERS / language / loader.file).read_text("utf-8").splitlines()) < 40, language
        for_protocol = LOADERS / language / FOR_PROTOCOL[language].file
        assert len(for_protocol.read_text("utf-8").splitlines()) < 50, language


def test_the_python_loader_passes_the_reference(home: Path) -> None:
    decoder = (
        "from kafka_conformance.vectors import json_answers; from kafka_format import records; "
        "return json_answers.to_json((records.decode_v07 if fmt == 'v07' else records.decode)(data))"
    )
    text = (LOADERS / "python/loader.py").read_text("utf-8").replace(ALL["python"].refuses, decoder)
    assert printed(ALL["python"], "python", home, text) == told(lambda _: True)
