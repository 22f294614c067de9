"""The wheel alone, in an empty environment: what a user gets without the repository."""

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from kafka_conformance import cli as suite
from kafka_format.content import schemas
from kafka_tools import cli as tools

ROOT = Path(__file__).resolve().parent.parent
UV = Path(sys.executable).with_name("uv")
BATCH = "00000000000000000000001ec94318c5010000000000000003e8000000036b65790000000576616c7565"
VECTORS = ("--vectors", "v1/message/*")

MODULES = {"kafka-conformance": "kafka_conformance.cli", "kafka-format": "kafka_tools.cli"}
HELP = """
from {module} import group


def main(words):
    group.main(words, standalone_mode=False)


"""
"""Prints the help of commands, in one process."""

Typed = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def install(programs: Path, *packages: str) -> None:
    """Install packages in the versions of the lock: from uv's cache, or from the registry."""
    command = [UV, "pip", "install", "-q", "--python", programs / "python", "-c", ROOT / "requirements" / "dev.lock"]
    done = subprocess.run([*command, *packages], capture_output=True, text=True, check=False)
    if done.returncode and ("fetch" in done.stderr or "network" in done.stderr.lower()):
        pytest.skip(f"no network to install from: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it depends on, no extras: its folder of programs."""
    if not UV.exists():
        pytest.skip("uv is not installed beside this Python")
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([UV, "venv", "-q", "--python", sys.executable, folder / "venv"], check=True)
    programs = folder / "venv" / "bin"
    install(programs, str(wheel))
    return programs


@pytest.fixture
def type_in(bare: Path, tmp_path: Path) -> Typed:
    """Types a command in a folder far from the checkout, with nothing of this process's environment
    but the PATH."""

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": f"{bare}:/usr/bin:/bin", "HOME": str(tmp_path)}
        return subprocess.run(
            [bare / program, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=1800,
        )

    return run


def test_the_packages_are_those_of_the_wheel(type_in: Typed, bare: Path) -> None:
    names = ("kafka_format", "kafka_tools", "kafka_conformance")
    script = f"import {', '.join(names)}; print(*({', '.join(f'{name}.__file__' for name in names)}), sep='\\n')"
    done = type_in("python", "-c", script)
    homes = done.stdout.splitlines()
    assert [line.startswith(str(bare.parent)) for line in homes] == [True] * len(names), done.stdout + done.stderr


def test_no_generator_is_inside(type_in: Typed, wheel: Path) -> None:
    listed = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in listed if "kafka_generator" in name or "generate.py" in name or "tests/" in name]
    assert type_in("python", "-c", "import kafka_generator").returncode == 1


HOMES = {
    "reference/": "",
    "tools/kafka_tools/": "kafka_tools/",
    "conformance/kafka_conformance/": "kafka_conformance/",
    "spec/": "kafka_format/_data/spec/",
    "vectors/": "kafka_format/_data/vectors/",
    "adapters/": "kafka_conformance/_data/adapters/",
    "targets/": "kafka_conformance/_data/targets/",
}
"""Where each folder of the repository is in the wheel."""

NOT_IN_THE_WHEEL = "vectors/cases/"
"""What only this project's own generators and tests read."""


def test_the_packages_and_their_data_are_inside(wheel: Path) -> None:
    """With py.typed, and the stubs that tell editors the types of decoded values."""
    git = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if git.returncode != 0:
        pytest.skip("not a git checkout")
    tracked = [name for name in git.stdout.decode().split("\0") if (ROOT / name).is_file()]
    wanted = {
        home + name.removeprefix(source)
        for source, home in HOMES.items()
        for name in tracked
        if name.startswith(source) and not name.startswith(NOT_IN_THE_WHEEL)
    }
    listed = set(zipfile.ZipFile(wheel).namelist())
    assert {"kafka_format/py.typed", "kafka_format/protocol/values.pyi"} <= wanted
    assert wanted - listed == set()
    assert not [name for name in listed if "/cases/" in name]


NOT_EXPORTED = {"cases", "log", "start"}
"""Folders whose lines are not exported as they are: those of logs have other blanks, and starts are
tables of their own."""


def test_the_vectors_are_exported(type_in: Typed, tmp_path: Path) -> None:
    done = type_in("kafka-conformance", "vectors", "--export", "out", "--as", "jsonl")
    assert done.returncode == 0, done.stderr
    wheel_file = [path.relative_to(ROOT / "vectors") for path in (ROOT / "vectors").rglob("*.jsonl")]
    here = {
        path.name: (ROOT / "vectors" / path).read_bytes() for path in wheel_file if path.parts[0] not in NOT_EXPORTED
    }
    exported = [path for path in (tmp_path / "out/jsonl").rglob("*.jsonl") if path.parent.name not in {"log", "orders"}]
    written = {path.name: path.read_bytes() for path in exported}
    assert written.keys() - here.keys() == {f"{kind}.jsonl" for kind in schemas.LAYOUTS}  # made of requests' vectors
    assert here.items() <= written.items()


def test_the_reference_passes_vectors(type_in: Typed) -> None:
    done = type_in("kafka-conformance", "run", "reference", *VECTORS)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_program_is_run_on_vectors(type_in: Typed, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tests" / "kafka_conformance" / "miniatures", tmp_path / "miniatures")
    target = "cmd:python -S miniatures refuses_everything"
    done = type_in("kafka-conformance", "run", target, "--vectors", "v2/size/*")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "refused what is valid" in done.stdout


def test_bytes_are_explained_and_decoded(type_in: Typed) -> None:
    explained = type_in("kafka-format", "explain", "--hex", BATCH)
    assert (explained.returncode, explained.stdout.split("\n")[0]) == (0, "entry 0"), explained.stderr
    decoded = type_in("kafka-format", "decode", "--hex", BATCH)
    assert decoded.returncode == 0, decoded.stderr
    assert [record["timestamp"] for record in json.loads(decoded.stdout)] == ["1000"]


@pytest.mark.parametrize("program", ["kafka-conformance", "kafka-format"])
def test_every_command_is_there_without_extras(type_in: Typed, program: str) -> None:
    commands = {"kafka-conformance": suite, "kafka-format": tools}[program].COMMANDS
    script = "; ".join(f"main({[name, '--help']!r})" for name in commands)
    told = type_in("python", "-c", f"{HELP.format(module=MODULES[program])}{script}")
    assert told.returncode == 0, told.stderr
    assert told.stdout.count("Usage: ") == len(commands)


def test_a_data_directory_is_looked_at(type_in: Typed, tmp_path: Path) -> None:
    zipfile.ZipFile(ROOT / "tests/kafka_format/log/directories/kafka-4.4.0-stopped.zip").extractall(tmp_path / "data")
    for command in ("start", "verify", "stat", "origin"):
        done = type_in("kafka-format", "log", command, "data")
        assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


def test_bytes_are_served(type_in: Typed, tmp_path: Path) -> None:
    (tmp_path / "batch.bin").write_bytes(bytes.fromhex(BATCH))
    done = type_in("kafka-format", "serve", "orders=batch.bin", "--port", "0", "--seconds", "0.1")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("1 topic at 127.0.0.1:")


@pytest.mark.parametrize(("command", "extra"), [("audit", "spark"), ("capture", "capture")])
def test_a_missing_extra_is_named(type_in: Typed, tmp_path: Path, command: str, extra: str) -> None:
    capture = ROOT / "tests" / "captures" / "kafka-4.4.0.pcap"
    done = type_in("kafka-format", command, str(tmp_path if command == "audit" else capture))
    assert done.returncode == 2
    assert f"pip install 'kafka-format-conformance[{extra}]'" in done.stderr


def test_one_generated_batch_is_put_to_a_target(type_in: Typed, bare: Path) -> None:
    """Spark is not started for one batch, but it must be there; 400 MB are borrowed from this
    environment."""
    install(bare, "numpy", "pyarrow")
    packages = next((bare.parent / "lib").glob("python*/site-packages"))
    for name in ("pyspark", "py4j"):
        here = find_spec(name)
        if here is None or here.origin is None:
            pytest.skip(f"{name} is not installed: pip install 'kafka-format-conformance[spark]'")
        if not (packages / name).exists():
            (packages / name).symlink_to(Path(here.origin).parent)
    done = type_in("kafka-conformance", "scale", "reference", "--seed", "7", "--index", "1234")
    assert done.returncode == 0, done.stdout + done.stderr
