"""`kafka-conformance scale`: millions of generated batches, with Spark."""

import click

from kafka_conformance.errors import UsageError


def _load() -> click.Command:
    try:
        from kafka_conformance.scale import command as scale  # noqa: PLC0415
    except ModuleNotFoundError as error:
        hint = "Install it: pip install 'kafka-format-conformance[spark]'."
        raise UsageError(f"the Spark run needs the package {error.name}.", hint) from None
    loaded: click.Command = scale
    return loaded


command = _load()
