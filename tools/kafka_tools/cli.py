"""The command `kafka-format`; it imports the module of a command when that is called."""

import gc
from typing import Final

import click

from kafka_tools.command_line import SETTINGS, LazyGroup, run

SECTIONS: Final = {
    "Bytes": {
        "explain": "Show what each byte is, and which rule is broken where.",
        "decode": "Decode bytes to JSON.",
        "encode": "Encode JSON to bytes.",
    },
    "Clients and brokers": {
        "capture": "Show requests and responses in a capture of tcpdump or Wireshark.",
        "proxy": "Stand between clients and a broker, and judge what passes.",
        "serve": "Serve bytes to a real Kafka client, and write down its requests.",
    },
    "Data directories": {
        "log": "Inspect what a broker keeps: will it start, what is broken, what can be rescued.",
        "audit": "Check whole data directories against every rule, with Spark.",
    },
}
"""Every command with its line in `--help`, by subject; the module of that name has the rest."""

COMMANDS: Final = [name for lines in SECTIONS.values() for name in lines]


_OBJECTS: Final = 100_000
"""New objects after which garbage is collected. What modules and layouts bring along stays, and to
look for garbage in it takes a quarter of the time that a command takes to start."""


@click.group(cls=LazyGroup, package="kafka_tools.commands", sections=SECTIONS, context_settings=SETTINGS)
@click.version_option(package_name="kafka-format-conformance")
def group() -> None:
    """Show the bytes of Apache Kafka, and what Kafka does with them: records, requests, log files.

    \b
    What are these bytes?        kafka-format explain 00000000000000000000.log
                                 kafka-format explain --hex 000000000000001e...
    What do they say?            kafka-format decode 00000000000000000000.log
                                 kafka-format capture kafka.pcap
                                 kafka-format proxy --upstream broker:9092
    Will my broker start?        kafka-format log start /var/lib/kafka/data
    What is broken?              kafka-format log verify /var/lib/kafka/data
    What does my producer send?  kafka-format serve --take captured/

    Nothing that is read is ever changed. Exit status: 0 all is well, 1 something is broken or not
    recognised, 2 wrong usage or a broken set-up.
    """  # noqa: D301 - \b keeps the lines of a paragraph


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(_OBJECTS)
    run(group, "kafka-format")
