"""Nisshi: what its broker answers to requests. Argument: the id of the scenario they are of."""

import os
import sys
from pathlib import Path

import started_server
from plain import started
from questions import answer

if __name__ == "__main__":
    program = Path(os.environ["INSTALLATION"], "bin", "nisshi")
    where = ("--listener-url", "tcp://127.0.0.1:{port}", "--advertised-listener-url", "tcp://127.0.0.1:{port}")
    broker = (str(program), "broker", "--silent", *where, "--storage-engine", "memory://nisshi/")
    with started(sys.executable, started_server.__file__, *broker) as one:
        answer(one, sys.argv[1])
