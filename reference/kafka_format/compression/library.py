"""Compression libraries, imported on first use, so that `import kafka_format` stays light."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType


@cache
def library(module: str, package: str) -> ModuleType:
    """Import a library once.

    Raises:
        ImportError: it is not installed; the text names the package to install.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"this codec needs {module}: pip install {package}", name=module) from error
