"""The release of Kafka that a command reads data as."""

import click
from kafka_format.log.contents import features
from kafka_format.log.contents.releases import NEWEST, Release, release

_RELEASES = [".".join(map(str, each)) for each in reversed(features.releases())]


release_option = click.option(
    "--as-kafka", "as_kafka", type=click.Choice(_RELEASES), metavar="RELEASE", help="As that release reads them: 3.9."
)


def chosen(as_kafka: str | None) -> Release:
    """Return the release that was chosen, else the newest one."""
    return NEWEST if as_kafka is None else release(as_kafka)
