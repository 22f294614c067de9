"""The command `kafka-conformance`; it imports the module of a command when that is called.

Exit status: 0 all as expected, 1 findings, 2 wrong usage or a broken set-up. Whatever the user did
wrong is one message that says what to do next, never a traceback.
"""

import importlib
import io
import os
import sys

import click
from kafka_format.errors import LayoutError

from kafka_conformance.errors import UsageError

FINDINGS = 1
WRONG_USAGE = 2

COMMANDS = {
    "run": "Run targets against the vectors and report what differs.",
    "messages": "Run targets against the vectors of requests and responses.",
    "smoke": "Check an adapter itself: hello, one batch, one refusal.",
    "targets": "List the known targets, or install them.",
    "adapter": "Serve a built-in target over the adapter protocol.",
    "decode": "Decode bytes to JSON.",
    "encode": "Encode JSON to bytes.",
    "explain": "Show bytes as an annotated hex dump.",
    "capture": "Show requests and responses in a capture of tcpdump or Wireshark.",
    "broker": "Serve bytes to a real Kafka client, and write down its requests.",
    "vectors": "List, show or export the golden vectors.",
    "log": "Inspect log directories: find offsets, verify, recover, rescue, compare, explain.",
    "findings": "List the known bugs of targets, or check whether they still occur.",
    "audit": "Check whole data directories of brokers against every rule, with Spark.",
    "scale": "Check a decoder on millions of generated batches with Spark.",
}
"""Every command with its line in `--help`; the module of the same name holds the rest."""


class _LazyGroup(click.Group):
    """Imports a command's module when it is run, so that `--help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"kafka_conformance.commands.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="kafka-format-conformance")
def group() -> None:
    """Check and explain the bytes of Apache Kafka: records, requests and responses, log files.

    \b
    What are the bytes?          kafka-conformance explain batch.bin
                                 kafka-conformance capture kafka.pcap
                                 kafka-conformance log start /var/lib/kafka/data
    Is my decoder right?         kafka-conformance run python:my_module:decode
                                 kafka-conformance run 'cmd:./my-adapter --flag'
                                 kafka-conformance messages 'cmd:./my-adapter --flag'
    Which decoder can I trust?   kafka-conformance run --ready --report out/

    A TARGET is a known name (`kafka-conformance targets`), python:module:function, or 'cmd:PROGRAM
    ARGS', a program that speaks the adapter protocol.

    Exit status: 0 all as expected, 1 findings, 2 wrong usage or a broken set-up.
    """  # noqa: D301 - \b keeps the lines of a paragraph


def main() -> None:
    """Run the command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files need not be UTF-8
    try:
        status = group.main(prog_name="kafka-conformance", standalone_mode=False)
    except click.exceptions.Abort:
        status = WRONG_USAGE
    except click.ClickException as error:
        error.show()
        status = WRONG_USAGE
    except UsageError as error:
        click.echo(f"kafka-conformance: {error.message}" + (f"\n{error.hint}" if error.hint else ""), err=True)
        status = WRONG_USAGE
    except LayoutError as error:
        click.echo(f"kafka-conformance: the specification cannot be used: {error}", err=True)
        status = WRONG_USAGE
    except BrokenPipeError:
        # The reader of our output, a pager or `head`, has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except OSError as error:
        what = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        click.echo(f"kafka-conformance: {what}", err=True)
        status = WRONG_USAGE
    sys.exit(status or 0)
