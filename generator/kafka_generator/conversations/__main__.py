"""Ask Kafka's own consumers: `python -m kafka_generator.conversations [PATTERN]...`.

A pattern is that of an id: 'conversation/groups/*'. Without one, all are asked.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kafka_generator.conversations import oracle


def main() -> int:
    """Record the releases that pass each conversation; return 1 if one does otherwise."""
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.conversations", description=__doc__)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="ids of conversations; default: all")
    wrong = list(oracle.ask(Path(__file__).parents[3] / "vectors", parser.parse_args().patterns))
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
