"""`python -m kafka_conformance` is the command `kafka-conformance`."""

from kafka_conformance.cli import main

main()
