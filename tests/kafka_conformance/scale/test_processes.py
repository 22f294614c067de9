"""The memory of a target counts alike, whoever counts it: the suite, or the process that watches in its environment."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from kafka_conformance.child import resources
from kafka_conformance.serving import sharing

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="there is no /proc")

HELD = 50 << 20
BELOW = f"import sys; held = b'x' * {HELD}; print('ready', flush=True); sys.stdin.read()"
ABOVE = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BELOW!r}])"


@pytest.fixture(scope="module")
def processes() -> Iterator[ModuleType]:
    sys.path.insert(0, str(sharing.FOLDER))
    yield importlib.import_module("shared_processes")
    sys.path.remove(str(sharing.FOLDER))


def test_both_count_what_processes_below_hold(processes: ModuleType) -> None:
    command = [sys.executable, "-c", ABOVE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as above:
        assert above.stdout is not None
        assert above.stdout.readline() == "ready\n"
        counted = [count.resident_bytes(above.pid) for count in (resources, processes)]
        below = resources.children(above.pid)
        above.communicate()
    assert len(below) == 1
    assert min(counted) > HELD
    assert max(counted) - min(counted) < HELD // 50
    assert [count.resident_bytes(above.pid) for count in (resources, processes)] == [0, 0]
