"""librdkafka's mock cluster: what it answers to requests.

The argument is the id of the scenario that they are of.
"""

import sys
from pathlib import Path

from plain import started
from questions import answer

if __name__ == "__main__":
    start = Path(__file__).resolve().parents[1] / "start_broker.py"
    library = Path(sys.executable).parents[2] / "library"
    with started(sys.executable, str(start), str(library)) as one:
        answer(one, sys.argv[1])
