"""`kafka-conformance adapter`: serves a built-in target, or a Python function, over the adapter protocol."""

import click


@click.command(name="adapter")
@click.argument("name")
def command(*, name: str) -> int:
    """Serve a target over the adapter protocol: requests on standard input, replies on standard output.

    NAME is `reference`, or python:module:function. This is what `run` starts in a process of its own.
    """
    from kafka_conformance import adapter  # noqa: PLC0415
    from kafka_conformance.errors import UsageError  # noqa: PLC0415
    from kafka_conformance.protocol import ProtocolError  # noqa: PLC0415
    from kafka_conformance.targets.resolve import PYTHON, REFERENCE  # noqa: PLC0415

    if name == REFERENCE:
        served = adapter.reference()
    elif name.startswith(PYTHON):
        served = adapter.python_function(name.removeprefix(PYTHON))
    else:
        raise UsageError(f"there is no built-in target {name!r}.", "Built in: reference, or python:module:function.")
    try:
        adapter.serve_standard_streams(served)
    except ProtocolError as error:
        raise UsageError(
            f"standard input {error}.", "This command is meant to be started by `run` or `smoke`."
        ) from None
    return 0
