"""Starts a broker that listens where it is told: `started_server.py PROGRAM ARGUMENTS...`.

`{port}` in its arguments is a free port of the loopback address, and `{folder}` a folder for its
files, which goes with it. `HOST:PORT` on standard output says that it listens; it ends with the end
of standard input, and what it says goes to standard error.

Programs that start a broker of several processes use its functions.
"""

import contextlib
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

SECONDS = 60
PORTS = range(20_000, 32_768)
"""Linux gives those from 32,768 on to whoever connects somewhere."""


def main(*command: str) -> int:
    """Start it, and wait for the end of the input, or of the broker; return its status then."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        words = [word.replace("{port}", str(port)).replace("{folder}", folder) for word in command]
        process = subprocess.Popen(words, stdout=sys.stderr, stdin=subprocess.DEVNULL)
        try:
            if not is_up(process, port, SECONDS):
                sys.stderr.write(f"{command[0]} did not listen on port {port} within {SECONDS} s\n")
                return 1
            sys.stdout.write(f"127.0.0.1:{port}\n")
            sys.stdout.flush()
            return wait([process])
        finally:
            process.kill()
            process.wait()


def is_up(process: subprocess.Popen[bytes], port: int, seconds: float) -> bool:
    """Wait until something listens on a port of the loopback address; False if nothing does.

    Args:
        process: who is to listen; it is not waited for once it has ended.
        port: the port.
        seconds: how long to wait.
    """
    until = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.05)
    return False


def wait(processes: Sequence[subprocess.Popen[bytes]]) -> int:
    """Wait for the end of standard input, or of a process.

    Returns:
        0 at the end of the input; the status of a process that ended, or 1 if its own was 0.
    """
    os.set_blocking(0, False)
    while True:
        for process in processes:
            if process.poll() is not None:
                return process.returncode or 1
        with contextlib.suppress(BlockingIOError):
            if not os.read(0, 1):
                return 0
        time.sleep(0.1)


def free_port() -> int:
    """Return a port of the loopback address that nobody uses.

    No client gets it before the server does.
    """
    for port in random.sample(PORTS, len(PORTS)):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError(f"no port from {PORTS[0]} to {PORTS[-1]} is free")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
