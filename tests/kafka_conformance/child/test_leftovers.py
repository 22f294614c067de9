"""What targets start does not outlive a run, not even one that is killed and can end nothing."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

RUN = """
import sys
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.process import AdapterProcess

child = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'],"
child += "start_new_session=True, stdout=subprocess.DEVNULL); print(p.pid, file=open(sys.argv[1], 'w')); input()"
process = AdapterProcess(Command((sys.executable, "-c", child, sys.argv[1])), Limits())
input()
"""

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are found in /proc")


def is_alive(process: int) -> bool:
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


def test_what_a_target_started_ends_with_a_run_that_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", RUN, str(file)], stdin=subprocess.PIPE) as run:
        while not (file.exists() and file.read_text(encoding="utf-8").endswith("\n")):
            assert run.poll() is None
            sleep(0.02)
        started = int(file.read_text(encoding="utf-8"))
        assert is_alive(started)
        os.kill(run.pid, signal.SIGKILL)
    for _ in range(1500):
        if not is_alive(started):
            return
        sleep(0.02)
    os.kill(started, signal.SIGKILL)
    pytest.fail("it outlives the run by half a minute")
