"""One release of Kafka as a judge."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Final, Literal, NamedTuple

from kafka_conformance.errors import NotReadyError

from kafka_generator.kafka_schemas.jars import Jar, jars
from kafka_generator.kafka_schemas.names import current

_SOURCE: Final = Path(__file__).with_name("Judge.java")
_GENERATED: Final = re.compile(r"/(?:common/message|common/metadata|generated)/\w+\.class$")
"""Files of the classes that Kafka generates."""


class Status(IntEnum):
    """The outcomes of a question."""

    WRITTEN = 0
    NOT_READ = 1
    NOT_WRITTEN = 2
    UNKNOWN = 3
    BYTES_LEFT = 4


class Question(NamedTuple):
    """Bytes to be read.

    Attributes:
        schema: name of Kafka's schema of a body; empty for a whole request or response.
        version: its version.
        content: the bytes.
        kind: `body`; or `request` or `response`, with the header in front.
        api: number of the API of a whole request or response.
    """

    schema: str
    version: int
    content: bytes
    kind: Literal["body", "request", "response"] = "body"
    api: int = 0


class Reply(NamedTuple):
    """Kafka's result for some bytes.

    Attributes:
        status: what became of them; written although bytes were left is a status of its own.
        content: what it wrote of them again, or the text of what was thrown.
        json: the value as Kafka's JSON, of a whole request or response a list of header and body;
            empty where Kafka has no converter.
    """

    status: Status
    content: bytes
    json: str = ""

    @property
    def was_read(self) -> bool:
        """True if Kafka accepted the bytes."""
        return self.status in (Status.WRITTEN, Status.NOT_WRITTEN, Status.BYTES_LEFT)


def missing(folder: Path) -> str:
    """Return what a judge lacks, with the jars in a folder; empty if nothing."""
    if not folder.is_dir():
        return "the jars are not here: run `make schemas`"
    return "" if shutil.which("javac") else "there is no JDK: install one, 17 or newer"


class Judge:
    """The message classes of one release."""

    def __init__(self, folder: Path, release: str, build: Path) -> None:
        """Compile the judge.

        Args:
            folder: the jars, as `make schemas` leaves them.
            release: the release, as `4.4`.
            build: folder for what is compiled.
        """
        own = _jars(folder, release)
        self._path = class_path(folder, release, build)
        self._classes = dict(_classes(own))
        compile_source(_SOURCE, self._path, build)

    def knows(self, schema: str) -> bool:
        """Tell whether the release has a class for a schema."""
        return schema in self._classes

    def ask(self, questions: Sequence[Question]) -> list[Reply]:
        """Put questions to the release, and return its replies in order."""
        return replies("Judge", self._path, b"".join(self._bytes(question) for question in questions))

    def _bytes(self, question: Question) -> bytes:
        name = self._classes.get(question.schema, question.schema).encode()
        kind = ("body", "request", "response").index(question.kind)
        numbers = question.api.to_bytes(2, "big", signed=True) + question.version.to_bytes(2, "big", signed=True)
        parts = [bytes([kind]), len(name).to_bytes(2, "big"), name, numbers]
        return b"".join([*parts, len(question.content).to_bytes(4, "big"), question.content])


def _jars(folder: Path, release: str) -> list[Jar]:
    """Return the jars of a release, given as `4.4`."""
    number = tuple(int(part) for part in release.split("."))
    return [jar for jar in jars(folder) if jar.release[:2] == number]


def class_path(folder: Path, release: str, build: Path) -> str:
    """Return the class path of a release, with what is compiled in front."""
    own = [jar.file for jar in _jars(folder, release)]
    return ":".join(map(str, [build, *own, *folder.glob("slf4j-api-*.jar"), *folder.glob("jackson-*.jar")]))


def compile_source(source: Path, path: str, build: Path) -> None:
    """Compile a Java program against a class path, with what it uses of its own folder."""
    command: list[str | Path] = [_program("javac"), "-nowarn", "-cp", path, "-sourcepath", source.parent]
    subprocess.run([*command, "-d", build, source], check=True, capture_output=True)


def replies(program: str, path: str, asked: bytes) -> list[Reply]:
    """Run a compiled program over questions, and return its replies in order."""
    command = [_program("java"), "-XX:+UseSerialGC", "-Xmx512m", "-cp", path, program]
    return list(_replies(subprocess.run(command, input=asked, capture_output=True, check=True).stdout))


def _program(name: str) -> str:
    program = shutil.which(name)
    if program is None:
        raise NotReadyError(f"there is no {name}", "install a JDK, 17 or newer")
    return program


def _classes(own: Iterable[Jar]) -> Iterable[tuple[str, str]]:
    """Yield the schemas that have a class in some jars, by today's names, each with its class."""
    for jar in own:
        schemas = {schema.name for schema in jar.schemas()}
        with zipfile.ZipFile(jar.file) as archive:
            names = archive.namelist()
        for name in names:
            stem = Path(name).stem
            if _GENERATED.search(name) and (stem in schemas or stem.removesuffix("Data") in schemas):
                schema = stem if stem in schemas else stem.removesuffix("Data")
                yield current(schema), name.removesuffix(".class").replace("/", ".")


def _replies(data: bytes) -> Iterable[Reply]:
    position = 0
    while position < len(data):
        status = Status(data[position])
        json, behind = _part(data, position + 5)
        content, position = _part(data, behind)
        yield Reply(status, content, json.decode())


def _part(data: bytes, position: int) -> tuple[bytes, int]:
    """Return what stands after its int32 length, and the position after it."""
    start = position + 4
    end = start + int.from_bytes(data[position:start], "big")
    return data[start:end], end
