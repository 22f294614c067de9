"""kfake: what its broker answers to requests. Argument: the id of the scenario that they are of."""

import os
import sys
from pathlib import Path

from plain import started
from questions import answer

if __name__ == "__main__":
    with started(str(Path(os.environ["INSTALLATION"], "broker"))) as one:
        answer(one, sys.argv[1])
