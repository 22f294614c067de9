"""The reference as a reader of log directories: `python -m kafka_conformance.kinds.log_reader`."""

import sys

from kafka_conformance.kinds.log_reader import reference_reader

reference_reader.serve(sys.stdin, sys.stdout)
