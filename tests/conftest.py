"""What all tests share: how Hypothesis searches, the sample, a browser, and that Ctrl-C is heard.

A usual run is a sample: properties look at the same 10 examples, of the cases of a test marked
`sampled(n, of=...)` one in n runs, and what is marked `whole` does not. Which cases run depends on
the commit, so that commits together run all; `--sample COMMIT` takes those of another commit. The
summary says what share of each test ran. `--whole` leaves nothing out, and looks at new examples in
every run, but not in CI; `--hypothesis-profile=thorough` looks at 1,000 new ones.

No deadline, and no complaint about slow draws: a shared machine is now and then ten times slower
than itself.
"""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from kafka_format.codec import readings
from kafka_tools.spark.java import find_java
from kafka_tools.system import resources

from tests.browser.finding import PATIENCE, NoBrowserError, find
from tests.sampling import Sample, Share, salt

if TYPE_CHECKING:
    from pyspark import SparkContext

settings.register_profile("default", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", parent=settings.get_profile("default"), derandomize=True)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=1000)
SAMPLE = 10
"""Examples of a property in a usual run; Hypothesis's own 100 in a whole one."""

SAMPLED = pytest.StashKey[Sample]()

# Whoever starts the tests in the background has them ignore Ctrl-C, and with them all programs that
# they interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module", params=readings.ENGINES)
def engine(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each engine that reads and writes, in turn; the machine is left out where it is not built."""
    try:
        readings.load_machine()
    except ImportError:
        if request.param == "machine":
            pytest.skip("the layout machine is not built here: make builds it where there is a C compiler")
    with readings.engine(request.param):
        yield request.param


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium; where there is none, tests that ask for it are skipped, and say why."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: run make")
    try:
        program = find()
    except NoBrowserError as none:
        pytest.skip(str(none))
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=program.program,
            env=program.environment,
            args=["--no-sandbox", "--disable-gpu"],
            timeout=PATIENCE,
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator["SparkContext"]:
    """One Spark context for all tests of a session: it takes seconds to start."""
    driver = pytest.importorskip("kafka_tools.spark.driver", reason="the spark extra is not installed")
    home = find_java(driver.OLDEST_JAVA)
    if home is None:
        pytest.skip(f"no Java {driver.OLDEST_JAVA} or newer")
    log = tmp_path_factory.mktemp("spark") / "spark.log"
    with pytest.MonkeyPatch.context() as patch, driver.start_context("local[2]", home, log) as started:
        patch.setattr("kafka_tools.spark.job.DELAY_SECONDS", 3600.0)  # a slow machine is no news
        yield started


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="run every test, with all examples, instead of a sample")
    parser.addoption("--sample", metavar="COMMIT", help="run the sample of another commit than the present one")


def pytest_configure(config: pytest.Config) -> None:
    resources.collect_seldom()
    is_whole = config.getoption("whole")
    config.option.sample = config.getoption("sample") or salt()  # processes that xdist starts get the options
    config.stash[SAMPLED] = Sample(config.option.sample, is_whole=is_whole)
    parent = settings.get_profile("default" if is_whole and not os.environ.get("CI") else "same")
    most = parent.max_examples if is_whole else SAMPLE
    settings.register_profile("run", parent=parent, max_examples=most)
    settings.load_profile("run")
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(Gathering(config))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Let `-n auto` start a process more than there are processors for this one, since many tests
    wait for other processes."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """Let `--dist loadfile` keep all files with Spark in one process: a session takes twenty
    seconds of a processor, and serves them all."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling  # noqa: PLC0415 - there is no xdist where the hook is not called

    tests = Path(__file__).parent
    with_spark = {
        path.relative_to(config.rootpath).as_posix()
        for path in tests.rglob("test_*.py")
        if b"pytest.mark.spark" in path.read_bytes()
    }

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "spark" if file in with_spark else file

    return Scheduling(config, log)


def pytest_collection_finish() -> None:
    """Have the garbage collector leave alone what was loaded to collect tests, which stays to the
    end."""
    gc.freeze()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Have the collector look only once, at the end of its file, at what a test left for the next.

    Tests of limits collect before they measure: with all that other files have loaded, each of
    these took a third of a second.
    """
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take the sample."""
    kept = config.stash[SAMPLED].cases(items)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


@pytest.fixture
def some(request: pytest.FixtureRequest) -> Share:
    """A function that takes the sample of a list: `some(vectors, 18, of="vectors")`."""
    return request.config.stash[SAMPLED].share(request.node.nodeid)


@pytest.fixture(scope="module")
def some_of_module(request: pytest.FixtureRequest) -> Share:
    """The same for the fixtures of a module."""
    return request.config.stash[SAMPLED].share(request.node.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Have a process that ran tests beside others tell the first one what share of them ran."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["sampled"] = session.config.stash[SAMPLED].counts


class Gathering:
    """Takes what the processes tell that run the tests side by side."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        del error
        self._config.stash[SAMPLED].counts |= getattr(node, "workeroutput", {}).get("sampled", {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    sample = config.stash[SAMPLED]
    if sample.is_whole:
        return
    terminalreporter.section("sample")
    for line in sample.lines():
        terminalreporter.line(line)
    terminalreporter.line(f"{SAMPLE} examples a property; --whole runs everything")
    if failed := [*terminalreporter.stats.get("failed", ()), *terminalreporter.stats.get("error", ())]:
        again = " ".join(dict.fromkeys(report.nodeid.partition("::")[0] for report in failed))
        terminalreporter.line(f"this sample again: pytest --sample {sample.salt} {again}")
