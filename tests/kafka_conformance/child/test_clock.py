"""What counts against a child, with a wall clock and a scheduler that the tests play."""

import os
import signal
import sys

import pytest
from kafka_conformance.child import clock
from kafka_conformance.child.clock import ChildClock, Scheduled, threads
from kafka_conformance.child.launch import Command, start

LONGEST = 0.1


class Machine:
    """A machine of which a test says what it does to the child, tick by tick."""

    def __init__(self) -> None:
        self.wall = 1000.0
        self.threads = {1: Scheduled(5.0, 5.0)}  # it has lived for a while
        self.clock = ChildClock(lambda: dict(self.threads), lambda: self.wall)
        self.tick()

    def tick(self, passed: float = 0.0) -> None:
        self.wall += passed
        self.clock.tick(LONGEST)

    def give(self, seconds: float, ran: float = 0.0, queued: float = 0.0, thread: int = 1) -> None:
        """Let time pass, a tick at a time, of which the thread got so much a second."""
        for _ in range(round(seconds / LONGEST)):
            before = self.threads.get(thread, Scheduled())
            self.threads[thread] = Scheduled(before.run_seconds + ran * LONGEST, before.wait_seconds + queued * LONGEST)
            self.tick(LONGEST)


@pytest.mark.parametrize(
    ("ran", "queued", "counted"),
    [
        (1.0, 0.0, 10.0),  # computes all the time
        (0.0, 0.0, 10.0),  # sleeps all the time
        (0.3, 0.0, 10.0),  # sleeps in between
        (0.1, 0.9, 1.0),  # computes, with a tenth of a processor
        (0.0, 0.9, 1.0),  # wakes up to sleep again, and has to wait for a processor each time
        (0.0, 1.0, 0.5),  # gets none at all: a twentieth, so that the wait ends
        (3.0, 0.0, 10.0),  # computes in several processes at a time
    ],
)
def test_time_without_a_processor_does_not_count(ran: float, queued: float, counted: float) -> None:
    machine = Machine()
    machine.give(10.0, ran, queued)
    assert machine.clock.seconds == pytest.approx(counted)


def test_threads_that_wait_for_one_another_are_no_excuse() -> None:
    """Two of four threads compute at any time, as on two processors; the other two are in the
    queue."""
    machine = Machine()
    for _ in range(100):
        for thread in (1, 2, 3, 4):
            before = machine.threads.get(thread, Scheduled())
            machine.threads[thread] = Scheduled(before.run_seconds + 0.05, before.wait_seconds + 0.05)
        machine.tick(LONGEST)
    assert machine.clock.seconds == pytest.approx(10.0)


def test_wait_in_the_queue_may_be_told_late() -> None:
    """Linux counts it when the thread is on a processor again."""
    machine = Machine()
    machine.give(3.0)
    machine.threads[1] = Scheduled(5.0, 8.0)
    machine.give(1.0)
    assert machine.clock.seconds == pytest.approx(1.0)


def test_time_in_which_nobody_looked_does_not_count() -> None:
    machine = Machine()
    machine.tick(60.0)
    assert machine.clock.seconds == pytest.approx(60.0 / clock.SLOWEST)
    machine.give(10.0)
    assert machine.clock.seconds == pytest.approx(10.0 + LONGEST)


def test_computing_counts_while_nobody_looks() -> None:
    machine = Machine()
    machine.threads[1] = Scheduled(5.0 + 55.0, 5.0)
    machine.tick(60.0)
    assert machine.clock.seconds == pytest.approx(55.0)


def test_what_was_before_the_wait_does_not_count() -> None:
    machine = Machine()
    machine.give(10.0)
    machine.clock.start()
    assert machine.clock.seconds == 0.0
    machine.threads[1] = Scheduled(500.0, 500.0)
    machine.tick(LONGEST)
    machine.give(1.0)
    assert machine.clock.seconds == pytest.approx(1.0 + LONGEST)


def test_threads_come_and_go() -> None:
    machine = Machine()
    machine.give(1.0, queued=1.0, thread=2)
    del machine.threads[2]
    machine.give(1.0)
    machine.give(1.0, queued=1.0, thread=3)
    assert machine.clock.seconds == pytest.approx(1.0)


def test_without_a_scheduler_that_tells_the_wall_counts() -> None:
    wall = iter(range(100))
    blind = ChildClock(dict, lambda: next(wall) / 10)
    for _ in range(20):
        blind.tick(LONGEST)
    assert blind.seconds == pytest.approx(2.0)


@pytest.mark.skipif(not threads(1), reason="this system does not tell when a thread had a processor")
def test_descendants_are_looked_up() -> None:
    script = "import subprocess as s, sys; p = s.Popen(['sleep', '60']); print(p.pid, flush=True); sys.stdin.read()"
    child = start(Command((sys.executable, "-S", "-c", script)), {})
    assert child.stdout is not None
    grandchild = int(child.stdout.readline())
    seen = threads(child.pid)
    os.killpg(child.pid, signal.SIGKILL)
    child.communicate()
    assert set(seen) == {child.pid, grandchild}
    assert seen[child.pid].run_seconds > 0
    assert threads(child.pid) == {}
