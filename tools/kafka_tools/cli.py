"""The command `kafka-format`; it imports the module of a command when that is called.

Exit status: 0 all as expected, 1 something is broken, 2 wrong usage or a broken set-up. Whatever
the user did wrong is one message that says what to do next, never a traceback.
"""

import importlib
import io
import os
import sys
from collections.abc import Mapping
from typing import Any

import click
from kafka_format.errors import LayoutError

from kafka_tools.errors import UsageError

WRONG_USAGE = 2

COMMANDS = {
    "decode": "Decode bytes to JSON.",
    "encode": "Encode JSON to bytes.",
    "explain": "Show bytes as an annotated hex dump.",
    "capture": "Show requests and responses in a capture of tcpdump or Wireshark.",
    "log": "Inspect log directories: find offsets, verify, recover, rescue, compare, explain.",
    "audit": "Check whole data directories of brokers against every rule, with Spark.",
    "serve": "Serve bytes to a real Kafka client, and write down its requests.",
}
"""Every command with its line in `--help`; the module of the same name holds the rest."""


class LazyGroup(click.Group):
    """Imports a command's module when it is run, so that `--help` stays quick."""

    def __init__(self, *, package: str, lines: Mapping[str, str], **settings: Any) -> None:  # noqa: ANN401 - what click takes
        """Take the package of the commands, and each command with its line in `--help`."""
        super().__init__(**settings)
        self._package = package
        self._lines = lines

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return their names, in the order of `--help`."""
        del ctx
        return list(self._lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command; None if there is no such command."""
        del ctx
        if cmd_name not in self._lines:
            return None
        module = importlib.import_module(f"{self._package}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lines, without an import of the commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(self._lines.items()))


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 120}
"""What both command lines have in common."""


@click.group(cls=LazyGroup, package="kafka_tools.commands", lines=COMMANDS, context_settings=SETTINGS)
@click.version_option(package_name="kafka-format-conformance")
def group() -> None:
    """Show the bytes of Apache Kafka, and what Kafka does with them: records, requests, log files.

    \b
    What are these bytes?        kafka-format explain batch.bin
                                 kafka-format decode 00000000000000000000.log
    What do they say there?      kafka-format capture kafka.pcap
    Will my broker start?        kafka-format log start /var/lib/kafka/data
    What is broken?              kafka-format log verify /var/lib/kafka/data
    What does my client send?    kafka-format serve --take captured/

    Files are never changed. Exit status: 0 all as expected, 1 something is broken, 2 wrong usage or
    a broken set-up.
    """  # noqa: D301 - \b keeps the lines of a paragraph


def main() -> None:
    """Run the command line and exit."""
    run(group, "kafka-format")


def run(commands: click.Group, name: str) -> None:
    """Run a command line of that name and exit; errors are told in words."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files need not be UTF-8
    try:
        status = commands.main(prog_name=name, standalone_mode=False)
    except click.exceptions.Abort:
        status = WRONG_USAGE
    except click.ClickException as error:
        error.show()
        status = WRONG_USAGE
    except UsageError as error:
        click.echo(f"{name}: {error.message}" + (f"\n{error.hint}" if error.hint else ""), err=True)
        status = WRONG_USAGE
    except LayoutError as error:
        click.echo(f"{name}: the specification cannot be used: {error}", err=True)
        status = WRONG_USAGE
    except BrokenPipeError:
        # The reader of our output, a pager or `head`, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        click.echo(f"{name}: {what}", err=True)
        status = WRONG_USAGE
    sys.exit(status or 0)
