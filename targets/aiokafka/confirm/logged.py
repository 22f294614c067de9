"""aiokafka: what `main` prints, and what the library writes into its log as an error.

The arguments are those of `main`. Each line of the log is printed once, and without addresses.
"""

import logging
import re
import runpy
from pathlib import Path

_ADDRESS = re.compile(r"127\.0\.0\.1:\d+")


class Once(logging.Handler):
    """Prints what is logged, but not again what it was before."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__(logging.ERROR)
        self._seen: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Print a line of the log."""
        words = _ADDRESS.sub("the broker", record.getMessage())
        if words not in self._seen:
            self._seen.add(words)
            print(f"logged: {words}", flush=True)


logging.getLogger("aiokafka").addHandler(Once())
runpy.run_path(str(Path(__file__).with_name("main.py")))
