"""noida-db: what its broker answers to requests. Argument: the id of the scenario they are of."""

import os
import sys
from pathlib import Path

import started_server
from plain import started
from questions import answer

if __name__ == "__main__":
    program = Path(os.environ["INSTALLATION"], "library", "noida_db", "noida-db")
    kafka = ("start", "--only", "kafka", "--kafka-port", "{port}", "--data-dir", "{folder}")
    with started(sys.executable, started_server.__file__, str(program), *kafka) as one:
        answer(one, sys.argv[1])
