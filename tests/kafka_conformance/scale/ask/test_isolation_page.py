"""The watcher of an isolated decoder ends it for standing still in its own time, or for memory."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from importlib import util
from itertools import count
from pathlib import Path

import pytest
from kafka_conformance.child.clock import ChildClock, Scheduled
from kafka_conformance.child.launch import Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.ask import isolation_page
from kafka_conformance.scale.ask.isolation_page import Page, Watch
from kafka_conformance.serving.isolated_loop import FOLDER
from kafka_format import structure

pytestmark = pytest.mark.skipif(not isolation_page.possible(), reason="decoders are isolated on Linux only")

STEP = 0.05


class Machine:
    """A child at one input, and what the system does with it: all that a clock asks for."""

    def __init__(self, page: Page, process: int) -> None:
        self.now = self.ran = self.queued = 0.0
        self._page = page
        self._process = process

    def clock(self) -> ChildClock:
        return ChildClock(lambda: {1: Scheduled(self.ran, self.queued)}, lambda: self.now)

    def stand(self, block_id: int, number: int) -> None:
        layout = structure("isolation_page")
        fields = {"process": self._process, "block_id": block_id, "input": number}
        Path(self._page.path).write_bytes(layout.encode(fields))

    def spend(self, watch: Watch, seconds: float, *, ran: float = 0.0, queued: float = 0.0) -> None:
        """Let time pass, of which the child has a share on a processor and a share in the queue for
        one."""
        for _ in range(round(seconds / STEP)):
            self.now += STEP
            self.ran += STEP * ran
            self.queued += STEP * queued
            watch.look()


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(["sleep", "600"], process_group=0) as child:
        yield child
        child.kill()


@pytest.fixture
def machine(child: "subprocess.Popen[bytes]") -> Iterator[tuple[Machine, Watch]]:
    with closing(Page()) as page:
        machine = Machine(page, child.pid)
        watch = Watch(page, Limits(seconds=1.0), machine.clock())
        machine.stand(1, 0)
        watch.look()
        yield machine, watch


def is_alive(child: "subprocess.Popen[bytes]") -> bool:
    return child.poll() is None


def test_child_that_gets_no_processor_is_not_hung(
    machine: tuple[Machine, Watch], child: "subprocess.Popen[bytes]"
) -> None:
    system, watch = machine
    system.spend(watch, 15, ran=0.05, queued=0.95)
    assert is_alive(child)
    system.spend(watch, 10, ran=0.05, queued=0.95)
    assert child.wait() == -signal.SIGKILL
    assert watch.outcome() is Outcome.HUNG


@pytest.mark.parametrize("ran", [0.0, 1.0], ids=["sleeps", "computes"])
def test_child_that_stands_still_in_its_own_time_is_hung(
    machine: tuple[Machine, Watch], child: "subprocess.Popen[bytes]", ran: float
) -> None:
    system, watch = machine
    system.spend(watch, 0.9, ran=ran)
    assert is_alive(child)
    system.spend(watch, 0.3, ran=ran)
    assert child.wait() == -signal.SIGKILL
    assert watch.outcome() is Outcome.HUNG
    assert watch.outcome() is Outcome.CRASHED  # the next child is another one


def test_child_that_goes_on_or_has_no_work_is_not_hung(
    machine: tuple[Machine, Watch], child: "subprocess.Popen[bytes]"
) -> None:
    system, watch = machine
    for block_id, number in ((1, 1), (2, 1), (2, 2)):
        system.stand(block_id, number)
        system.spend(watch, 0.9, ran=1.0)
    system.stand(2, -1)
    system.spend(watch, 5)
    assert is_alive(child)


def test_child_that_grows_too_large_is_ended_also_while_it_goes_on(child: "subprocess.Popen[bytes]") -> None:
    with closing(Page()) as page:
        watch = Watch(page, Limits(memory=1 << 12))
        for number in count():
            Machine(page, child.pid).stand(1, number)
            watch.look()
            if not is_alive(child):
                break
        assert child.wait() == -signal.SIGKILL
        assert watch.outcome() is Outcome.OUT_OF_MEMORY


def test_both_sides_see_the_same_page() -> None:
    spec = util.spec_from_file_location("isolation", FOLDER / "isolation.py")
    assert spec is not None
    assert spec.loader is not None
    isolation = util.module_from_spec(spec)
    spec.loader.exec_module(isolation)
    with closing(Page()) as page:
        numbers = isolation._page(page.path)
        numbers[isolation._PROCESS], numbers[isolation._BLOCK], numbers[isolation._INPUT] = 2**40, 7, -1
        assert page.read() == structure("isolation_page").type(process=2**40, block_id=7, input=-1)
        numbers.release()
