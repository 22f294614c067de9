"""The options of kafka-dump-log, by its names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import click
from kafka_format.log.indexes import NEWEST
from kafka_format.spec.releases import releases

from kafka_tools.commands.number_types import Whole
from kafka_tools.errors import UsageError
from kafka_tools.logs.dump import DumpOptions
from kafka_tools.logs.record_contents import ContentDecoder, Plain

_Command = TypeVar("_Command", bound=Callable[..., Any])

_DECODERS: Final = {
    "offsets": ContentDecoder.OFFSETS,
    "transaction-log": ContentDecoder.TRANSACTIONS,
    "cluster-metadata": ContentDecoder.METADATA,
    "share-group-state": ContentDecoder.SHARES,
    "remote-log-metadata": ContentDecoder.REMOTE,
}
_CLASSES: Final = ("org.apache.kafka.tools.api.", "kafka.serializer.")
"""The packages of Kafka's decoders, that of 3.9 and later and that of releases before.

Names may stand with one of them and `Decoder` around them.
"""

release_option = click.option(
    "--as-kafka",
    "release",
    type=click.Choice(list(releases())),
    metavar="RELEASE",
    default=NEWEST,
    show_default=True,
    help="Behave as that release of Kafka: 3.9.",
)


def dump_options(command: _Command) -> _Command:
    """Give a command the options."""
    for name, decoder in reversed(_DECODERS.items()):
        said = f"Read records as those of {decoder}."
        command = click.option(f"--{name}-decoder", name.replace("-", "_"), is_flag=True, help=said)(command)
    for side in ("value", "key"):
        said = f"Read {side}s as string, integer, long or default (hex), or by the name of Kafka's class."
        command = click.option(f"--{side}-decoder-class", metavar="NAME", help=said)(command)
    said = "Only the contents of records, without the metadata."
    command = click.option("--skip-record-metadata", is_flag=True, help=said)(command)
    said = "Read no more of a segment than that."
    command = click.option("--max-bytes", type=Whole(0, (1 << 31) - 1), metavar="N", help=said)(command)
    said = "Only check indexes as brokers of up to 2.2 did at their start."
    command = click.option("--index-sanity-check", is_flag=True, help=said)(command)
    command = click.option("--verify-index-only", is_flag=True, help="Print no entries of indexes.")(command)
    command = click.option("--deep-iteration", "records", is_flag=True, help="A line for each record.")(command)
    said = "A line for each record, with key and value."
    return click.option("--print-data-log", "contents", is_flag=True, help=said)(command)


def options(
    *,
    records: bool,
    contents: bool,
    release: str,
    key_decoder_class: str | None,
    value_decoder_class: str | None,
    skip_record_metadata: bool,
    max_bytes: int | None,
    index_sanity_check: bool,
    verify_index_only: bool,
    **decoders: bool,
) -> DumpOptions:
    """Return what is printed.

    Raises:
        UsageError: two decoders are asked for, or one that there is not.
    """
    chosen = [_DECODERS[name.replace("_", "-")] for name, asked in decoders.items() if asked]
    if len(chosen) > 1:
        raise UsageError("there is more than one decoder.", "Name the one of the topic.")
    classes = [key_decoder_class, value_decoder_class]
    key, value = (Plain.STRING if name is None else _plain(name) for name in classes)
    return DumpOptions(
        records=records,
        contents=contents or bool(chosen) or classes != [None, None],
        release=release,
        decoder=chosen[0] if chosen else ContentDecoder.PLAIN,
        key_decoder=key,
        value_decoder=value,
        metadata=not skip_record_metadata,
        most=None if max_bytes == (1 << 31) - 1 else max_bytes,
        sanity=index_sanity_check,
        entries=not verify_index_only,
    )


def parse(arguments: Sequence[str], release: str) -> DumpOptions:
    """Return the options from the words of a command line.

    Raises:
        UsageError: there is no such decoder.
    """
    given = click.command("dump")(dump_options(lambda **chosen: chosen)).make_context("dump", list(arguments))
    return options(release=release, **given.params)


def _plain(name: str) -> Plain:
    package = next(filter(name.startswith, _CLASSES), "")
    short = name.removeprefix(package).removesuffix("Decoder").lower()
    if short not in set(Plain):
        hint = "There are string, integer, long and default; what a class of your own prints, only Kafka's tool knows."
        raise UsageError(f"there is no decoder {name!r}.", hint)
    return Plain(short)
