"""`python -m kafka_tools` is the command `kafka-format`."""

from kafka_tools.cli import main

main()
