"""The steps of a decoder: each folder of site/tutorial/LANGUAGE has the files that it changes."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from kafka_conformance.child.launch import Command
from kafka_conformance.targets.folders import TEMPLATES

from kafka_site.templates import SITE

FOLDER: Final = SITE / "tutorial"


class Language(NamedTuple):
    """A language that a decoder is written in.

    Attributes:
        name: the name of its folder, and of its adapter template.
        title: what people call it.
        program: what runs a decoder here.
        runs: what runs a decoder for a reader.
        lexer: the name by which Pygments knows it.
    """

    name: str
    title: str
    program: str
    runs: str
    lexer: str

    @property
    def template(self) -> Path:
        """The adapter template that a reader begins with."""
        return TEMPLATES[self.name]["decoder"]

    @property
    def main(self) -> str:
        """The file that is run."""
        return f"decoder{self.template.suffix}"


LANGUAGES: Final = (
    Language("python", "Python", sys.executable, "python3", "python"),
    Language("javascript", "JavaScript", "node", "node", "javascript"),
)


class Step(NamedTuple):
    """One step of a decoder.

    Attributes:
        language: in which it is written.
        name: its folder, for instance `04-checksum`.
        before: all files of the step before, by name.
        files: all files of this step.
    """

    language: Language
    name: str
    before: Mapping[str, str]
    files: Mapping[str, str]

    @property
    def number(self) -> int:
        """1 for the first."""
        return int(self.name.partition("-")[0])

    @property
    def changed(self) -> list[str]:
        """The files that are new or others than before."""
        return [name for name, text in self.files.items() if self.before.get(name) != text]

    def write(self, folder: Path) -> Command:
        """Write the decoder as it stands after this step, and return what runs it."""
        folder.mkdir(parents=True)
        template = self.language.template
        for name, text in {**self.files, template.name: template.read_text(encoding="utf-8")}.items():
            (folder / name).write_text(text, encoding="utf-8")
        return Command((self.language.program, self.language.main), folder)


@cache
def steps(language: Language) -> Sequence[Step]:
    """Return the steps of a language in their order."""
    loaded: list[Step] = []
    before: Mapping[str, str] = {}
    for folder in sorted(path for path in (FOLDER / language.name).iterdir() if path.is_dir()):
        own = {file.name: file.read_text(encoding="utf-8") for file in sorted(folder.glob(f"*{_suffix(language)}"))}
        files = dict(sorted({**before, **own}.items()))
        loaded.append(Step(language, folder.name, before, files))
        before = files
    return loaded


def _suffix(language: Language) -> str:
    return language.template.suffix
