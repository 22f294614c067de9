"""`pytest conformance/ --target TARGET`: the golden vectors as tests, for any target.

The target is asked for everything once, when the first test needs it; the tests then look at its
results. Gaps are skipped with their reason, known failures are expected failures.
"""

import io
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.decoder import encode_questions
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports import terminal
from kafka_conformance.run import known_failures, questions, runner
from kafka_conformance.run.run import Run
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.targets import resolve
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.vectors.loader import Filters
from kafka_conformance.vectors.vector import Vector
from kafka_tools.errors import UsageError
from kafka_tools.system import resources
from rich.console import Console


class _Chosen(NamedTuple):
    """What the command line asks for."""

    candidate: Candidate
    vectors: tuple[Vector, ...]
    options: RunOptions


_CHOSEN = pytest.StashKey[_Chosen]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the suite."""
    group = parser.getgroup("kafka-conformance")
    group.addoption("--target", default="reference", help="a known name, python:module:function, or 'cmd:PROGRAM ARGS'")
    group.addoption("--vectors", action="append", default=[], help="only vectors whose id fits the pattern")
    group.addoption("--known-failures", type=Path, help="file of findings that are expected")


def pytest_configure(config: pytest.Config) -> None:
    """Read the options before anything is collected, so that a wrong one is a single message."""
    resources.collect_seldom()
    file = config.getoption("known_failures")
    try:
        candidate = resolve.candidate(config.getoption("target"))
        vectors, _ = questions.load([candidate], ["records"], Filters(tuple(config.getoption("vectors"))))
        config.stash[_CHOSEN] = _Chosen(
            candidate,
            vectors,
            RunOptions(
                known=known_failures.KnownFailures(known_failures.load(file).failures if file else ()),
                whole=not config.getoption("vectors"),
            ),
        )
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test a vector and direction."""
    if "vector" not in metafunc.fixturenames:
        return
    chosen = metafunc.config.stash[_CHOSEN].vectors
    asked = [(vector, Direction.DECODE) for vector in chosen]
    asked += [(vector, Direction.ENCODE) for vector in encode_questions.encodable(chosen)]
    ids = [f"{direction}-{vector.id}" for vector, direction in asked]
    metafunc.parametrize(("vector", "direction"), asked, ids=ids)


_DONE = pytest.StashKey[Run]()


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around pytest's own, whose list of failures is long
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> Generator[None, None, None]:
    """End with what `kafka-conformance run` ends with: the bugs of the target, the worst first."""
    yield
    done = config.stash.get(_DONE, None)
    if done is not None and done.findings:
        terminalreporter.section("what the findings come from")
        text = io.StringIO()
        terminal.print_causes(done, Console(file=text, width=terminalreporter._tw.fullwidth))  # noqa: SLF001 - its only source
        terminalreporter.write(text.getvalue())


@pytest.fixture(scope="session")
def run(request: pytest.FixtureRequest) -> Run:
    """What came of the target, from one run over all vectors that are tested."""
    chosen = request.config.stash[_CHOSEN]
    done = runner.run([chosen.candidate], chosen.vectors, chosen.options)
    target = done.targets[0]
    if target.hello is None:
        pytest.exit(f"{target.name} {target.standing.words}: {target.problem}", returncode=pytest.ExitCode.USAGE_ERROR)
    request.config.stash[_DONE] = done
    return done


@pytest.fixture(scope="session")
def results(run: Run) -> Mapping[tuple[str, Direction], Result]:
    """Every result by vector and direction."""
    return {(result.vector, result.direction): result for result in run.results}
