"""Confirmation of findings by short programs that call the library's own API, without an adapter.

The arguments of the program are the address of a broker that serves the vector, the name of the
topic there, and a file with the bytes of the vector, for libraries that have no consumer. It finds
the library where `kafka-conformance targets --install` put it.

`main` reads. `produce` writes: its file has the records of the vector, a line each, and it sends
them with the vector's codec to a broker that speaks the versions of the vector's format. The
finding is about what arrives there. A library that has no producer prints its bytes, in hex.

`appends` starts a broker, sends it a file with what a producer sends, and prints what it appended,
or the error.

`messages` reads a request or response: its arguments are which of both, the API, the version, and a
file with header and body. It needs no broker.

A library may take the program with it. Then the signal that ended it is the last line of what it
printed; a panic in Go ends in one, too.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kafka_conformance import broker
from kafka_conformance.broker import Broker, BrokerSettings, Topic, Topics
from kafka_conformance.broker.settings import ranges
from kafka_conformance.broker.topics import end_offset
from kafka_conformance.brokers import questions as appends
from kafka_conformance.child.exit_text import exit_words
from kafka_conformance.errors import UsageError
from kafka_conformance.findings import record_lines
from kafka_conformance.findings.catalogue import Finding, Findings
from kafka_conformance.judging.message_question import MessageQuestion
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets import resolve
from kafka_conformance.targets.installation import Installation
from kafka_conformance.vectors import golden, protocol
from kafka_conformance.vectors.vector import Vector

TOPIC: Final = "vector"
"""The topic that the programs read and write."""

_EMPTY_SECONDS = 0.05  # how long an empty answer to a fetch waits
_SECONDS = 60.0  # a consumer waits two seconds for more records, and some take a few to start
SCRIPTS: Final = {Direction.DECODE: "main", Direction.ENCODE: "produce"}
"""What the script of a direction is called, without its language."""
MESSAGES: Final = "messages"
"""What the script for requests and responses is called."""

APPENDS: Final = "appends"
"""What the script for a broker is called."""

_PACKAGE = 'name = "adapter"'
_HEAP_MIB = 256  # for scripts in JavaScript: a library that fills any heap is to end soon


@dataclass(frozen=True, slots=True)
class Program:
    """How to start a script."""

    command: tuple[str, ...]
    folder: Path | None = None
    environment: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a script printed for a finding's smallest vector, and if the finding says so."""

    finding: Finding
    printed: tuple[str, ...]

    @property
    def is_confirmed(self) -> bool:
        """True if the script printed what the finding says, word for word."""
        return self.printed == self.finding.gives


def confirm(findings: Findings) -> Iterator[Confirmation]:
    """Yield what a target's scripts print for the smallest vector of each of its findings.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script, or one took too long or failed.
    """
    wanted = [finding for finding in findings.findings if finding.gives is not None]
    for direction in dict.fromkeys(finding.direction for finding in wanted):
        with tempfile.TemporaryDirectory() as folder:
            started = program(findings, Path(folder), SCRIPTS[direction])
            run = sent_lines if direction is Direction.ENCODE else lines
            for finding in wanted:
                if finding.direction is direction:
                    yield Confirmation(finding, run(started, golden.choose(patterns=(finding.smallest,))[0]))


def confirm_messages(findings: Findings) -> Iterator[Confirmation]:
    """Run the script of a target on the smallest message of each finding that can be confirmed.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script, or one took too long or failed.
    """
    wanted = [finding for finding in findings.findings if finding.gives is not None]
    questions = {one.id: one for one in questions_of(finding.smallest for finding in wanted)}
    with tempfile.TemporaryDirectory() as folder:
        started = program(findings, Path(folder), MESSAGES)
        for finding in wanted:
            asked = questions[finding.smallest]
            given = (asked.kind, str(asked.input.api), str(asked.number))
            yield Confirmation(finding, _run(started, given, asked.input.message))


def confirm_appends(findings: Findings) -> Iterator[Confirmation]:
    """Run the script of a broker on what a producer sends of each finding's smallest vector.

    Raises:
        NotReadyError: the broker is not installed.
        UsageError: there is no script, or one took too long or failed.
    """
    wanted = [finding for finding in findings.findings if finding.gives is not None]
    with tempfile.TemporaryDirectory() as folder:
        started = program(findings, Path(folder), APPENDS)
        for finding in wanted:
            yield Confirmation(finding, _run(started, (), sent_of(finding.smallest)))


def sent_of(vector: str) -> bytes:
    """Return what a producer sends of a vector.

    Raises:
        UsageError: there is no such vector.
    """
    about = [*golden.load(patterns=(vector,)), *appends.vectors((vector,))]
    asked = appends.question(about[0]) if about else None
    if asked is None:
        raise UsageError(f"no producer sends {vector}.", "`kafka-conformance vectors` lists what there is.")
    return asked.data


def questions_of(vectors: Iterable[str]) -> list[MessageQuestion]:
    """Return the questions of vectors: `heartbeat-request/0/typical@1` is that of version 1.

    Raises:
        UsageError: there is no such vector, or not in that version.
    """
    wanted = list(vectors)
    families = {one.partition("/")[0].removesuffix("-request").removesuffix("-response") for one in wanted}
    loaded = protocol.load(families=[one.replace("-", "_") for one in families])
    known = {MessageQuestion(one, number).id: (one, number) for one in loaded for number in one.versions}
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no vector {name}.", "`kafka-conformance vectors --protocol` lists them.")
    return [MessageQuestion(*known[name]) for name in wanted]


def lines(program: Program, vector: Vector) -> tuple[str, ...]:
    """Run a script that reads on a vector and return what it printed.

    Raises:
        UsageError: it took too long, or failed.
    """
    with _broker(vector.data) as serving:
        return _run(program, (serving.address, TOPIC), vector.data)


def sent_lines(program: Program, vector: Vector) -> tuple[str, ...]:
    """Run a script that writes on the records of a vector and return what it sent, in lines.

    Raises:
        UsageError: it took too long, or failed.
        FormatError: what it sent cannot be read.
    """
    records = "".join(f"{line}\n" for line in record_lines.records_of(vector))
    with _broker(form="v2" if vector.format == "v2" else "v1") as taking:
        start = _milliseconds()
        printed = _run(program, (taking.address, TOPIC), records.encode(), vector.codecs[0])
        taken = b"".join(produced.records for produced in taking.state.produced)
        return tuple(_written(taken, printed, range(start, _milliseconds() + 1)))


def _broker(log: bytes = b"", form: str = "") -> AbstractContextManager[Broker]:
    """Run a broker whose topic has these bytes, with the versions of a format, or all of them."""
    topics = Topics([Topic(TOPIC, log, end_offset=end_offset(log))])
    return broker.running(topics, BrokerSettings(versions=ranges(form), empty_seconds=_EMPTY_SECONDS))


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000


def _written(taken: bytes, printed: Sequence[str], now: range) -> Iterator[str]:
    """Yield what arrived, in lines, and what was printed: bytes in hex, or an error."""
    yield from record_lines.lines(taken, now=now)
    for line in printed:
        try:
            data = bytes.fromhex(line)
        except ValueError:
            yield line
        else:
            yield from record_lines.lines(data, now=now)


def _run(program: Program, given: Sequence[str], content: bytes, *more: str) -> tuple[str, ...]:
    """Return what a script printed for a file of this content, and the signal that ended it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "vector.bin")
        file.write_bytes(content)
        try:
            done = subprocess.run(
                [*program.command, *given, str(file), *more],
                cwd=program.folder,
                env={**os.environ, **dict(program.environment)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            problem = f"{' '.join(program.command)} did not end within {_SECONDS:g} s."
            raise UsageError(problem, "Start it by hand to see where it waits.") from None
    if done.returncode < 0:
        return (*done.stdout.splitlines(), f"error: the program {exit_words(done.returncode)}")
    if done.returncode:
        tail = done.stderr.splitlines()[-5:]
        raise UsageError("\n".join([f"{' '.join(program.command)} exited with status {done.returncode}.", *tail]))
    return tuple(done.stdout.splitlines())


def program(findings: Findings, scratch: Path, name: str = SCRIPTS[Direction.DECODE]) -> Program:
    """Return how the script of that name is started. What must be built goes into `scratch`.

    Raises:
        NotReadyError: the library is not installed.
        UsageError: there is no script.
    """
    installation = resolve.installation(f"{findings.target}@{findings.version}")
    installation.check()
    script = next(findings.script.glob(f"{name}.*"), None)
    if script is None:
        hint = f"Write confirm/{findings.target}/{name}.*; CONTRIBUTING.md says how."
        raise UsageError(f"there is no script that confirms findings about {findings.target}.", hint)
    return _STARTERS[script.suffix](script, installation, scratch)


def _python(script: Path, installation: Installation, _scratch: Path) -> Program:
    places = [script.parent.parent / "common", installation.manifest.folder.parent / "common" / "python"]
    path = os.pathsep.join(map(str, places))
    own = installation.folder / "venv" / "bin" / "python"
    interpreter = str(own) if installation.manifest.install else sys.executable
    environment = {**installation.manifest.env, "PYTHONPATH": path}
    return Program((interpreter, "-W", "ignore", str(script)), environment=tuple(environment.items()))


def _javascript(script: Path, installation: Installation, _scratch: Path) -> Program:
    modules = str(installation.folder / "node_modules")
    return Program(("node", f"--max-old-space-size={_HEAP_MIB}", str(script)), environment=(("NODE_PATH", modules),))


def _go(script: Path, installation: Installation, scratch: Path) -> Program:
    """Build in the adapter's folder, whose go.mod names the version.

    Go wants the files of a program together.
    """
    common = script.parent.parent / "common"
    files = [script, *sorted(common.glob("*.go"))]
    copies = [str(shutil.copy(file, scratch)) for file in files]
    built = str(scratch / "confirm")
    _build("go", "build", "-mod=readonly", "-o", built, *copies, folder=installation.manifest.folder)
    return Program((built,), environment=(("GOTRACEBACK", "crash"),))  # a panic ends it by a signal


def _rust(script: Path, installation: Installation, scratch: Path) -> Program:
    """Build with the versions of the adapter, and with what was compiled for it."""
    (scratch / "src").mkdir()
    shutil.copy(script, scratch / "src" / "main.rs")
    for name in ("Cargo.toml", "Cargo.lock"):  # another name, so that the adapter's program stays as it is
        text = (installation.manifest.folder / name).read_text(encoding="utf-8")
        (scratch / name).write_text(text.replace(_PACKAGE, 'name = "confirm"'), encoding="utf-8")
    target = installation.folder / "target"
    _build("cargo", "build", "--release", "--locked", "--quiet", "--target-dir", str(target), folder=scratch)
    return Program((str(target / "release" / "confirm"),))


def _build(*command: str, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr)
        raise UsageError(f"`{' '.join(command)}` failed.", "Its output stands above.")


_STARTERS: dict[str, Callable[[Path, Installation, Path], Program]] = {
    ".py": _python,
    ".js": _javascript,
    ".go": _go,
    ".rs": _rust,
}
