"""The command `kafka-conformance`; it imports the module of a command when that is called.

Exit status: 0 all as expected, 1 findings, 2 wrong usage or a broken set-up. Whatever the user did
wrong is one message that says what to do next, never a traceback.
"""

import click
from kafka_tools.command_line import SETTINGS, WRONG_USAGE, LazyGroup, run

FINDINGS = 1

__all__ = ["COMMANDS", "FINDINGS", "WRONG_USAGE", "group", "main"]

COMMANDS = {
    "run": "Run targets against the vectors and report what differs.",
    "smoke": "Check an adapter itself: hello, one batch, one refusal.",
    "targets": "List the known targets, or install them.",
    "adapter": "Serve a built-in target over the adapter protocol.",
    "vectors": "List, show or export the golden vectors.",
    "findings": "List the known bugs of targets, or check whether they still occur.",
    "scale": "Check a decoder on millions of generated batches with Spark.",
}
"""Every command with its line in `--help`; the module of the same name holds the rest."""


@click.group(
    cls=LazyGroup, package="kafka_conformance.commands", sections={"Commands": COMMANDS}, context_settings=SETTINGS
)
@click.version_option(package_name="kafka-format-conformance")
def group() -> None:
    """Tell whether a program reads and writes the bytes of Apache Kafka as it should.

    \b
    Is my decoder right?         kafka-conformance run python:my_module:decode
                                 kafka-conformance run 'cmd:./my-adapter --flag'
    Which decoder can I trust?   kafka-conformance run --ready --report out/

    A TARGET is a known name (`kafka-conformance targets`), python:module:function, or 'cmd:PROGRAM
    ARGS', a program that speaks the adapter protocol.

    Bytes, captures and log directories are shown by another command: kafka-format.

    Exit status: 0 all as expected, 1 findings, 2 wrong usage or a broken set-up.
    """  # noqa: D301 - \b keeps the lines of a paragraph


def main() -> None:
    """Run the command line and exit."""
    run(group, "kafka-conformance")
