"""The layout machine: under sanitizers, with mistakes put in, in other interpreters, and absent."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from kafka_format.codec import readings

from tests.fuzz import native_build

RUN = [sys.executable, "-m", "tests.fuzz.machine"]


class Mistake(NamedTuple):
    """What a wrong machine takes or makes: a text of a file, and what stands in its place."""

    what: str
    file: str
    text: str
    change: str


MISTAKES = (
    Mistake("needless bytes of varints", "numbers.h", "if (!byte && shift)", "if (0)"),
    Mistake("too many bits", "numbers.h", "if (shift + 7 > bits && group >> (bits - shift))", "if (0)"),
    Mistake("keys that are no UTF-8", "records.c", "if (forms[index].is_text &&", "if (0 &&"),
    Mistake("bytes after a record", "records.c", "if (RARELY(!is_filled || *p != stop))", "if (RARELY(!is_filled))"),
    Mistake("any checksum", "records.c", "== (uint32_t)head[f->role[CRC]]", "!= 0x1234567"),
    Mistake("no wrapped sequence", "records.c", "if (delta >= 0 && number <= INT32_MAX)", "if (1)"),
    Mistake("no append time", "records.c", "(attributes & f->appended_bit) != 0;", "0;"),
)
NOT_CLEARED = Mistake("values that are not cleared", "values.h", "items[index] = NULL;", ";")
TOO_FAR = Mistake("a byte too far", "numbers.h", "if (RARELY(p >= end))", "if (RARELY(p > end))")


@pytest.fixture(scope="module", autouse=True)
def _compiler() -> None:
    if native_build.compiler() is None:
        pytest.skip("no C compiler here")


def mistaken(folder: Path, mistake: Mistake) -> Path:
    """Copy the sources, with a mistake in them."""
    shutil.copytree(native_build.SOURCES, folder)
    source = (folder / mistake.file).read_text(encoding="utf-8")
    assert mistake.text in source
    (folder / mistake.file).write_text(source.replace(mistake.text, mistake.change, 1), encoding="utf-8")
    return folder


def run(folder: Path, *options: str, sanitized: bool) -> subprocess.CompletedProcess[str]:
    variables = os.environ | native_build.environment(folder, sanitized=sanitized)
    return subprocess.run([*RUN, *options], env=variables, capture_output=True, text=True, check=False)


@pytest.mark.sampled(4, of="mutants")
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.what)
def test_a_mistake_is_found(mistake: Mistake, tmp_path: Path) -> None:
    native_build.build(tmp_path, "-O1", sources=mistaken(tmp_path / "source", mistake))
    done = run(tmp_path, "--inputs", "0", "--batches-only", sanitized=False)
    assert (done.returncode, "differ" in done.stdout) == (1, True), done.stderr


def test_values_that_are_not_cleared_are_a_crash(tmp_path: Path) -> None:
    """What is half made at a doubt is freed with what is in it."""
    native_build.build(tmp_path, "-O1", sources=mistaken(tmp_path / "source", NOT_CLEARED))
    assert run(tmp_path, "--inputs", "0", "--batches-only", sanitized=False).returncode < 0


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("native")
    try:
        native_build.build(folder, *native_build.SANITIZERS)
    except subprocess.CalledProcessError:
        pytest.skip("this compiler has no sanitizers")
    if not native_build.preload():
        pytest.skip("this compiler has no library of the address sanitizer")
    return folder


def test_nothing_is_reported_under_sanitizers(sanitized: Path) -> None:
    """A share of what `make sanitize` looks at."""
    done = run(sanitized, "--inputs", "1000", "--share", "40", sanitized=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("under sanitizers"), done.stdout


@pytest.mark.usefixtures("sanitized")
def test_a_byte_too_far_is_reported(tmp_path: Path) -> None:
    native_build.build(tmp_path, *native_build.SANITIZERS, sources=mistaken(tmp_path / "source", TOO_FAR))
    done = run(tmp_path, "--inputs", "600", "--share", "8", "--batches-only", sanitized=True)
    assert "ERROR: AddressSanitizer" in done.stderr


READ = "from kafka_format.codec.readings import READINGS; from kafka_format import protocol as p; "
USED = READ + "print(READINGS.machine is not None, p.decode_request(p.encode_request('fetch', 12, {})).version)"


def python(code: str, **variables: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(
        command, env=os.environ | variables, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_without_it_python_does_the_same(tmp_path: Path) -> None:
    (tmp_path / "kafka_format_native.py").write_text("raise ImportError\n", encoding="utf-8")
    assert python(USED, PYTHONPATH=str(tmp_path)) == "False 12"


def test_one_of_another_release_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "kafka_format_native.py").write_text("PROGRAMS = 0\n", encoding="utf-8")
    assert python(USED, PYTHONPATH=str(tmp_path)) == "False 12"


@pytest.mark.parametrize("engine", ["python", "interpreter"])
def test_the_environment_chooses_the_engine(engine: str) -> None:
    assert python(USED, KAFKA_FORMAT_ENGINE=engine) == "False 12"


def test_an_engine_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "kafka_format_native.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    for engine, said in (("machine", "not here"), ("fortran", "there are machine, python, interpreter")):
        variables = os.environ | {"PYTHONPATH": str(tmp_path), "KAFKA_FORMAT_ENGINE": engine}
        done = subprocess.run([sys.executable, "-c", USED], env=variables, capture_output=True, text=True, check=False)
        assert said in done.stderr


def test_a_python_without_the_global_lock_reads_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sysconfig.get_config_var", {"Py_GIL_DISABLED": 1}.get)
    with pytest.raises(ImportError, match="needs a Python with the global lock"):
        readings.load_machine()


def test_interpreters_of_one_process_have_nothing_in_common(tmp_path: Path) -> None:
    """Each has classes of its own; one ends while the others go on."""
    testing = pytest.importorskip("_xxsubinterpreters", reason="this Python has no such module")
    native_build.build(tmp_path, "-O1")
    code = (
        f"import sys; sys.path[:0] = {[str(tmp_path), *sys.path]!r}\n"
        "import kafka_format_native as native\n"
        "from collections import namedtuple\n"
        "Pair = namedtuple('Pair', 'first second')\n"
        "number = lambda place: (0, 4, 1, 0, 0, place, 0, -1, 1, -2**31, 2**31 - 1, (), None, False, None, (), 'n')\n"
        "fields = number(0), number(1)\n"
        "pair = 10, 0, 1, 0, 0, 0, 2, -1, 1, 0, 0, fields, Pair, False, None, (), 'Pair'\n"
        "decode, read, write = native.program(pair, 1 << 16)\n"
        "value = decode(bytes([0, 0, 0, 7, 255, 255, 255, 255]))\n"
        "assert type(value) is Pair and value == (7, -1) and write(value).endswith(bytes([255] * 4)), value\n"
    )
    interpreters = [testing.create() for _ in range(3)]
    for _ in range(2):
        for other in interpreters:
            testing.run_string(other, code)
        testing.destroy(interpreters.pop())
    testing.run_string(interpreters[0], code)
    testing.destroy(interpreters[0])
