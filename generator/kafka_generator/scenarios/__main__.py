"""Asks Kafka's brokers about scenarios: `python -m kafka_generator.scenarios [PATTERN...]`.

Each is put to each release twice; what is not the same both times has to be masked. It needs the
targets `broker-kafka`, `broker-kafka@3.9.2` and `broker-kafka@2.8.2`, and broker-kafka-authorizer
of each for scenarios with `authorizer`. Then run `generate.py`.
"""

import argparse
import sys
from pathlib import Path

from kafka_generator.scenarios import recording

VECTORS = Path(__file__).parents[3] / "vectors"


def main() -> int:
    """Record, and print what was not the same twice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="only scenarios whose id matches one of these")
    parser.add_argument("--release", action="append", help="only this release; may be given again")
    asked = parser.parse_args()
    wrong = list(recording.record(VECTORS, asked.patterns, asked.release or recording.RELEASES))
    print(*wrong, sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
