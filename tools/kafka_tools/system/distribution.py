"""The distribution that these packages come in."""

from typing import Final

DISTRIBUTION: Final = "kafka-format-conformance"
"""Its name, for pip and `importlib.metadata`."""
