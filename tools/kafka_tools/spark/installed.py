"""Whether the packages are there that a run on Spark needs; none is imported before."""

from importlib import import_module
from importlib.util import find_spec

from kafka_tools.errors import UsageError


def check_installed(command_name: str) -> None:
    """Check that the packages a run on Spark needs are installed and work.

    Raises:
        UsageError: one is not.
    """
    for module in ("numpy.typing", "pyspark", "pyarrow"):
        package = module.partition(".")[0]
        spec = find_spec(package)
        if spec is None:
            hint = "Install it: pip install 'kafka-format-conformance[spark]'"
            raise UsageError(f"`{command_name}` needs the package {package}.", hint)
        try:
            import_module(module)
        except Exception as error:  # noqa: BLE001 - `ask` would take it for one of the reference
            hint = f"It is {spec.origin}: is that the one of this Python? PYTHONPATH comes first."
            raise UsageError(f"cannot import {module}: {type(error).__name__}: {error}.", hint) from None
