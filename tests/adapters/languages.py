"""The languages of adapters/: for each a toy decoder behind its template.

The toys do the same in every language. What they decode is a word: `all` is one record, with no two
fields alike and each at an edge; `empty` is none; `refuses` and `cannot` are a refusal and a gap;
`half` is a record and then an error; `print` prints; `panic` ends the process. What they encode
tells magic, codec, and how many of the records are the one of `all`; they have no codec 4.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from kafka_conformance.targets.folders import TEMPLATES

from tests.kafka_conformance.targets.adapter_client import AnswerRecord

TOYS = Path(__file__).with_name("toys")

FULL = AnswerRecord(
    -(2**63), 2**63 - 1, 1, b"\0k", b"", ((b"a", b"\xff"), (b"a", None)), 2**53 + 1, -3, 2**31 - 1, 3, 4
)
"""The toys' answer to `all`."""


@dataclass(frozen=True)
class Language:
    """How a toy is made and run, and what its language has.

    Attributes:
        toy: the toy's file.
        needs: the program that must be on the PATH.
        build: what makes the toy, in its folder; empty if nothing does.
        run: what runs it there.
        encodes: whether the template can encode.
        yields: whether a decoder can give records before it fails.
        keeps_output: whether the template keeps what a library prints away from its replies.
        panics: whether a decoder can end the process.
        template: where the toy looks for the template.
    """

    toy: str
    needs: str
    build: tuple[str, ...]
    run: tuple[str, ...]
    encodes: bool = True
    yields: bool = True
    keeps_output: bool = True
    panics: bool = True
    template: str = "."


C_WARNINGS = ("-std=gnu99", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror")
LANGUAGES = {
    "python": Language("toy.py", sys.executable, (), (sys.executable, "toy.py"), panics=False),
    "java": Language(
        "Toy.java",
        "javac",
        ("javac", "-Xlint:all", "Adapter.java", "Toy.java"),
        ("java", "-cp", ".", "Toy"),
        yields=False,
        panics=False,
    ),
    "go": Language("main.go", "go", ("go", "build", "-o", "toy", "."), ("./toy",), template="adapter"),
    "rust": Language(
        "main.rs",
        "rustc",
        ("rustc", "--edition=2021", "-O", "-D", "warnings", "-o", "toy", "main.rs"),
        ("./toy",),
        yields=False,
        keeps_output=False,
    ),
    "javascript": Language("toy.js", "node", (), ("node", "toy.js"), panics=False),
    "c": Language("toy.c", "cc", ("cc", *C_WARNINGS, "-o", "toy", "toy.c"), ("./toy",), encodes=False),
}


def make(name: str, folder: Path) -> list[str]:
    """Make the toy of a language in a folder, and return the command that runs it there.

    Skips where the language is not installed.
    """
    language = LANGUAGES[name]
    if shutil.which(language.needs) is None:
        pytest.skip(f"{language.needs} is not on the PATH")
    (folder / language.template).mkdir(exist_ok=True)
    shutil.copy(TEMPLATES[name]["decoder"], folder / language.template)
    shutil.copy(TOYS / language.toy, folder)
    if name == "go":
        (folder / "go.mod").write_text("module toy\n\ngo 1.25\n", encoding="utf-8")
    if language.build:
        subprocess.run(language.build, cwd=folder, check=True, timeout=1800)
    return list(language.run)
